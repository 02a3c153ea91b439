package core

import (
	"context"
	"time"
)

// Session is a browser in which a subscriber is signed in.
type Session struct {
	ID           ID
	SubscriberID ID
	Anonymous    bool // the subscriber is
	DeviceID     *ID
	Client       Client // at its last use
	CreatedAt    time.Time
	SeenAt       time.Time
}

// Client is what people recognize a browser by. Fields that are not known are empty.
type Client struct {
	Browser string // for example Firefox
	System  string // for example Android
	Network string // its IPv4 address, or the /64 of its IPv6 address
}

// The lifetimes of a session without use and in total. That of an anonymous subscriber lives as long as they do.
const (
	SessionIdle = 30 * 24 * time.Hour
	SessionLife = 90 * 24 * time.Hour
)

// EndsAt returns the time at which the session ends if it is not used again.
func (s Session) EndsAt() time.Time {
	if s.Anonymous {
		return s.SeenAt.Add(AnonymousKept)
	}
	idle, end := s.SeenAt.Add(SessionIdle), s.CreatedAt.Add(SessionLife)
	if idle.Before(end) {
		return idle
	}
	return end
}

// Alive reports whether the session has not expired at now. That of an anonymous subscriber is alive until they are
// deleted, some time after its end.
func (s Session) Alive(now time.Time) bool { return s.Anonymous || now.Before(s.EndsAt()) }

// ErrSessionEnded returns the error for a session that has ended.
func ErrSessionEnded() *Error {
	return Unauthenticated(Text{
		EN: "The session has ended. Sign in again.", PT: "A sessão terminou. Entre novamente.",
	})
}

// SessionStore keeps sessions by the hash of their secret.
type SessionStore interface {
	CreateSession(ctx context.Context, s Session, hash []byte) error
	// SessionBySecret fails with CodeNotFound when there is no such session.
	SessionBySecret(ctx context.Context, hash []byte) (Session, error)
	// Sessions returns a person's sessions that are alive at now, most recently used first.
	Sessions(ctx context.Context, subscriberID ID, now time.Time, page Page) (data []Session, total int64, err error)
	// TouchSession records a use of the session.
	TouchSession(ctx context.Context, id ID, by Client, now time.Time) error
	// EndSession deletes a person's session and retires its device. It fails with CodeNotFound when there is none.
	EndSession(ctx context.Context, subscriberID, id ID, now time.Time) error
	// EndSessions does the same with all the person's sessions but one, and returns their ids.
	EndSessions(ctx context.Context, subscriberID, except ID, now time.Time) (ended []ID, err error)
}
