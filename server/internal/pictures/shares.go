package pictures

import (
	"context"
	"sync"
)

// shares limits how much each key has at a time. It knows only keys in use.
type shares[K comparable] struct {
	each int

	mu  sync.Mutex
	all map[K]*share
}

type share struct {
	slots chan struct{}
	users int // those that have a slot or wait for one
}

func newShares[K comparable](each int) *shares[K] { return &shares[K]{each: each, all: map[K]*share{}} }

// enter waits for a slot. The caller calls leave after that.
func (s *shares[K]) enter(ctx context.Context, key K) (leave func(), err error) {
	s.mu.Lock()
	at := s.all[key]
	if at == nil {
		at = &share{slots: make(chan struct{}, s.each)}
		s.all[key] = at
	}
	at.users++
	s.mu.Unlock()
	forget := func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if at.users--; at.users == 0 {
			delete(s.all, key)
		}
	}
	select {
	case at.slots <- struct{}{}:
		return func() { <-at.slots; forget() }, nil
	case <-ctx.Done():
		forget()
		return nil, ctx.Err()
	}
}
