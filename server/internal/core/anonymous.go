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
	// EmptyAnonymousKept is how long one is kept who follows nothing, and so has nothing to lose.
	EmptyAnonymousKept = 24 * time.Hour
	// AnonymousCookieLife is the longest that browsers keep a cookie.
	AnonymousCookieLife = 400 * 24 * time.Hour
)

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
}
