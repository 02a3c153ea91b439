package session

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"slices"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

const (
	pendingCookie = "__Host-sininho-oauth"
	pendingFor    = 10 * time.Minute
	pendingKept   = 3    // a browser may have several tabs signing in at once
	maxCookie     = 4096 // bytes that browsers accept, including name and attributes
)

// pending is a sign-in that has begun and not finished.
type pending struct {
	State    string    `json:"s"`
	Verifier string    `json:"v"`
	Path     string    `json:"p"`
	Until    time.Time `json:"u"`
	// Invitation is the token of the invitation that the browser came with, or empty.
	Invitation string `json:"i,omitempty"`
	Issuer     string `json:"o"`
	// Adds is the subscriber to whom the identity is added, or zero to sign in.
	Adds core.ID `json:"a,omitzero"`
	// Saves is the anonymous subscriber who asked to save what they have in the account, or zero.
	Saves core.ID `json:"w,omitzero"`
}

// nonce returns what an ID token has to repeat. It is derived from the verifier, which only this server knows.
func (p pending) nonce() string {
	sum := sha256.Sum256([]byte("nonce " + p.Verifier))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// by returns the sign-in of a caller: a visitor signs in, a subscriber adds an identity, and an anonymous one saves
// what they have.
func (p pending) by(c core.Caller) pending {
	if c.Anonymous {
		p.Saves = c.SubscriberID
	} else {
		p.Adds = c.SubscriberID
	}
	return p
}

// failure returns the page that shows why it failed.
func (p pending) failure(why string) string {
	if p.Adds != (core.ID{}) {
		return withQuery(p.Path, "error", why)
	}
	return failure(why, p.Path, p.Invitation)
}

// pendings returns the sign-ins that this browser has begun and that have not expired. It returns none for a cookie
// that Sininho did not issue or that was encrypted with another key.
func (m *Manager) pendings(r *http.Request) (list []pending) {
	if !m.open(r, pendingCookie, &list) {
		return nil
	}
	now := m.Now()
	return slices.DeleteFunc(list, func(p pending) bool { return !p.Until.After(now) })
}

// open reads the content of a sealed cookie, and reports whether there is one.
func (m *Manager) open(r *http.Request, name string, content any) bool {
	c, err := r.Cookie(name)
	if err != nil {
		return false
	}
	sealed, err := base64.RawURLEncoding.DecodeString(c.Value)
	if err != nil {
		return false
	}
	plain, err := m.sealer.Open(sealed)
	return err == nil && json.Unmarshal(plain, content) == nil
}

// remember returns the cookie with the latest of these sign-ins, as many as fit. One always fits: a path has at most
// maxPath bytes, which JSON at most doubles, and an invitation has at most maxInvitation characters.
func (m *Manager) remember(list []pending) *http.Cookie {
	for list = list[max(len(list)-pendingKept, 0):]; len(list) > 0; list = list[1:] {
		if c := cookie(pendingCookie, m.seal(list), pendingFor); len(c.String()) <= maxCookie {
			return c
		}
	}
	return cookie(pendingCookie, "", -time.Second)
}

func (m *Manager) seal(content any) string {
	var plain bytes.Buffer
	e := json.NewEncoder(&plain)
	e.SetEscapeHTML(false) // escaping would turn every & in a path into six bytes
	if err := e.Encode(content); err != nil {
		panic(err) // cannot fail: only strings and times within the range of RFC 3339
	}
	return base64.RawURLEncoding.EncodeToString(m.sealer.Seal(plain.Bytes()))
}

// take returns the sign-in with this state, only once, and the remaining ones.
func (m *Manager) take(list []pending, state string) (p pending, rest []pending, ok bool) {
	i := slices.IndexFunc(list, func(p pending) bool { return p.State == state })
	if i < 0 {
		return pending{}, list, false
	}
	p = list[i] // before Delete shifts the elements
	rest = slices.Delete(list, i, i+1)
	m.using.Lock()
	defer m.using.Unlock()
	if m.used.Contains(state) {
		return pending{}, rest, false
	}
	m.used.Add(state, struct{}{})
	return p, rest, true
}
