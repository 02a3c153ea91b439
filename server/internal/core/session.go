package core

import (
	"context"
	"time"
)

// Session is a browser in which a subscriber is signed in.
type Session struct {
	ID           ID
	SubscriberID ID
	DeviceID     *ID
	CreatedAt    time.Time
	SeenAt       time.Time
}

// The lifetimes of a session without use and in total.
const (
	SessionIdle = 30 * 24 * time.Hour
	SessionLife = 90 * 24 * time.Hour
)

// Alive reports whether the session has not expired at now.
func (s Session) Alive(now time.Time) bool {
	return now.Sub(s.SeenAt) < SessionIdle && now.Sub(s.CreatedAt) < SessionLife
}

// ErrSessionEnded returns the error for a session that has ended.
func ErrSessionEnded() *Error {
	return Unauthenticated(Text{
		EN: "The session has ended. Sign in again.", PT: "A sessão terminou. Inicie sessão de novo.",
	})
}

// SessionStore keeps sessions by the hash of their secret.
type SessionStore interface {
	CreateSession(ctx context.Context, s Session, hash []byte) error
	// SessionBySecret fails with CodeNotFound when there is no such session.
	SessionBySecret(ctx context.Context, hash []byte) (Session, error)
	TouchSession(ctx context.Context, id ID, now time.Time) error
	// EndSession deletes the session and retires its device.
	EndSession(ctx context.Context, id ID, now time.Time) error
}
