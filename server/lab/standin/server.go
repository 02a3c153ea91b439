package standin

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/sininho/sininho/server/internal/guard"
)

// Server is a running stand-in.
type Server struct {
	http *http.Server
	url  string
	done chan struct{}
}

// Serve serves a handler on a free port of 127.0.0.1, by HTTP/1.1 and by HTTP/2 without TLS, depending on the client.
// It responds only to requests for an address of this machine.
func Serve(h http.Handler) (*Server, error) {
	l, err := Listen()
	if err != nil {
		return nil, err
	}
	s := &Server{
		http: &http.Server{Handler: guard.Local(l, h), Protocols: new(http.Protocols),
			ReadHeaderTimeout: 10 * time.Second},
		url:  "http://" + l.Addr().String(),
		done: make(chan struct{}),
	}
	s.http.Protocols.SetHTTP1(true)
	s.http.Protocols.SetUnencryptedHTTP2(true)
	s.http.HTTP2 = &http.HTTP2Config{MaxConcurrentStreams: 1000}
	go func() {
		defer close(s.done)
		_ = s.http.Serve(l) // always returns an error, even after Close
	}()
	return s, nil
}

// Listen opens a free TCP port on loopback.
func Listen() (net.Listener, error) {
	l, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("stand-in: %w", err)
	}
	return l, nil
}

// URL returns the server's address without a slash at the end, such as http://127.0.0.1:41234.
func (s *Server) URL() string { return s.url }

// Close stops the server at once: requests in progress lose their connection. A second call does nothing.
func (s *Server) Close() error {
	err := s.http.Close()
	<-s.done
	if errors.Is(err, net.ErrClosed) {
		return nil
	}
	return err
}
