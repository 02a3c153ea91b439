package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/signal"
	"syscall"
)

// A role is what a process of the benchmark is: the programs that are measured run in processes of their own, so that
// their CPU time and memory can be read. The first argument is the role.
var roles = map[string]func(ctx context.Context, ready func(any) error) error{
	"services": serveServices,
	"server":   serveSininho,
	"bare":     serveBare,
}

// play plays a role until the parent closes standard input. It calls ready with what the parent needs to know.
func play(role func(context.Context, func(any) error) error) error {
	signal.Ignore(os.Interrupt) // Ctrl-C reaches the parent, too, which then ends this process
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		stop()
	}()
	err := role(ctx, func(info any) error { return json.NewEncoder(os.Stdout).Encode(info) })
	if errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}
