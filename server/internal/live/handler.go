package live

import (
	"context"
	"io"
	"net"
	"net/http"
	"sync"
	"syscall"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

// ServeFeed streams changes in all channels that a subscriber follows, until the client disconnects, the session or
// access token ends, or the server shuts down. It takes an HTTP/1 connection over, or hands the stream on to Keep, and
// returns; otherwise it returns when the stream has ended.
func (h *Hub) ServeFeed(w http.ResponseWriter, r *http.Request, subscriberID core.ID, q core.StreamRequest) error {
	s := &stream{subscriberID: &subscriberID, credentialID: q.CredentialID, ended: q.Ended, metrics: h.Metrics}
	// Register as a reader before reading the followed channels, so that a change from now on makes it read them again.
	h.mu.Lock()
	if put(h.readers, subscriberID, s) {
		h.needs.change(subscriberID, true)
	}
	put(h.credentials, q.CredentialID, s)
	h.mu.Unlock()
	return h.serve(w, r, s, q)
}

// ServeChannel streams changes in one channel to anyone, until the client disconnects, the credential it was opened
// with ends, or the server shuts down. It returns as ServeFeed does.
func (h *Hub) ServeChannel(w http.ResponseWriter, r *http.Request, channelID core.ID, q core.StreamRequest) error {
	s := &stream{channelIDs: []core.ID{channelID}, credentialID: q.CredentialID, ended: q.Ended,
		metrics: h.Metrics}
	h.mu.Lock()
	h.subscribe(s)
	if q.CredentialID != (core.ID{}) {
		put(h.credentials, q.CredentialID, s)
	}
	h.mu.Unlock()
	return h.serve(w, r, s, q)
}

func (h *Hub) serve(w http.ResponseWriter, r *http.Request, s *stream, q core.StreamRequest) error {
	h.Metrics.Opened(s.kind())
	h.open.Add(1)
	handedOn := false
	defer func() {
		if !handedOn {
			h.finish(s)
		}
	}()
	ctx, stop := untilExpiry(r.Context(), q.ExpiresAt)
	defer stop()
	s.onCut(stop)
	if s.subscriberID != nil {
		if err := h.follow(ctx, s); err != nil {
			return err
		}
	}
	setHeaders(w.Header())
	if conn := takeOver(w, r); conn != nil {
		handedOn = h.serveConnection(ctx, newConnection(conn, r, w.Header(), h.pace.write), s, q)
	} else {
		handedOn = h.serveResponse(ctx, newResponse(w, h.pace.write), s, q)
	}
	return nil
}

func untilExpiry(ctx context.Context, at *time.Time) (context.Context, context.CancelFunc) {
	if at == nil {
		return context.WithCancel(ctx)
	}
	return context.WithDeadline(ctx, *at)
}

// takeOver returns the connection of a request over HTTP/1, otherwise nil.
func takeOver(w http.ResponseWriter, r *http.Request) net.Conn {
	if !takesOver || r.ProtoMajor != 1 {
		return nil
	}
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return nil
	}
	return conn
}

// serveResponse begins a stream, and hands it on to a keeper if there is one; otherwise it serves the stream until it
// ends, and returns false.
func (h *Hub) serveResponse(ctx context.Context, out output, s *stream, q core.StreamRequest) (handedOn bool) {
	s.setPaced()
	if h.begin(ctx, out, s, q) != nil { // the client reconnects
		return false
	}
	if h.keep(ctx, s, q) {
		return true
	}
	h.newKept(ctx, out, s, nil).serve()
	return false
}

// serveConnection begins a stream on a connection that was taken over, and hands it on to a shard. It returns false
// when the stream has ended.
func (h *Hub) serveConnection(ctx context.Context, out *connection, s *stream, q core.StreamRequest) (handedOn bool) {
	// TLS that is closed during a write does not tell the client that it ends, so the write is interrupted first.
	interrupt := sync.OnceFunc(func() { _ = out.SetDeadline(time.Unix(1, 0)) })
	keep := context.AfterFunc(ctx, interrupt)
	defer func() {
		if !handedOn {
			interrupt() // not during Close, which sets a deadline of its own
			_ = out.Close()
		}
	}()
	seal, below := newSeal(out.Conn)
	if tcp, ok := below.(tcpConn); ok {
		_ = tcp.SetWriteBuffer(h.pace.sendBuffer)
	}
	conn, ok := below.(syscall.Conn)
	if !ok {
		ctx, stop := watched(ctx, out.Conn)
		defer stop()
		h.serveResponse(ctx, out, s, q)
		return false
	}
	raw, err := conn.SyscallConn()
	if err != nil || h.begin(ctx, out, s, q) != nil || !keep() {
		return false
	}
	_ = out.SetWriteDeadline(time.Time{})
	s.socket = h.newSocket(below, raw, seal, q.ExpiresAt)
	return h.shards[h.next.Add(1)%uint64(len(h.shards))].add(s)
}

// watched returns a context that is done when the client has left a connection of an unknown kind.
func watched(ctx context.Context, conn net.Conn) (context.Context, context.CancelFunc) {
	ctx, left := context.WithCancel(ctx)
	go func() {
		defer left()
		_, _ = io.Copy(io.Discard, conn)
	}()
	return ctx, left
}
