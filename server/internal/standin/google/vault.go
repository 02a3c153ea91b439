package google

import (
	"crypto/rand"
	"sync"
	"time"
)

// vault keeps values under secrets of its own making, each for the same time.
type vault[T any] struct {
	prefix string
	life   time.Duration

	mu    sync.Mutex
	kept  map[string]entry[T]
	order []string // secrets by age, those already taken among them
}

type entry[T any] struct {
	value T
	until time.Time
}

func newVault[T any](prefix string, life time.Duration) *vault[T] {
	return &vault[T]{prefix: prefix, life: life, kept: map[string]entry[T]{}}
}

// put keeps a value and answers its secret.
func (v *vault[T]) put(value T) string {
	secret := v.prefix + rand.Text()
	v.mu.Lock()
	defer v.mu.Unlock()
	now := time.Now()
	v.dropOld(now)
	v.kept[secret] = entry[T]{value, now.Add(v.life)}
	v.order = append(v.order, secret)
	return secret
}

// get answers what is kept under a secret, and leaves it there.
func (v *vault[T]) get(secret string) (value T, ok bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	e, ok := v.kept[secret]
	if !ok || !time.Now().Before(e.until) {
		return value, false
	}
	return e.value, true
}

// take is get for a value that may be had only once.
func (v *vault[T]) take(secret string) (value T, ok bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	e, ok := v.kept[secret]
	delete(v.kept, secret)
	if !ok || !time.Now().Before(e.until) {
		return value, false
	}
	return e.value, true
}

// dropOld makes room. All live equally long, so the oldest end first, and one still good ends the search.
func (v *vault[T]) dropOld(now time.Time) {
	n := 0
	for ; n < len(v.order); n++ {
		if e, ok := v.kept[v.order[n]]; ok && now.Before(e.until) {
			break
		}
		delete(v.kept, v.order[n])
	}
	v.order = v.order[n:]
}
