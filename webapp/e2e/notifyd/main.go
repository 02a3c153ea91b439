// Notifyd is a desktop's notification service for browser tests only. It owns org.freedesktop.Notifications on the session
// bus, so it must run where that is a private one, as under dbus-run-session. It shows nothing: it keeps what a browser
// wants shown, and says on request that somebody clicked it.
//
//	notifyd 127.0.0.1:0
//
// prints the address of its HTTP API, and ends when its standard input does, if that is a pipe:
//
//	GET    /notes                   all notes, oldest first
//	POST   /invoke/{id}/{action}    clicks an action; "default" is the note itself
//	POST   /close/{id}              swipes a note away
//	DELETE /notes                   forgets all
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

// lifeline is the file if somebody holds its other end, and nil for /dev/null or a terminal, which say nothing about who
// started this.
func lifeline(f *os.File) io.Reader {
	if info, err := f.Stat(); err != nil || info.Mode()&(os.ModeNamedPipe|os.ModeSocket) == 0 {
		return nil
	}
	return f
}

// run serves until in ends; with nil, until the process is.
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
