package command

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// Main runs the process's command line and returns its exit code. Ctrl-C ends it cleanly, a second Ctrl-C at once.
func Main() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
	// If the reader of stdout goes away, as head does, writing must fail instead of killing the
	// process: the command ends quietly, and publishing many messages still finishes.
	signal.Ignore(syscall.SIGPIPE)
	return Run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr, os.Getenv)
}
