package ntfy

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"sync"

	"github.com/coder/websocket"
)

// subscribeBySocket sends messages by a web socket. What the client sends is ignored.
func (s *server) subscribeBySocket(w http.ResponseWriter, r *http.Request) error {
	if !strings.EqualFold(r.Header.Get("Upgrade"), "websocket") {
		return errSocket
	}
	q, err := s.parseSubscription(r)
	if err != nil {
		return err
	}
	if err := s.checkReadable(r, q.topics); err != nil {
		return err
	}
	// Any page may connect: the protocol knows no cookies.
	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{InsecureSkipVerify: true})
	if err != nil {
		return nil //nolint:nilerr // it has responded
	}
	defer func() { _ = conn.CloseNow() }()
	ctx := conn.CloseRead(context.WithoutCancel(r.Context()))
	out := &socket{ctx: ctx, conn: conn}
	if q.poll {
		_ = s.past(r, q, out)
	} else {
		s.stream(ctx, r, q, out)
	}
	_ = conn.Close(websocket.StatusNormalClosure, "")
	return nil
}

// socket sends messages by a web socket.
type socket struct {
	ctx  context.Context
	conn *websocket.Conn
	mu   sync.Mutex
}

func (o *socket) send(m message) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	ctx, cancel := context.WithTimeout(o.ctx, writeLimit)
	defer cancel()
	if m.Event == eventKeepalive {
		return o.conn.Ping(ctx)
	}
	b, err := json.Marshal(m)
	if err != nil {
		return err
	}
	return o.conn.Write(ctx, websocket.MessageText, b)
}
