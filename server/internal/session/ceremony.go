package session

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"slices"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

const (
	ceremonyCookie = "__Host-sininho-passkey"
	ceremoniesKept = 3 // a browser may have several tabs signing in at once
)

// purpose is what an answer of an authenticator is for. An answer for one is never taken for another.
type purpose string

const (
	signingIn purpose = "in"
	signingUp purpose = "up"
	adding    purpose = "add"
)

// ceremony is a challenge that waits for the answer of an authenticator.
type ceremony struct {
	For       purpose   `json:"f"`
	Challenge string    `json:"c"` // in base64url
	Until     time.Time `json:"u"`
	Path      string    `json:"p,omitempty"`
	// Handle is that of the account that the new passkey is for.
	Handle []byte `json:"h,omitempty"`
	// Adds is the subscriber to whom the passkey is added.
	Adds core.ID `json:"a,omitzero"`
	// Saves is the anonymous subscriber of the browser, whose channels the account gets, or zero. No other site can
	// have a person answer with a passkey of this one, so they need not ask for it.
	Saves core.ID `json:"s,omitzero"`
	// Name is that of the person who signs up.
	Name string `json:"n,omitempty"`
	// Invitation and OperatorLink are what the person came with.
	Invitation   string `json:"i,omitempty"`
	OperatorLink string `json:"o,omitempty"`
}

// pending returns the sign-in for the pages that show how it ended.
func (c ceremony) pending() pending {
	return pending{Path: c.Path, Invitation: c.Invitation, Issuer: core.IssuerPasskey, Saves: c.Saves}
}

// ceremonies returns those of this browser that have not expired.
func (m *Manager) ceremonies(r *http.Request) (list []ceremony) {
	if !m.open(r, ceremonyCookie, &list) {
		return nil
	}
	now := m.Now()
	return slices.DeleteFunc(list, func(c ceremony) bool { return !c.Until.After(now) })
}

// rememberCeremony returns the cookie by which only this browser can answer a challenge, with as many of the earlier
// ones as fit. One always fits: a path has at most maxPath bytes, and a name 200 characters.
func (m *Manager) rememberCeremony(r *http.Request, c ceremony) *http.Cookie {
	list := append(m.ceremonies(r), c)
	for list = list[max(len(list)-ceremoniesKept, 0):]; len(list) > 1; list = list[1:] {
		if c := cookie(ceremonyCookie, m.seal(list), core.PasskeyChallengeLife); len(c.String()) <= maxCookie {
			return c
		}
	}
	return cookie(ceremonyCookie, m.seal(list), core.PasskeyChallengeLife)
}

// takeCeremony returns the ceremony of this browser with a challenge, only once on all nodes. It fails with
// ErrNoPasskeyChallenge when there is none.
func (m *Manager) takeCeremony(r *http.Request, why purpose, challenge string) (ceremony, error) {
	list := m.ceremonies(r)
	i := slices.IndexFunc(list, func(c ceremony) bool { return c.For == why && c.Challenge == challenge })
	raw, err := base64.RawURLEncoding.DecodeString(challenge)
	if i < 0 || err != nil || len(raw) == 0 {
		return ceremony{}, core.ErrNoPasskeyChallenge()
	}
	hash := sha256.Sum256(raw)
	return list[i], m.Store.UseChallenge(r.Context(), hash[:], list[i].Until)
}
