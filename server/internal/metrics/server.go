package metrics

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"net/http/pprof"
	"time"

	"github.com/sininho/sininho/server/internal/guard"
)

// Server serves metrics and profiles. It must not be reachable from outside.
type Server struct {
	web      *http.Server
	listener net.Listener
	served   chan struct{}
}

const (
	headerTimeout   = 5 * time.Second
	shutdownTimeout = 5 * time.Second
)

// Serve serves m at /metrics, and profiles below /debug/pprof/, on l until Close.
func Serve(l net.Listener, m Metrics, log *slog.Logger) *Server {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", m.handler())
	mux.HandleFunc("GET /debug/pprof/", pprof.Index)
	mux.HandleFunc("GET /debug/pprof/cmdline", pprof.Cmdline)
	mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	s := &Server{listener: l, served: make(chan struct{}), web: &http.Server{Handler: guard.Local(l, mux),
		ReadHeaderTimeout: headerTimeout, ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelDebug)}}
	go func() {
		defer close(s.served)
		_ = s.web.Serve(l) // http.ErrServerClosed
	}()
	return s
}

// URL returns the address of the metrics.
func (s *Server) URL() string { return "http://" + s.listener.Addr().String() + "/metrics" }

// Close ends the server, after the scrapes that are under way.
func (s *Server) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), shutdownTimeout)
	defer cancel()
	err := s.web.Shutdown(ctx)
	<-s.served
	return err
}
