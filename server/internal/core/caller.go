package core

import (
	"cmp"
	"time"
)

// CallerKind is the kind of a caller.
type CallerKind string

// The kinds of caller.
const (
	CallerVisitor    CallerKind = "visitor"
	CallerSubscriber CallerKind = "subscriber"
	CallerPublisher  CallerKind = "publisher"
)

// Caller identifies the origin of a request. The zero Caller is a visitor.
type Caller struct {
	Kind         CallerKind
	SubscriberID ID         // set for a subscriber
	SessionID    ID         // set for a subscriber with a session
	Anonymous    bool       // set for an anonymous subscriber
	DeviceID     *ID        // the device of the session; nil if none is registered
	TokenID      ID         // set for a program that uses a subscriber's access token
	ExpiresAt    *time.Time // when the access token or API key expires; nil for never
	PublisherID  ID         // set for an API key
	AccountID    ID         // that answers for the publisher: a person, or the publisher itself if it has no owner
	KeyID        ID
	Scopes       []Scope // of the access token or API key
}

// Identity returns a string that identifies the caller for idempotency and limits; it is empty for a visitor.
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

// Account returns the id of the person, or of whoever answers for the publisher; it is zero for a visitor.
func (c Caller) Account() ID {
	if c.Is(CallerPublisher) {
		return c.AccountID
	}
	return c.SubscriberID
}

// Credential returns the id of the session, access token or API key; it is zero for a visitor.
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

// ByToken reports whether the caller is a program that acts for the subscriber with an access token.
func (c Caller) ByToken() bool { return c.TokenID != ID{} }

// Is reports whether the caller is of that kind.
func (c Caller) Is(kind CallerKind) bool { return cmp.Or(c.Kind, CallerVisitor) == kind }
