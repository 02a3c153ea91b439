package core

import (
	"context"
	"time"
)

// An anonymous subscriber has no account: no identity, address or name. Only the session of one browser knows them, and
// there is no way back to them once that has ended.

const (
	// AnonymousKept is how long an anonymous subscriber is kept whom nobody uses. Use is a request with their session,
	// which their service worker makes too when it has shown a push.
	AnonymousKept = 60 * 24 * time.Hour
	// AnonymousWarning is how long before that their devices are pushed a word about it.
	AnonymousWarning = 7 * 24 * time.Hour
	// EmptyAnonymousKept is how long one is kept who follows nothing, and so has nothing to lose.
	EmptyAnonymousKept = 24 * time.Hour
	// AnonymousCookieLife is the longest that browsers keep a cookie.
	AnonymousCookieLife = 400 * 24 * time.Hour
)

// NewUnusedWarning returns the push that tells an anonymous subscriber, in a language, that what they follow is deleted
// unless they use it.
func NewUnusedWarning(id ID, in Language, now time.Time) Push {
	text := pushTexts.In(in)
	return Push{ID: id.String(), Title: text.unused, Body: text.unusedBody, Quiet: true,
		Expires: now.Add(AnonymousWarning)}
}

// ErrAccountRequired returns the error for what an anonymous subscriber may not do.
func ErrAccountRequired() *Error {
	return &Error{Code: CodeForbidden, Reason: "account_required", Detail: Text{
		EN: "This needs an account. Save what you follow to your account first.",
		PT: "Isto precisa de uma conta. Primeiro, guarde na sua conta o que segue."}}
}

// AnonymousStore keeps anonymous subscribers.
type AnonymousStore interface {
	// CreateAnonymous creates an anonymous subscriber, who reads in a language, with their session.
	CreateAnonymous(ctx context.Context, in Language, s Session, hash []byte) error
	// SaveAnonymous moves what an anonymous subscriber has into an account, deletes them, and starts the session in
	// their place, all at once. It returns the ids of the sessions that ended. It fails with CodeNotFound when the
	// anonymous subscriber or the account does not exist any more, and as Caps.Err does when the account would have too
	// much; then everything stays as it was.
	SaveAnonymous(ctx context.Context, in Saving, now time.Time) (ended []ID, err error)
}

// Saving is what an anonymous subscriber has, on its way into an account.
type Saving struct {
	AnonymousID ID
	Session     Session // of the account
	Hash        []byte
	New         bool // the account has no preferences yet, and takes those of the anonymous subscriber
}

// Both returns the subscription of somebody who followed a channel with an account and without one. Of the bells the
// louder one remains, so that nothing falls silent which has rung.
func (s Subscription) Both(o Subscription, now time.Time) Subscription {
	if o.Bell.loudness() > s.Bell.loudness() {
		s.Bell = o.Bell
	}
	switch {
	case !isMuted(s.MutedUntil, now) || !isMuted(o.MutedUntil, now):
		s.MutedUntil = nil
	case o.MutedUntil.Before(*s.MutedUntil):
		s.MutedUntil = o.MutedUntil
	}
	if o.FollowedAt.Before(s.FollowedAt) {
		s.FollowedAt = o.FollowedAt
	}
	return s
}

func isMuted(until *time.Time, now time.Time) bool { return until != nil && until.After(now) }
