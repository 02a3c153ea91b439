package session

import (
	"net/http"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

const (
	suspensionCookie = "__Host-sininho-suspension"
	suspensionFor    = 10 * time.Minute
	// maxShownReason keeps the cookie within maxCookie, whatever characters the reason has.
	maxShownReason = 2500 // bytes
)

// refusal is a sign-in that was refused because the account is suspended.
type refusal struct {
	core.Suspension
	Until time.Time `json:"until"`
}

// rememberSuspension returns the cookie that lets the browser show why its sign-in was refused. The reason is not in
// the address of the page, where anyone could write one.
func (m *Manager) rememberSuspension(s core.Suspension) *http.Cookie {
	for len(s.Reason) > maxShownReason {
		runes := []rune(s.Reason)
		s.Reason = string(runes[:len(runes)*9/10]) + "…"
	}
	return cookie(suspensionCookie, m.seal(refusal{s, m.Now().Add(suspensionFor)}), suspensionFor)
}

// Suspension returns why the last sign-in of the browser was refused, or nil.
func (m *Manager) Suspension(r *http.Request) *core.Suspension {
	var last refusal
	if !m.open(r, suspensionCookie, &last) || !last.Until.After(m.Now()) {
		return nil
	}
	return &last.Suspension
}
