package sininho

import (
	"context"
	"time"

	"github.com/sininho/sininho/pkg/api"
)

// AuthService tells who is calling (API: /auth).
type AuthService struct{ api *api.Client }

// CallerKind is the kind of a caller.
type CallerKind string

// A caller without a credential is a visitor; one with an API key is a publisher.
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
	// SignInMethods are the ways for a person to sign in.
	SignInMethods []SignInMethod `json:"signInMethods"`
}

// Subscriber is a signed-in person.
type Subscriber struct {
	ID        string    `json:"id"`
	Email     string    `json:"email"`
	Name      string    `json:"name"`
	Avatar    string    `json:"avatar,omitzero"`
	Locale    string    `json:"locale"`
	Timezone  string    `json:"timezone"`
	Onboarded bool      `json:"onboarded"`
	CreatedAt time.Time `json:"createdAt"`
}

// SignInMethod is a way for a person to sign in: open URL in a browser.
type SignInMethod struct {
	Kind string `json:"kind"`
	URL  string `json:"url"`
}

// Get tells who the API key makes you. Without a key you are a visitor; a key that is not
// good is an [ErrUnauthorized].
func (s *AuthService) Get(ctx context.Context) (*Caller, error) {
	return decode[Caller](s.api.GetAuth(ctx))
}
