package session

import (
	"context"
	"sync"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

// memory is a store of sessions and subscribers that also records the sessions that were signed out.
type memory struct {
	core.SubscriberStore
	mu          sync.Mutex
	sessions    map[string]core.Session // by hash
	subscribers map[string]core.Subscriber
	onboarded   *time.Time
	broken      bool
	touched     int
	invitations map[string]bool // valid ones, by hash
	signedOut   []core.ID
}

func (s *memory) CreateSession(_ context.Context, x core.Session, hash []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sessions[string(hash)] = x
	return nil
}

func (s *memory) SessionBySecret(_ context.Context, hash []byte) (core.Session, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	x, ok := s.sessions[string(hash)]
	if !ok {
		return x, core.NotFound()
	}
	return x, nil
}

func (s *memory) TouchSession(_ context.Context, id core.ID, now time.Time) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.touched++
	for hash, x := range s.sessions {
		if x.ID == id {
			x.SeenAt = now
			s.sessions[hash] = x
		}
	}
	return nil
}

func (s *memory) EndSession(_ context.Context, id core.ID, _ time.Time) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for hash, x := range s.sessions {
		if x.ID == id {
			delete(s.sessions, hash)
		}
	}
	return nil
}

func (s *memory) SignIn(_ context.Context, p core.Profile, up core.SignUp, now time.Time) (core.Subscriber, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.broken {
		return core.Subscriber{}, core.Unavailable(nil)
	}
	x, ok := s.subscribers[p.Subject]
	if !ok && !up.Open && !s.invitations[string(up.InvitationHash)] {
		return core.Subscriber{}, core.ErrUninvited()
	}
	if !ok {
		x = core.Subscriber{ID: core.NewID(), Email: p.Email, CreatedAt: now}
	}
	x.OnboardedAt = s.onboarded
	s.subscribers[p.Subject] = x
	return x, nil
}

func (s *memory) ChannelDeleted(context.Context, core.ID)       {}
func (s *memory) Followed(context.Context, core.ID)             {}
func (s *memory) Read(context.Context, core.ID, core.ReadEvent) {}
func (s *memory) SignedOut(_ context.Context, id core.ID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.signedOut = append(s.signedOut, id)
}

func (s *memory) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.sessions)
}
