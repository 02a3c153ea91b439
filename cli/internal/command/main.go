package command

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// Main runs the process's own command line and gives its exit code. Ctrl-C ends it cleanly;
// a second one at once.
func Main() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
	// A reader that goes away, as head does, is an error of a write and no signal: the
	// command ends quietly, and a publish of many still finishes.
	signal.Ignore(syscall.SIGPIPE)
	return Run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr, os.Getenv)
}
