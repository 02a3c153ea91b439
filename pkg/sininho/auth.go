package sininho

import (
	"context"
	"time"

	"github.com/sininho/sininho/pkg/api"
)

// AuthService shows the caller's identity and signs out (API: /auth).
type AuthService struct{ api *api.Client }

// CallerKind is the kind of a caller.
type CallerKind string

// A caller without a credential is a visitor, one with an access token is a subscriber, and one
// with an API key is a publisher.
const (
	CallerVisitor    CallerKind = "visitor"
	CallerSubscriber CallerKind = "subscriber"
	CallerPublisher  CallerKind = "publisher"
)

// Scope is a permission of an API key or an access token.
type Scope string

// The scopes. More may be added. Of an access token, ScopeRead reads what the person may read and changes nothing,
// ScopePublish publishes, corrects and withdraws, and ScopeManage does everything that the person may, and includes
// both others.
const (
	ScopePublish  Scope = "publish"
	ScopeChannels Scope = "channels" // only of API keys
	ScopeRead     Scope = "read"
	ScopeManage   Scope = "manage" // only of access tokens
)

// Caller is the identity that the server derives from the client's credential.
type Caller struct {
	Kind CallerKind `json:"caller"`
	// Publisher is set if the caller uses an API key.
	Publisher *PublisherRef `json:"publisher,omitempty"`
	// Scopes are those of the API key or access token.
	Scopes []Scope `json:"scopes,omitempty"`
	// Subscriber is set if the caller is a signed-in person.
	Subscriber *Subscriber `json:"subscriber,omitempty"`
	// ExpiresAt is when the access token or API key expires; zero if it does not.
	ExpiresAt time.Time `json:"expiresAt,omitzero"`
	// SignInMethods are the ways in which a person can sign in.
	SignInMethods []SignInMethod `json:"signInMethods"`
	// Operator reports whether the person may use what is for operators.
	Operator bool `json:"operator,omitzero"`
	// Publishes reports whether the person is a member of a publisher.
	Publishes bool `json:"publishes,omitzero"`
	// Suspension is why the last sign-in of a browser was refused; nil for programs.
	Suspension *Suspension `json:"suspension,omitempty"`
}

// Subscriber is a signed-in person.
type Subscriber struct {
	ID string `json:"id"`
	// Anonymous reports whether the person has no account, only the session of a browser. They have no email and no
	// name then.
	Anonymous bool   `json:"anonymous,omitzero"`
	Email     string `json:"email,omitzero"` // empty without one
	Name      string `json:"name"`
	Avatar    string `json:"avatar,omitzero"`
	// AvatarProxy is where the server serves the same picture, as in [Notification].
	AvatarProxy string `json:"avatarProxy,omitzero"`
	Locale      string `json:"locale"`
	// Timezone is a name from the IANA time zone database, for example Europe/Lisbon.
	Timezone string `json:"timezone"`
	// BellDefault is the bell of new subscriptions.
	BellDefault Bell `json:"bellDefault"`
	// QuietHours is when nothing is pushed; nil if there are none.
	QuietHours *QuietHours `json:"quietHours,omitempty"`
	// DigestAt is when the digest of the channels with [BellDigest] is pushed, a time of day such as 18:00.
	DigestAt  string    `json:"digestAt"`
	Onboarded bool      `json:"onboarded"`
	CreatedAt time.Time `json:"createdAt"`
	// Version is set by Me.Get and Me.Update, for [IfVersion].
	Version string `json:"-"`
}

func (s *Subscriber) setVersion(version string) { s.Version = version }

// SignInMethod is a way for a person to sign in: open URL in a browser. For the kind email, URL is what a browser posts
// the address to; for anonymous, which needs no account, it posts nothing to it.
type SignInMethod struct {
	Kind string `json:"kind"` // google, oidc, email, passkey or anonymous; more may be added
	// Provider and Name are those of an OpenID provider, in addresses and for people.
	Provider string `json:"provider,omitzero"`
	Name     string `json:"name,omitzero"`
	URL      string `json:"url"`
}

// Get returns the caller's identity. Without a credential the caller is a visitor; an invalid
// credential fails with [ErrUnauthorized].
func (s *AuthService) Get(ctx context.Context) (*Caller, error) {
	return decode[Caller](s.api.GetAuth(ctx))
}

// SignOut revokes the access token that the client uses, and those that it created. It does not revoke an API key.
func (s *AuthService) SignOut(ctx context.Context) error { return check(s.api.SignOut(ctx)) }
