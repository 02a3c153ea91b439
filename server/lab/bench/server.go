package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/sininho/sininho/server"
)

// sininho is a server in a process of its own.
type sininho struct {
	*process
	URL     string
	Control string
}

// serveSininho is the role "server": `sininho-server serve`, with a control address.
func serveSininho(ctx context.Context, ready func(any) error) (err error) {
	settings, err := server.ReadConfig(server.Environment())
	if err != nil {
		return err
	}
	l, err := server.Listen(ctx, settings.ListenAddr)
	if err != nil {
		return err
	}
	s, err := server.New(ctx, settings, settings.Logger())
	if err != nil {
		return err
	}
	server.TuneMemory()
	address, err := control()
	if err != nil {
		return err
	}
	if err := ready(sininho{URL: settings.PublicURL, Control: address}); err != nil {
		return err
	}
	return errors.Join(s.Serve(ctx, secure(l, settings.PublicURL)), s.Close())
}

// startServer starts a server and waits until it is ready.
func startServer(ctx context.Context, environment map[string]string) (*sininho, error) {
	s := &sininho{}
	var err error
	if s.process, err = start(ctx, "server", environment, s); err != nil {
		return nil, err
	}
	if err := waitReady(ctx, s.URL); err != nil {
		return nil, errors.Join(err, s.stop())
	}
	return s, nil
}

// waitReady waits until a server accepts requests.
func waitReady(ctx context.Context, url string) error {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	for {
		err := fetch(ctx, http.MethodGet, url+"/readyz", nil)
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("wait for the server: %w", err)
		case <-time.After(5 * time.Millisecond):
		}
	}
}
