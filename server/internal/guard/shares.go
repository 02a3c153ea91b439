package guard

import (
	"context"
	"slices"
	"sync"
)

// Shares are parts of a whole that holders take and give back. No holder has more than a part of it at once. Those who
// have to wait are served in turn by holder, so that one who asks often waits for themselves alone. It is safe for
// concurrent use.
type Shares[K comparable] struct {
	total, each int64

	mu      sync.Mutex
	used    int64
	holders map[K]*holder[K]
	waiting []*holder[K] // in the order of their turns
}

type holder[K comparable] struct {
	key   K
	used  int64
	asked []*request // in the order in which they asked
}

type request struct {
	size    int64
	granted chan struct{} // closed with Shares.mu
}

// NewShares returns shares of a total, of which a holder has at most each at once.
func NewShares[K comparable](total, each int64) *Shares[K] {
	return &Shares[K]{total: total, each: min(each, total), holders: map[K]*holder[K]{}}
}

// Take waits until the holder has a share of the given size, or of as much as one may have if that is less. The caller
// must call release once. It fails only when ctx is done.
func (s *Shares[K]) Take(ctx context.Context, key K, size int64) (release func(), err error) {
	r := &request{size: min(size, s.each), granted: make(chan struct{})}
	h := s.ask(key, r)
	select {
	case <-r.granted:
		return func() { s.giveBack(h, r.size) }, nil
	case <-ctx.Done():
	}
	if s.withdraw(h, r) {
		return nil, ctx.Err()
	}
	return func() { s.giveBack(h, r.size) }, nil // granted meanwhile
}

// Try takes a share if there is one now, as Take does.
func (s *Shares[K]) Try(key K, size int64) (release func(), ok bool) {
	ended, end := context.WithCancel(context.Background())
	end()
	release, err := s.Take(ended, key, size)
	return release, err == nil
}

// Used returns how much is taken.
func (s *Shares[K]) Used() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.used
}

// Waiting returns how many requests wait.
func (s *Shares[K]) Waiting() (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, h := range s.waiting {
		n += len(h.asked)
	}
	return n
}

func (s *Shares[K]) ask(key K, r *request) *holder[K] {
	s.mu.Lock()
	defer s.mu.Unlock()
	h := s.holders[key]
	if h == nil {
		h = &holder[K]{key: key}
		s.holders[key] = h
	}
	if h.asked = append(h.asked, r); len(h.asked) == 1 {
		s.waiting = append(s.waiting, h)
	}
	s.grant()
	return h
}

// withdraw reports whether the request still waited.
func (s *Shares[K]) withdraw(h *holder[K], r *request) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.Index(h.asked, r)
	if i < 0 {
		return false
	}
	if h.asked = slices.Delete(h.asked, i, i+1); len(h.asked) == 0 {
		s.waiting = slices.DeleteFunc(s.waiting, func(other *holder[K]) bool { return other == h })
	}
	s.forget(h)
	s.grant() // it may have stood before a smaller one
	return true
}

func (s *Shares[K]) giveBack(h *holder[K], size int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.used -= size
	h.used -= size
	s.forget(h)
	s.grant()
}

func (s *Shares[K]) forget(h *holder[K]) {
	if h.used == 0 && len(h.asked) == 0 {
		delete(s.holders, h.key)
	}
}

// grant serves holders in turn while there is room. One who has as much as a holder may have is passed over; one for
// whom there is no room is not, because smaller requests would otherwise keep a large one waiting for ever.
func (s *Shares[K]) grant() {
	for i := 0; i < len(s.waiting); {
		h := s.waiting[i]
		r := h.asked[0]
		if h.used+r.size > s.each {
			i++
			continue
		}
		if s.used+r.size > s.total {
			return
		}
		s.used += r.size
		h.used += r.size
		close(r.granted)
		s.waiting = slices.Delete(s.waiting, i, i+1)
		if h.asked = h.asked[1:]; len(h.asked) > 0 {
			s.waiting = append(s.waiting, h)
		}
	}
}
