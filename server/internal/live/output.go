package live

import (
	"bytes"
	"fmt"
	"net"
	"net/http"
	"time"
)

// output writes frames to a client, each within a time limit, and does not return before they are on their way.
type output interface {
	write(frames ...frame) error
}

func setHeaders(h http.Header) {
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Accel-Buffering", "no") // proxies such as nginx must not buffer events
}

// response is the output of a stream that keeps its handler.
type response struct {
	w     http.ResponseWriter
	c     *http.ResponseController
	limit time.Duration
}

// newResponse prepares a response for frames. It sends the response header.
func newResponse(w http.ResponseWriter, limit time.Duration) *response {
	c := http.NewResponseController(w)
	_ = c.SetReadDeadline(time.Time{}) // the server's read timeout would end the stream
	w.WriteHeader(http.StatusOK)
	return &response{w, c, limit}
}

func (o *response) write(frames ...frame) error {
	for _, f := range frames {
		if err := o.c.SetWriteDeadline(time.Now().Add(o.limit)); err != nil {
			return err
		}
		if _, err := o.w.Write(f.bytes); err != nil {
			return err
		}
	}
	if err := o.c.Flush(); err != nil {
		return err
	}
	return o.c.SetWriteDeadline(time.Time{}) // HTTP/2 would end the stream at the deadline even if nothing is written
}

// connection is the output of a stream whose connection was taken over. The body has no chunks and ends with the
// connection, so that all streams share the same bytes.
type connection struct {
	net.Conn
	head  []byte // status line and headers, not written yet
	limit time.Duration
}

func newConnection(conn net.Conn, r *http.Request, h http.Header, limit time.Duration) *connection {
	var head bytes.Buffer
	fmt.Fprintf(&head, "HTTP/1.%d 200 OK\r\nDate: %s\r\nConnection: close\r\n", r.ProtoMinor,
		time.Now().UTC().Format(http.TimeFormat))
	_ = h.Write(&head) // a buffer takes everything
	head.WriteString("\r\n")
	return &connection{Conn: conn, head: head.Bytes(), limit: limit}
}

func (o *connection) write(frames ...frame) error {
	b := o.head
	o.head = nil
	for _, f := range frames {
		if len(b) > 0 && len(b)+len(f.bytes) > piece {
			if err := writeWithin(o.Conn, b, o.limit); err != nil {
				return err
			}
			b = b[:0]
		}
		b = append(b, f.bytes...)
	}
	return writeWithin(o.Conn, b, o.limit)
}
