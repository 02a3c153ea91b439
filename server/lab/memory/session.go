package memory

import (
	"context"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

var _ core.SessionStore = (*Store)(nil)

type sessionRow struct {
	core.Session
	hash string
}

// CreateSession implements core.SessionStore.
func (s *Store) CreateSession(_ context.Context, x core.Session, hash []byte) error {
	defer s.lock()()
	p, ok := s.subscribers[x.SubscriberID]
	switch {
	case !ok:
		return core.ErrSessionEnded()
	case p.Suspension != nil:
		return core.ErrSuspended(core.SuspendableSubscriber, *p.Suspension)
	}
	s.sessions[x.ID] = &sessionRow{x, string(hash)}
	return nil
}

func session(r *sessionRow) core.Session { return r.Session }

// SessionBySecret implements core.SessionStore.
func (s *Store) SessionBySecret(_ context.Context, hash []byte) (core.Session, error) {
	defer s.lock()()
	r, err := s.sessions.first(func(r *sessionRow) bool { return r.hash == string(hash) })
	if err != nil {
		return core.Session{}, err
	}
	return r.Session, nil
}

// Sessions implements core.SessionStore.
func (s *Store) Sessions(
	_ context.Context, subscriberID core.ID, now time.Time, page core.Page,
) ([]core.Session, int64, error) {
	defer s.lock()()
	rows := s.sessions.where(func(r *sessionRow) bool { return r.SubscriberID == subscriberID && r.Alive(now) })
	return paged(newest(rows, func(r *sessionRow) time.Time { return r.SeenAt }), page, session)
}

// TouchSession implements core.SessionStore.
func (s *Store) TouchSession(_ context.Context, id core.ID, by core.Client, now time.Time) error {
	defer s.lock()()
	if r, ok := s.sessions[id]; ok {
		r.Client, r.SeenAt = by, now
	}
	return nil
}

// EndSession implements core.SessionStore.
func (s *Store) EndSession(_ context.Context, subscriberID, id core.ID, now time.Time) error {
	defer s.lock()()
	if len(s.endSessions(now, func(r *sessionRow) bool { return r.ID == id && r.SubscriberID == subscriberID })) == 0 {
		return core.NotFound()
	}
	return nil
}

// EndSessions implements core.SessionStore.
func (s *Store) EndSessions(_ context.Context, subscriberID, except core.ID, now time.Time) ([]core.ID, error) {
	defer s.lock()()
	return s.endSessions(now, func(r *sessionRow) bool {
		return r.SubscriberID == subscriberID && r.ID != except
	}), nil
}

func (s *Store) endSessions(now time.Time, matches func(*sessionRow) bool) (ended []core.ID) {
	for _, r := range s.sessions.where(matches) {
		ended = append(ended, r.ID)
		delete(s.sessions, r.ID)
		s.retire(core.RetiredSignedOut, now, func(d *deviceRow) bool { return d.sessionID == r.ID })
	}
	return ended
}

// signOut ends a person's sessions, retires their devices, and returns the credentials whose streams end.
func (s *Store) signOut(id core.ID, now time.Time) []core.ID {
	ended := s.endSessions(now, func(r *sessionRow) bool { return r.SubscriberID == id })
	s.retire(core.RetiredSignedOut, now, func(d *deviceRow) bool { return d.SubscriberID == id })
	for _, t := range s.tokensOf(id) {
		ended = append(ended, t.ID)
	}
	return ended
}
