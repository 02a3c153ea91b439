package server

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/sininho/sininho/server/internal/guard"
	"github.com/sininho/sininho/server/internal/live"
)

// newWeb returns the HTTP server. Its timeouts limit how long a client can occupy a request or a response.
func newWeb(handler http.Handler, log *slog.Logger) *http.Server {
	return &http.Server{
		Handler: drained(handler), ReadHeaderTimeout: readTimeout, ReadTimeout: readTimeout, WriteTimeout: writeTimeout,
		IdleTimeout: idleTimeout, MaxHeaderBytes: maxHeader, ConnState: guard.Watch,
		HTTP2: &http.HTTP2Config{
			// What arrives before a handler reads it. By default it is 1 MiB for each connection.
			MaxReceiveBufferPerConnection: 128 << 10, MaxReceiveBufferPerStream: 64 << 10,
			// Each connection keeps a table of the headers of its responses, which are few.
			MaxEncoderHeaderTableSize: 1,
		},
		ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelDebug),
	}
}

// closing has clients close their connections once the server is stopping. A proxy may send a request by a connection
// that it has kept just when the server closes it; it may not repeat a publish, and would respond with 502.
func closing(next http.Handler, stopping <-chan struct{}) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-stopping:
			w.Header().Set("Connection", "close")
		default:
		}
		next.ServeHTTP(w, r)
	})
}

// stopper is stopped within the time of its context.
type stopper interface {
	Stop(ctx context.Context) error
}

// serveUntilDone handles requests from l until ctx is done. Then it calls stop and waits up to shutdownTimeout for
// running requests and jobs.
func serveUntilDone(ctx context.Context, l net.Listener, web *http.Server, stop func(), background stopper) error {
	var fresh freshConns
	fresh.watch(web)
	web.Handler = live.Keep(web.Handler)
	served := make(chan error, 1)
	go func() { served <- web.Serve(l) }()
	var err error
	select {
	case <-ctx.Done():
		stop()
		// No further connections. Those that were accepted are served: Shutdown would close them without a response.
		err = l.Close()
		if failed := <-served; !errors.Is(failed, net.ErrClosed) {
			err = errors.Join(err, failed)
		}
		fresh.wait(freshTimeout)
	case err = <-served:
		stop()
	}
	stopCtx, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTimeout)
	defer cancel()
	return errors.Join(err, web.Shutdown(stopCtx), background.Stop(stopCtx))
}

// freshTimeout is how long a new connection may take to send its first request while the server stops. Browsers open
// some ahead and send nothing.
const freshTimeout = 500 * time.Millisecond

// freshConns are the connections whose first request has not reached the handler. Once Shutdown has begun, net/http
// reads requests and closes their connections without a response.
type freshConns struct {
	mu    sync.Mutex
	conns map[net.Conn]struct{}
	none  chan struct{} // closed when there are none left, if somebody waits
}

type connKey struct{}

// watch has the server report its connections.
func (f *freshConns) watch(web *http.Server) {
	f.conns = map[net.Conn]struct{}{}
	told := web.ConnState
	web.ConnState = func(c net.Conn, state http.ConnState) {
		told(c, state)
		switch state {
		case http.StateNew:
			f.mu.Lock()
			defer f.mu.Unlock()
			f.conns[c] = struct{}{}
		case http.StateClosed, http.StateHijacked:
			f.remove(c)
		}
	}
	web.ConnContext = func(ctx context.Context, c net.Conn) context.Context {
		return context.WithValue(ctx, connKey{}, sync.OnceFunc(func() { f.remove(c) }))
	}
	next := web.Handler
	web.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if begun, ok := r.Context().Value(connKey{}).(func()); ok {
			begun()
		}
		next.ServeHTTP(w, r)
	})
}

func (f *freshConns) remove(c net.Conn) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.conns, c)
	if f.none != nil && len(f.conns) == 0 {
		close(f.none)
		f.none = nil
	}
}

// wait returns when there are no such connections, or after the timeout.
func (f *freshConns) wait(timeout time.Duration) {
	f.mu.Lock()
	if len(f.conns) == 0 {
		f.mu.Unlock()
		return
	}
	none := make(chan struct{})
	f.none = none
	f.mu.Unlock()
	select {
	case <-none:
	case <-time.After(timeout):
	}
}
