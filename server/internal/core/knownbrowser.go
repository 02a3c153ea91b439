package core

import (
	"context"
	"time"
)

// KnownBrowserStore remembers in which browsers people have signed in. Such a browser keeps the codes of its person
// that strangers who ask for codes cannot use up. Its secret signs nobody in.
type KnownBrowserStore interface {
	// RememberBrowser remembers the browser of a new session by the hash of a new secret. Everybody who is remembered
	// by its previous secret moves to the new one.
	RememberBrowser(ctx context.Context, s Session, previous, hash []byte) error
	// ForgetBrowser forgets the browser of a person's session.
	ForgetBrowser(ctx context.Context, subscriberID, sessionID ID) error
	// ForgetOtherBrowsers forgets all of a person's browsers but the one of a session.
	ForgetOtherBrowsers(ctx context.Context, subscriberID, sessionID ID) error
}

// KnownBrowserLife is how long a browser is remembered after a sign-in. Browsers keep no cookie longer.
const KnownBrowserLife = 400 * 24 * time.Hour

// KnownBrowsersKept is how many browsers of one person are remembered, the latest ones.
const KnownBrowsersKept = 50
