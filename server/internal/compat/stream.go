package compat

import (
	"bytes"
	"context"
	"net/http"
	"time"
)

// Event is an event of a stream of the API.
type Event struct {
	Kind string
	Data []byte
}

// The kinds of events that the API does not name.
const (
	Begun     = "begun"     // the stream's position is known, and nothing after it is missed
	Heartbeat = "heartbeat" // the stream is alive
)

// Stream opens a stream of the API, for the sender of a request, and calls receive with each event until ctx is done,
// the stream ends or receive fails. A refusal is an *Error.
func (a API) Stream(ctx context.Context, r *http.Request, c Call, receive func(Event) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	c.Method = http.MethodGet
	req, err := c.request(ctx, r)
	if err != nil {
		return err
	}
	w := &stream{recorder: recorder{header: http.Header{}}, receive: receive, cancel: cancel}
	a.Handler.ServeHTTP(w, req)
	if w.err != nil {
		return w.err
	}
	if w.status != http.StatusOK {
		return newError(&w.recorder)
	}
	return nil
}

// stream is a response whose events are received as they are written. It has no connection that could be taken over.
type stream struct {
	recorder
	receive func(Event) error
	cancel  context.CancelFunc
	begun   bool
	err     error
}

// FlushError, SetReadDeadline and SetWriteDeadline are for http.ResponseController: there is nothing to wait for.
func (w *stream) FlushError() error { return nil }

// SetReadDeadline does nothing.
func (w *stream) SetReadDeadline(time.Time) error { return nil }

// SetWriteDeadline does nothing.
func (w *stream) SetWriteDeadline(time.Time) error { return nil }

// Write implements http.ResponseWriter.
func (w *stream) Write(b []byte) (int, error) {
	n, _ := w.recorder.Write(b) // a buffer takes everything
	if w.status != http.StatusOK {
		return n, nil // a problem
	}
	for w.err == nil {
		block, rest, whole := bytes.Cut(w.body.Bytes(), []byte("\n\n"))
		if !whole {
			break
		}
		w.err = w.receive(w.event(block))
		w.body.Next(w.body.Len() - len(rest))
	}
	if w.err != nil {
		w.cancel()
	}
	return n, w.err
}

// event returns the event of a block.
func (w *stream) event(block []byte) (e Event) {
	for line := range bytes.Lines(block) {
		line = bytes.TrimSuffix(line, []byte("\n"))
		if kind, ok := bytes.CutPrefix(line, []byte("event: ")); ok {
			e.Kind = string(kind)
		}
		if data, ok := bytes.CutPrefix(line, []byte("data: ")); ok {
			e.Data = data
		}
	}
	if e.Kind == "" && w.begun {
		e.Kind = Heartbeat
	} else if e.Kind == "" {
		e.Kind, w.begun = Begun, true
	}
	return e
}
