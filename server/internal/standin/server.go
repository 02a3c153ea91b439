package standin

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"
)

// Server is a stand-in that listens.
type Server struct {
	http *http.Server
	url  string
	done chan struct{}
}

// Serve answers on a free port of 127.0.0.1, by HTTP/1.1 and by HTTP/2 without TLS, whichever the client begins with.
func Serve(h http.Handler) (*Server, error) {
	l, err := Listen()
	if err != nil {
		return nil, err
	}
	s := &Server{
		http: &http.Server{Handler: h, Protocols: new(http.Protocols), ReadHeaderTimeout: 10 * time.Second},
		url:  "http://" + l.Addr().String(),
		done: make(chan struct{}),
	}
	s.http.Protocols.SetHTTP1(true)
	s.http.Protocols.SetUnencryptedHTTP2(true)
	s.http.HTTP2 = &http.HTTP2Config{MaxConcurrentStreams: 1000}
	go func() {
		defer close(s.done)
		_ = s.http.Serve(l) // always ends with an error; Close is how it ends
	}()
	return s, nil
}

// Listen opens a free TCP port that only this machine reaches.
func Listen() (net.Listener, error) {
	l, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("stand-in: %w", err)
	}
	return l, nil
}

// URL is the server's address without a slash at the end, as in http://127.0.0.1:41234.
func (s *Server) URL() string { return s.url }

// Close ends at once: requests that are being answered lose their connection. A second call does nothing.
func (s *Server) Close() error {
	err := s.http.Close()
	<-s.done
	if errors.Is(err, net.ErrClosed) {
		return nil
	}
	return err
}
