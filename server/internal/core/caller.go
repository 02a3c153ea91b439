package core

import (
	"cmp"
	"slices"
	"time"
)

// CallerKind is what sort of caller makes a request.
type CallerKind string

// The sorts of caller.
const (
	CallerVisitor    CallerKind = "visitor"
	CallerSubscriber CallerKind = "subscriber"
	CallerPublisher  CallerKind = "publisher"
)

// Caller is who makes a request. The zero Caller is a visitor.
type Caller struct {
	Kind         CallerKind
	SubscriberID ID         // of a subscriber
	SessionID    ID         // of a subscriber who has a session,
	DeviceID     *ID        // with its device, if it has registered one
	TokenID      ID         // of a subscriber for whom a program acts
	ExpiresAt    *time.Time // when the token or key ends, if it does
	PublisherID  ID         // of an API key
	KeyID        ID
	Scopes       []Scope
}

// Identity names the caller for idempotency and limits; it is empty for a visitor.
func (c Caller) Identity() string {
	switch c.Kind {
	case CallerSubscriber:
		return "subscriber:" + c.SubscriberID.String()
	case CallerPublisher:
		return "key:" + c.KeyID.String()
	default:
		return ""
	}
}

// Credential is the id of the session, access token or API key; it is zero for a visitor.
func (c Caller) Credential() ID {
	switch {
	case c.Is(CallerPublisher):
		return c.KeyID
	case c.ByToken():
		return c.TokenID
	default:
		return c.SessionID
	}
}

// ByToken reports whether a program acts for the subscriber, with an access token.
func (c Caller) ByToken() bool { return c.TokenID != ID{} }

// Is reports whether the caller is of that kind.
func (c Caller) Is(kind CallerKind) bool { return cmp.Or(c.Kind, CallerVisitor) == kind }

// HasScope reports whether the caller's key has the scope. Subscribers have every scope; what they may do
// is decided by their memberships.
func (c Caller) HasScope(s Scope) bool {
	return c.Kind == CallerSubscriber || slices.Contains(c.Scopes, s)
}
