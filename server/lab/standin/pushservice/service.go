package pushservice

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"sync"

	"github.com/sininho/sininho/server/lab/standin"
)

// Service is a running push service.
type Service struct {
	http   *standin.Server
	stream net.Listener
	wait   sync.WaitGroup

	mu            sync.Mutex
	closed        bool
	connections   map[net.Conn]struct{}
	devices       map[uint64]*device
	registrations map[string]registration // by the last segment of the endpoint
	own           map[string]*ownBrowser  // by the last segment of the endpoint

	sent   sentLog
	faults faults
}

// Start runs a push service on loopback until Close. The context limits only the start.
func Start(ctx context.Context) (*Service, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	certificate, err := newCertificate()
	if err != nil {
		return nil, err
	}
	l, err := standin.Listen()
	if err != nil {
		return nil, err
	}
	s := &Service{
		stream: tls.NewListener(l,
			&tls.Config{Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS12}),
		connections:   map[net.Conn]struct{}{},
		devices:       map[uint64]*device{},
		registrations: map[string]registration{},
		own:           map[string]*ownBrowser{},
	}
	if s.http, err = standin.Serve(s.handler()); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	s.wait.Go(s.acceptStreams)
	return s, nil
}

func (s *Service) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /checkin", s.checkin)
	mux.HandleFunc("POST /register", s.register)
	mux.HandleFunc("POST /subscriptions", s.subscribe)
	mux.HandleFunc("POST /push/{id}", s.send)
	mux.HandleFunc("DELETE /push/{id}", s.unsubscribe)
	mux.HandleFunc("POST /fcm/send/{id}", s.send)
	mux.HandleFunc("GET /sent", s.listSent)
	mux.HandleFunc("POST /faults", s.changeFaults)
	mux.HandleFunc("DELETE /faults", s.changeFaults)
	return mux
}

// URL returns the address where browsers check in and register.
func (s *Service) URL() string { return s.http.URL() }

// Flags returns the command-line flags that make Chromium use this push service. They make it accept any certificate,
// so they are for tests only.
func (s *Service) Flags() []string {
	return []string{
		"--gcm-checkin-url=" + s.URL() + "/checkin",
		"--gcm-registration-url=" + s.URL() + "/register",
		"--gcm-mcs-endpoint=https://" + s.stream.Addr().String(),
		"--ignore-certificate-errors",
	}
}

// Close cuts all streams and returns when everything has stopped. A second call does nothing.
func (s *Service) Close() error {
	s.mu.Lock()
	first := !s.closed
	s.closed = true
	for c := range s.connections {
		_ = c.Close() // its reader notices
	}
	s.mu.Unlock()
	var err error
	if first {
		err = errors.Join(s.stream.Close(), s.http.Close())
	}
	s.wait.Wait()
	return err
}
