package sininho

import (
	"context"
	"io"
	"net/http"
	"sync"

	"github.com/sininho/sininho/pkg/webhook"
)

const (
	// maxEvent is more than any event has, in bytes.
	maxEvent = 1 << 20
	// remembered is how many handled events a Receiver remembers, in order to handle each only once.
	remembered = 10_000
)

// Receiver is the handler of an event endpoint. It verifies each request, responds to the challenge that confirms the
// endpoint, and has each event handled once, although it may arrive several times:
//
//	http.Handle("POST /hooks/sininho", &sininho.Receiver{
//		Secrets: []string{os.Getenv("ENDPOINT_SECRET")},
//		Handle: func(ctx context.Context, event *sininho.EndpointEvent) error {
//			return store(ctx, event.ID, event.Data)
//		},
//	})
//
// It remembers the latest 10,000 events in memory. A program that restarts, or that runs several times, also has to
// compare EndpointEvent.ID with what it has stored. It must not be copied.
type Receiver struct {
	// Secrets are those of the endpoint: one, or two while it is being replaced.
	Secrets []string
	// Handle handles an event within 15 seconds, or hands it on. After an error the event is sent again later.
	Handle func(ctx context.Context, event *EndpointEvent) error

	mu      sync.Mutex
	handled map[string]bool // by id; false while it is being handled
	order   []string        // of those that were handled, the earliest first
}

// ServeHTTP implements http.Handler. Its response is 204 for an event that is handled, 401 for a request that is not
// signed, and 500 if Handle fails, or 503 while it still handles the event: then the event is sent again.
func (r *Receiver) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, req.Body, maxEvent))
	if err != nil {
		http.Error(w, "the body cannot be read", http.StatusBadRequest)
		return
	}
	message, err := webhook.Verify(req.Header, body, r.Secrets)
	if err != nil {
		http.Error(w, "not signed with the endpoint's secret", http.StatusUnauthorized)
		return
	}
	event, err := ParseEvent(body)
	if err != nil {
		http.Error(w, "not an event", http.StatusBadRequest)
		return
	}
	event.ID = message.ID
	if event.Type != EndpointChallenge {
		w.WriteHeader(r.handle(req.Context(), event))
		return
	}
	response, err := webhook.SignChallenge(message, event.Data.Challenge, r.Secrets...)
	if err != nil {
		http.Error(w, "not a challenge", http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = io.WriteString(w, response) //nolint:gosec // a signature, in base64
}

// handle has an event handled unless it was before, and returns the status of the response.
func (r *Receiver) handle(ctx context.Context, event *EndpointEvent) (status int) {
	known, done := r.take(event.ID)
	switch {
	case done:
		return http.StatusNoContent
	case known:
		return http.StatusServiceUnavailable
	}
	handled := false
	defer func() { r.end(event.ID, handled) }()
	if err := r.Handle(ctx, event); err != nil {
		return http.StatusInternalServerError
	}
	handled = true
	return http.StatusNoContent
}

// take reports whether an event is known and whether it has been handled. From then on it is known.
func (r *Receiver) take(id string) (known, done bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.handled == nil {
		r.handled = map[string]bool{}
	}
	if done, known = r.handled[id]; known {
		return true, done
	}
	r.handled[id] = false
	return false, false
}

// end says whether an event has been handled. One that has not is forgotten.
func (r *Receiver) end(id string, handled bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !handled {
		delete(r.handled, id)
		return
	}
	r.handled[id] = true
	if r.order = append(r.order, id); len(r.order) > remembered {
		delete(r.handled, r.order[0])
		r.order = r.order[1:]
	}
}
