package session

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"slices"
	"time"
)

const (
	pendingCookie = "__Host-sininho-oauth"
	pendingFor    = 10 * time.Minute
	// A browser may have several tabs signing in at once; older ones are forgotten, for a cookie has 4,096 bytes at most.
	pendingKept = 3
)

// pending is a sign-in that has begun.
type pending struct {
	State    string    `json:"s"`
	Verifier string    `json:"v"`
	Path     string    `json:"p"`
	Until    time.Time `json:"u"`
}

// pendings reads the sign-ins that this browser has begun and that may still be finished. A cookie that is not ours, or
// of another key, holds none.
func (m *Manager) pendings(r *http.Request) (list []pending) {
	c, err := r.Cookie(pendingCookie)
	if err != nil {
		return nil
	}
	sealed, err := base64.RawURLEncoding.DecodeString(c.Value)
	if err != nil {
		return nil
	}
	plain, err := m.sealer.Open(sealed)
	if err != nil || json.Unmarshal(plain, &list) != nil {
		return nil
	}
	now := m.Now()
	return slices.DeleteFunc(list, func(p pending) bool { return !p.Until.After(now) })
}

// remember is the cookie that holds the latest of these sign-ins.
func (m *Manager) remember(list []pending) *http.Cookie {
	if len(list) == 0 {
		return cookie(pendingCookie, "", -time.Second)
	}
	list = list[max(len(list)-pendingKept, 0):]
	plain, err := json.Marshal(list)
	if err != nil {
		panic(err) // never: it is made of texts and times of this era
	}
	return cookie(pendingCookie, base64.RawURLEncoding.EncodeToString(m.sealer.Seal(plain)), pendingFor)
}

// take finds a sign-in by its state, once, and answers what is left.
func (m *Manager) take(list []pending, state string) (p pending, rest []pending, ok bool) {
	i := slices.IndexFunc(list, func(p pending) bool { return p.State == state })
	if i < 0 {
		return pending{}, list, false
	}
	p = list[i] // first: Delete moves what follows
	rest = slices.Delete(list, i, i+1)
	m.using.Lock()
	defer m.using.Unlock()
	if m.used.Contains(state) {
		return pending{}, rest, false
	}
	m.used.Add(state, struct{}{})
	return p, rest, true
}
