package openid

import (
	"crypto/rand"
	"sync"
	"time"
)

// vault keeps values under random secrets, each for the same time.
type vault[T any] struct {
	prefix string
	life   time.Duration

	mu    sync.Mutex
	kept  map[string]entry[T]
	order []string // secrets by age, including those already taken
}

type entry[T any] struct {
	value T
	until time.Time
}

func newVault[T any](prefix string, life time.Duration) *vault[T] {
	return &vault[T]{prefix: prefix, life: life, kept: map[string]entry[T]{}}
}

// put keeps a value and returns its secret.
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

// get returns the value kept under a secret without removing it.
func (v *vault[T]) get(secret string) (value T, ok bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	e, ok := v.kept[secret]
	if !ok || !time.Now().Before(e.until) {
		return value, false
	}
	return e.value, true
}

// take returns the value kept under a secret and removes it.
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

// dropOld removes expired values. All live equally long, so it stops at the first valid one from the oldest on.
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
