package delivery

import (
	"slices"
	"sync"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

const (
	manyServices = 10_000
	// A push service is paused when at least this many people's devices fail alike, and half of those tried lately. One
	// person's devices, whatever they are, pause nothing.
	failAlike   = 3
	triedLately = 2 * time.Minute
	mostTried   = 64
	probeEvery  = 5 * time.Second
)

// pauses are for how long a push service is paused that does not say it, by the cause.
var pauses = map[string]time.Duration{
	core.CauseQuota:       time.Minute,
	core.CauseUnavailable: 10 * time.Second,
	core.CauseCredentials: 30 * time.Second,
}

// services is what this node knows of push services, by name.
type services struct {
	mu    sync.Mutex
	known map[string]*service
}

type service struct {
	pausedAt, pausedUntil time.Time
	probedAt              time.Time
	tried                 []tried // the latest result of each person, the latest last
	granted               int     // pushes that were reserved and not sent
}

type tried struct {
	person core.ID
	cause  string // "": it was accepted
	wait   time.Duration
	at     time.Time
}

// get returns a push service. The caller must hold the lock.
func (s *services) get(name string) *service {
	if known := s.known[name]; known != nil {
		return known
	}
	if s.known == nil || len(s.known) >= manyServices {
		s.known = map[string]*service{}
	}
	s.known[name] = &service{}
	return s.known[name]
}

// note keeps a person's latest result.
func (s *service) note(t tried) {
	s.tried = slices.DeleteFunc(s.tried, func(old tried) bool {
		return old.person == t.person || t.at.Sub(old.at) > triedLately
	})
	if len(s.tried) >= mostTried {
		s.tried = slices.Delete(s.tried, 0, 1)
	}
	s.tried = append(s.tried, t)
}

// accepted keeps that a push was accepted. It reports whether that ends a pause: the push was sent after it began.
func (s *services) accepted(name string, person core.ID, sentAt time.Time) (resumed bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	known, now := s.get(name), time.Now()
	known.note(tried{person: person, at: now})
	if name == core.ServiceFCM || !now.Before(known.pausedUntil) || sentAt.Before(known.pausedAt) {
		return false
	}
	known.pausedUntil = time.Time{}
	known.tried = slices.DeleteFunc(known.tried, func(t tried) bool { return t.cause != "" })
	return true
}

// failed keeps that a push failed, and returns for how long the push service is to be paused.
func (s *services) failed(name string, person core.ID, r core.Result, now time.Time) (pause time.Duration) {
	usual, pausing := pauses[r.Cause]
	if !pausing || r.Final() {
		return 0
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	known := s.get(name)
	known.note(tried{person, r.Cause, r.Wait, now})
	alike, shortest := 0, time.Duration(0)
	for _, t := range known.tried {
		if t.cause != r.Cause {
			continue
		}
		alike++
		if shortest == 0 || t.wait < shortest {
			shortest = t.wait
		}
	}
	if alike < failAlike || 2*alike < len(known.tried) {
		return 0
	}
	return max(usual, shortest)
}

// pause pauses a push service on this node.
func (s *services) pause(name string, until, now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	known := s.get(name)
	if !now.Before(known.pausedUntil) {
		known.pausedAt = now
	}
	known.pausedUntil = until
}

// know keeps the pauses of all nodes.
func (s *services) know(left map[string]time.Duration, now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for name, known := range s.known {
		if _, ok := left[name]; !ok && now.Sub(known.pausedAt) > time.Second { // a younger one may not be stored yet
			known.pausedUntil = time.Time{}
		}
	}
	for name, d := range left {
		known := s.get(name)
		if !now.Before(known.pausedUntil) {
			known.pausedAt = now
		}
		known.pausedUntil = now.Add(d)
	}
}

// paused returns for how long a push service is paused. During a pause one push is let through now and then, to a
// device that has worked before: if it is accepted, the pause ends. FCM says itself when it is to be tried again.
func (s *services) paused(name string, now time.Time) (left time.Duration, probe bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	known := s.known[name]
	if known == nil || !now.Before(known.pausedUntil) {
		return 0, false
	}
	return known.pausedUntil.Sub(now), name != core.ServiceFCM && now.Sub(known.probedAt) >= probeEvery
}

// probed keeps that a probe is sent.
func (s *services) probed(name string, now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.get(name).probedAt = now
}

// grant takes up to n of the pushes that were reserved.
func (s *services) grant(name string, n int) (granted int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	known := s.get(name)
	granted = min(n, known.granted)
	known.granted -= granted
	return granted
}

// giveBack gives back pushes that were reserved and not sent.
func (s *services) giveBack(name string, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	known := s.get(name)
	known.granted = min(known.granted+n, batchSize)
}
