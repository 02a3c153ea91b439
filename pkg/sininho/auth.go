package sininho

import (
	"context"
	"time"

	"github.com/sininho/sininho/pkg/api"
)

// AuthService tells who is calling, and signs out (API: /auth).
type AuthService struct{ api *api.Client }

// CallerKind is the kind of a caller.
type CallerKind string

// A caller without a credential is a visitor, one with an access token a subscriber, and one
// with an API key a publisher.
const (
	CallerVisitor    CallerKind = "visitor"
	CallerSubscriber CallerKind = "subscriber"
	CallerPublisher  CallerKind = "publisher"
)

// Scope is something that an API key may do.
type Scope string

// The scopes of API keys. Others may come.
const (
	ScopePublish  Scope = "publish"
	ScopeChannels Scope = "channels"
	ScopeRead     Scope = "read"
)

// Caller is who is calling.
type Caller struct {
	Kind CallerKind `json:"caller"`
	// Publisher and Scopes are set for an API key.
	Publisher *PublisherRef `json:"publisher,omitempty"`
	Scopes    []Scope       `json:"scopes,omitempty"`
	// Subscriber is set for a signed-in person.
	Subscriber *Subscriber `json:"subscriber,omitempty"`
	// ExpiresAt is when the access token or API key expires; zero when it does not.
	ExpiresAt time.Time `json:"expiresAt,omitzero"`
	// SignInMethods are the ways for a person to sign in.
	SignInMethods []SignInMethod `json:"signInMethods"`
}

// Subscriber is a signed-in person.
type Subscriber struct {
	ID     string `json:"id"`
	Email  string `json:"email"`
	Name   string `json:"name"`
	Avatar string `json:"avatar,omitzero"`
	Locale string `json:"locale"`
	// Timezone is a name of the IANA time zone database, as Europe/Lisbon.
	Timezone string `json:"timezone"`
	// BellDefault is the bell of a new subscription.
	BellDefault Bell `json:"bellDefault"`
	// QuietHours is when nothing is pushed; nil when there are none.
	QuietHours *QuietHours `json:"quietHours,omitempty"`
	Onboarded  bool        `json:"onboarded"`
	CreatedAt  time.Time   `json:"createdAt"`
	// Version is set by Me.Get and Me.Update, for [IfVersion].
	Version string `json:"-"`
}

func (s *Subscriber) setVersion(version string) { s.Version = version }

// SignInMethod is a way for a person to sign in: open URL in a browser.
type SignInMethod struct {
	Kind string `json:"kind"`
	URL  string `json:"url"`
}

// Get tells who the credential makes you. Without one you are a visitor; one that is not
// good is an [ErrUnauthorized].
func (s *AuthService) Get(ctx context.Context) (*Caller, error) {
	return decode[Caller](s.api.GetAuth(ctx))
}

// SignOut ends the access token that the client calls with. An API key is not ended so.
func (s *AuthService) SignOut(ctx context.Context) error { return check(s.api.SignOut(ctx)) }
