package fcm

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"
	"sync"
	"time"
)

var bodies = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// send handles messages:send.
func (s *Server) send(w http.ResponseWriter, r *http.Request) {
	defer s.stats.begin()()
	a := s.authorize(r)
	if a == nil {
		a = s.receive(r)
	}
	s.stats.count(a.status)
	a.write(w)
}

// authorize returns nil if the request may send.
func (s *Server) authorize(r *http.Request) *response {
	header := r.Header.Get("Authorization")
	switch project := r.PathValue("project"); {
	case header == "":
		return noCredentials
	case !s.authorized(header, time.Now()):
		return wrongCredentials
	case project != s.project:
		return refusal(http.StatusForbidden, "PERMISSION_DENIED",
			"Permission 'cloudmessaging.messages.create' denied on resource "+
				"'//cloudresourcemanager.googleapis.com/projects/"+project+"' (or it may not exist).")
	}
	return nil
}

// receive reads a message and accepts it, unless a programmed fault applies.
func (s *Server) receive(r *http.Request) *response {
	body, _ := bodies.Get().(*bytes.Buffer)
	defer bodies.Put(body)
	body.Reset()
	if _, err := body.ReadFrom(io.LimitReader(r.Body, maxBody+1)); err != nil {
		return refusal(http.StatusBadRequest, "INVALID_ARGUMENT", "The request could not be read.")
	}
	if body.Len() > maxBody {
		return refusal(http.StatusBadRequest, "INVALID_ARGUMENT", "Request payload size exceeds the limit.")
	}
	token, t := s.templates.read(body.Bytes())
	if t.refused != nil {
		return t.refused
	}
	if f := s.faults.find(token); f != nil {
		return s.applyFault(r, f, token, t)
	}
	return s.accept(r, token, t)
}

// applyFault applies a fault. To end the request without a response it panics with http.ErrAbortHandler.
func (s *Server) applyFault(r *http.Request, f *fault, token string, t *template) *response {
	ctx := r.Context()
	if f.Hang {
		s.stats.hung.Add(1)
		<-ctx.Done()
		panic(http.ErrAbortHandler)
	}
	if f.delay > 0 && !pause(ctx, f.delay) {
		panic(http.ErrAbortHandler)
	}
	if f.response != nil {
		return f.response
	}
	if f.Cut == cutBefore {
		s.stats.cut.Add(1)
		panic(http.ErrAbortHandler)
	}
	a := s.accept(r, token, t)
	if f.Cut == cutAfter && a.status == http.StatusOK {
		s.stats.cut.Add(1)
		panic(http.ErrAbortHandler)
	}
	return a
}

func pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// accept delivers the message if a browser has registered for its token, and records it.
func (s *Server) accept(r *http.Request, token string, t *template) *response {
	if t.validateOnly {
		return s.named("fake_message_id")
	}
	id := s.ids.Add(1)
	if to, known := s.browsers.find(token); known {
		if refusal := s.deliverTo(r.Context(), to, t.message(token), s.messageID(id)); refusal != nil {
			return refusal
		}
	}
	s.sent.add(t, token, id, r.Header.Get("Traceparent"))
	s.stats.accepted.Add(1)
	return s.named(s.messageID(id))
}

func (s *Server) deliverTo(ctx context.Context, to *Subscription, message []byte, id string) *response {
	if to == nil {
		return notRegistered
	}
	if s.deliver == nil {
		return nil
	}
	payload, err := webPayload(message, id)
	if err != nil {
		return internalError
	}
	switch err := s.deliver(ctx, *to, payload); {
	case errors.Is(err, ErrGone):
		return notRegistered
	case err != nil:
		return internalError
	}
	return nil
}

// messageID returns the last part of a message's name.
func (s *Server) messageID(id uint64) string {
	return s.instance + "-" + strconv.FormatUint(id, 10)
}

func (s *Server) named(id string) *response {
	return &response{status: http.StatusOK, body: []byte(`{"name":"` + s.messageName(id) + "\"}\n")}
}

func (s *Server) messageName(id string) string { return "projects/" + s.project + "/messages/" + id }
