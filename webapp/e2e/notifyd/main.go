// Notifyd is a desktop notification service for browser tests only. It owns org.freedesktop.Notifications on the
// session bus, so it needs a private bus, as under dbus-run-session. It displays nothing: it keeps the notes that a
// browser sends, and reports a click when its HTTP API is asked to.
//
//	notifyd 127.0.0.1:0
//
// prints the address of the API. If its standard input is a pipe, it ends when the pipe is closed.
//
//	GET    /notes                   all notes, oldest first
//	POST   /invoke/{id}/{action}    clicks an action; "default" is the note itself
//	POST   /close/{id}              swipes a note away
//	DELETE /notes                   deletes all notes
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/godbus/dbus/v5"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: notifyd ADDRESS, as in notifyd 127.0.0.1:0")
		os.Exit(2)
	}
	if err := run(os.Args[1], lifeline(os.Stdin), os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "notifyd:", err)
		os.Exit(1)
	}
}

// lifeline returns the file if it is a pipe or a socket, which is closed when the parent process ends, and otherwise
// nil.
func lifeline(f *os.File) io.Reader {
	if info, err := f.Stat(); err != nil || info.Mode()&(os.ModeNamedPipe|os.ModeSocket) == 0 {
		return nil
	}
	return f
}

// run serves until in ends, or for ever if in is nil.
func run(address string, in io.Reader, out io.Writer) error {
	conn, err := dbus.ConnectSessionBus()
	if err != nil {
		return fmt.Errorf("session bus: %w", err)
	}
	defer func() { _ = conn.Close() }()
	d, err := own(conn)
	if err != nil {
		return err
	}
	l, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", address)
	if err != nil {
		return err
	}
	server := &http.Server{Handler: d.handler(), ReadHeaderTimeout: 10 * time.Second}
	if in != nil {
		go func() {
			_, _ = io.Copy(io.Discard, in)
			_ = server.Close()
		}()
	}
	if _, err := fmt.Fprintf(out, "http://%s\n", l.Addr()); err != nil {
		return errors.Join(err, server.Close())
	}
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
