package live

import (
	"net/http"
	"time"
)

// writer writes events, each with its own time limit.
type writer struct {
	w http.ResponseWriter
	c *http.ResponseController
}

// newWriter prepares a response for events. It sends the response header.
func newWriter(w http.ResponseWriter) *writer {
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Accel-Buffering", "no") // proxies such as nginx must not buffer events
	c := http.NewResponseController(w)
	_ = c.SetReadDeadline(time.Time{}) // the server's read timeout would end the stream
	w.WriteHeader(http.StatusOK)
	return &writer{w, c}
}

func (o *writer) write(b []byte) error {
	if err := o.begin(b); err != nil {
		return err
	}
	return o.c.Flush()
}

func (o *writer) begin(b []byte) error {
	if err := o.c.SetWriteDeadline(time.Now().Add(writeTimeout)); err != nil {
		return err
	}
	_, err := o.w.Write(b)
	return err
}

// frames writes f and the frames queued after it, and flushes once.
func (o *writer) frames(s *stream, f frame) error {
	for {
		if f.position == 0 || f.position > s.after {
			if err := o.begin(f.bytes); err != nil {
				return err
			}
		}
		select {
		case f = <-s.frames:
		default:
			return o.c.Flush()
		}
	}
}
