package ntfy

import (
	"context"
	"crypto/rand"
	"net/http"
	"sync"

	"github.com/sininho/sininho/server/internal/compat"
)

// subscription is what a request wants to receive.
type subscription struct {
	names     string // as they were asked for
	topics    []topic
	poll      bool // only what was published before
	scheduled bool // also what is still to be published
	since     since
	filter    filter
}

func (s *server) parseSubscription(r *http.Request) (q subscription, err error) {
	q.names = r.PathValue("topics")
	if q.topics, err = parseTopics(q.names); err != nil {
		return q, err
	}
	q.poll = boolParam(r, false, "X-Poll", "Poll", "Po")
	q.scheduled = boolParam(r, false, "X-Scheduled", "Scheduled", "Sched")
	if q.since, err = parseSince(r, q.poll, s.Now()); err != nil {
		return q, err
	}
	q.filter, err = parseFilter(r)
	return q, err
}

// subscribe returns a handler that sends messages in the body of its response.
func (s *server) subscribe(e encoding) func(http.ResponseWriter, *http.Request) error {
	return func(w http.ResponseWriter, r *http.Request) error {
		q, err := s.parseSubscription(r)
		if err != nil {
			return err
		}
		if err := s.checkReadable(r, q.topics); err != nil {
			return err
		}
		out := newSink(w, e)
		if q.poll {
			out.begin()
			_ = s.past(r, q, out) // the response has begun
			return nil
		}
		s.stream(r.Context(), r, q, out)
		return nil
	}
}

// mayRead answers whether topics may be subscribed to.
func (s *server) mayRead(w http.ResponseWriter, r *http.Request) error {
	topics, err := parseTopics(r.PathValue("topics"))
	if err != nil {
		return err
	}
	if err := s.checkReadable(r, topics); err != nil {
		return err
	}
	return writeJSON(w, map[string]bool{"success": true})
}

func (s *server) checkReadable(r *http.Request, topics []topic) error {
	for _, t := range topics {
		if _, err := s.API.Do(r, compat.Call{Method: http.MethodGet, Path: t.path()}, nil); err != nil {
			return err
		}
	}
	return nil
}

// past sends what was published before, topic by topic.
func (s *server) past(r *http.Request, q subscription, out sink) error {
	for _, t := range q.topics {
		f := &follower{topic: t, filter: q.filter, out: out}
		if err := s.replay(r, q, f); err != nil {
			return err
		}
	}
	return nil
}

func (s *server) replay(r *http.Request, q subscription, f *follower) error {
	if err := s.history(r, f.topic, q.since, f.old); err != nil || !q.scheduled {
		return err
	}
	return s.scheduled(r, f.topic, f.old)
}

// stream sends messages until ctx is done, the client is gone or a stream of the API ends.
func (s *server) stream(ctx context.Context, r *http.Request, q subscription, out sink) {
	// The streams have a context of their own: what the request's has is for a stream that takes the request over.
	own, cancel := context.WithCancel(context.Background())
	defer cancel()
	defer context.AfterFunc(ctx, cancel)()
	var open sync.Once
	var ends sync.WaitGroup
	for i, t := range q.topics {
		f := &follower{topic: t, names: q.names, filter: q.filter, out: out, now: s.Now, beats: i == 0}
		f.begin = func() (err error) {
			open.Do(func() { err = out.send(f.event(eventOpen)) })
			if err != nil {
				return err
			}
			return s.replay(r, q, f)
		}
		ends.Go(func() {
			defer cancel()
			_ = s.API.Stream(own, r, compat.Call{Path: t.path() + "/notifications/stream"}, f.receive)
		})
	}
	ends.Wait()
}

// newID returns the id of an event that is no message.
func newID() string { return rand.Text()[:12] }
