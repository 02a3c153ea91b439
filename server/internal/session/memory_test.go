package session

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

// memory is a store of sessions and subscribers that also records the sessions that were signed out.
type memory struct {
	core.SubscriberStore
	core.IdentityStore
	core.PasskeyStore
	core.OperatorLinkStore
	mu          sync.Mutex
	sessions    map[string]core.Session // by hash
	subscribers map[string]core.Subscriber
	onboarded   *time.Time
	broken      bool
	touched     int
	invitations map[string]bool // valid ones, by hash
	signedOut   []core.ID
	saved       []core.Saving
	full        bool // accounts have as much as they may
	emails      []*emailSignIn
	known       map[string][]core.Session // the latest session of each person, by the hash of the browser
}

func (s *memory) CreateSession(_ context.Context, x core.Session, hash []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sessions[string(hash)] = x
	return nil
}

func (s *memory) CreateAnonymous(ctx context.Context, _ core.Language, x core.Session, hash []byte) error {
	return s.CreateSession(ctx, x, hash)
}

func (s *memory) SaveAnonymous(ctx context.Context, in core.Saving, now time.Time) (ended []core.ID, err error) {
	if s.full {
		return nil, core.Invalid()
	}
	ended, err = s.EndSessions(ctx, in.AnonymousID, core.ID{}, now)
	if err != nil || len(ended) == 0 {
		return nil, cmp.Or(err, error(core.NotFound()))
	}
	s.saved = append(s.saved, in)
	return ended, s.CreateSession(ctx, in.Session, in.Hash)
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

func (s *memory) TouchSession(_ context.Context, id core.ID, by core.Client, now time.Time) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.touched++
	for hash, x := range s.sessions {
		if x.ID == id {
			x.Client, x.SeenAt = by, now
			s.sessions[hash] = x
		}
	}
	return nil
}

func (s *memory) EndSession(_ context.Context, subscriberID, id core.ID, _ time.Time) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for hash, x := range s.sessions {
		if x.SubscriberID == subscriberID && x.ID == id {
			delete(s.sessions, hash)
			return nil
		}
	}
	return core.NotFound()
}

func (s *memory) EndSessions(
	_ context.Context, subscriberID, except core.ID, _ time.Time,
) (ended []core.ID, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for hash, x := range s.sessions {
		if x.SubscriberID == subscriberID && x.ID != except {
			delete(s.sessions, hash)
			ended = append(ended, x.ID)
		}
	}
	return ended, nil
}

func (s *memory) Sessions(
	_ context.Context, subscriberID core.ID, _ time.Time, _ core.Page,
) (list []core.Session, total int64, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, x := range s.sessions {
		if x.SubscriberID == subscriberID {
			list = append(list, x)
		}
	}
	return list, int64(len(list)), nil
}

func (s *memory) SignIn(_ context.Context, p core.Profile, up core.SignUp, now time.Time) (core.Subscriber, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.broken {
		return core.Subscriber{}, core.Unavailable(nil)
	}
	x, ok := s.subscribers[p.Issuer+" "+p.Subject]
	if !ok && !up.Open && !s.invitations[string(up.InvitationHash)] {
		return core.Subscriber{}, core.ErrUninvited()
	}
	if !ok {
		x = core.Subscriber{ID: core.NewID(), Email: p.Email, Locale: p.Locale, CreatedAt: now}
	}
	x.OnboardedAt = s.onboarded
	s.subscribers[p.Issuer+" "+p.Subject] = x
	return x, nil
}

func (s *memory) AddIdentity(_ context.Context, id core.ID, p core.Profile, _ time.Time) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.subscribers[p.Issuer+" "+p.Subject]; ok {
		return core.ErrIdentityTaken()
	}
	s.subscribers[p.Issuer+" "+p.Subject] = core.Subscriber{ID: id, Email: p.Email}
	return nil
}

// emailSignIn is a sign-in by email with its attempts.
type emailSignIn struct {
	core.EmailSignIn
	attempts int
	used     bool
}

func (s *memory) BeginEmailSignIn(_ context.Context, in core.EmailSignIn, _ core.EmailCodeLimits) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.emails = append(s.emails, &emailSignIn{EmailSignIn: in})
	return nil
}

func (s *memory) TryEmailSignIn(
	_ context.Context, id core.ID, right bool, now time.Time,
) (core.EmailSignIn, int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, e := range s.emails {
		if e.ID == id && !e.used && e.attempts < core.EmailCodeTries && now.Before(e.ExpiresAt) {
			e.attempts, e.used = e.attempts+1, right
			return e.EmailSignIn, core.EmailCodeTries - e.attempts, nil
		}
	}
	return core.EmailSignIn{}, 0, core.NotFound()
}

func (s *memory) ChannelReset(context.Context, core.ID)         {}
func (s *memory) ChannelLeft(context.Context, core.ID)          {}
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

func (s *memory) RememberBrowser(_ context.Context, x core.Session, previous, hash []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.known == nil {
		s.known = map[string][]core.Session{}
	}
	same := func(o core.Session) bool { return o.SubscriberID == x.SubscriberID }
	moved := slices.DeleteFunc(s.known[string(previous)], same)
	delete(s.known, string(previous))
	s.known[string(hash)] = append(moved, x)
	return nil
}

func (s *memory) ForgetBrowser(_ context.Context, subscriberID, sessionID core.ID) error {
	s.forget(func(x core.Session) bool { return x.SubscriberID == subscriberID && x.ID == sessionID })
	return nil
}

func (s *memory) ForgetOtherBrowsers(_ context.Context, subscriberID, sessionID core.ID) error {
	s.forget(func(x core.Session) bool { return x.SubscriberID == subscriberID && x.ID != sessionID })
	return nil
}

func (s *memory) forget(these func(core.Session) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for hash := range s.known {
		s.known[hash] = slices.DeleteFunc(s.known[hash], these)
	}
}

// knows returns the people whom a browser's secret stands for.
func (s *memory) knows(secret string) (people []core.ID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, x := range s.known[string(core.HashSecret(secret))] {
		people = append(people, x.SubscriberID)
	}
	return people
}
