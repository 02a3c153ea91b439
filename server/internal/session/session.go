package session

import (
	"context"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"log/slog"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/go-webauthn/webauthn/webauthn"
	"github.com/hashicorp/golang-lru/v2/expirable"

	"github.com/sininho/sininho/server/internal/core"
)

// CookieName is the name of the cookie that holds a session's secret.
const CookieName = "__Host-sininho"

const (
	secretBytes = 32
	touchEvery  = 5 * time.Minute
	statesKept  = 1 << 14
)

// Config holds the settings and dependencies of a Manager.
type Config struct {
	Store interface {
		core.SessionStore
		core.SubscriberStore
		core.IdentityStore
		core.KnownBrowserStore
		core.AnonymousStore
		core.PasskeyStore
		core.OperatorLinkStore
	}
	Announce core.Announcer
	Google   *Google // nil: not offered
	OIDC     []OIDC
	Emails   *Emails // nil: not offered
	Passkeys bool    // whether they are offered
	// InvitedOnly restricts sign-up to people with an invitation, and to operators.
	InvitedOnly bool
	Operators   core.Operators
	// Anonymous lets people follow channels without an account.
	Anonymous bool
	// PublicURL is the address of Sininho in browsers. Proxies must pass the Host header on: a sign-in that begins
	// under another host name is first redirected here, because cookies belong to one host.
	PublicURL *url.URL
	// Key encrypts the state of a sign-in: 32 bytes, the same on every node. The actual key is derived from it.
	Key        []byte
	Now        func() time.Time
	Log        *slog.Logger
	HTTPClient *http.Client // for requests to providers; default: one with providerTimeout
}

// Manager signs subscribers in and out.
type Manager struct {
	Config
	sealer    *core.Sealer
	providers []provider
	party     *webauthn.WebAuthn // nil: passkeys are not offered
	using     sync.Mutex
	used      *expirable.LRU[string, struct{}] // states that have come back from a provider
}

// New returns a Manager. It fails when the key is invalid.
func New(c Config) (*Manager, error) {
	key, err := hkdf.Key(sha256.New, c.Key, nil, "sininho sign-in cookie", 32)
	if err != nil {
		return nil, err
	}
	sealer, err := core.NewSealer(key)
	if err != nil {
		return nil, err
	}
	if c.HTTPClient == nil {
		c.HTTPClient = newClient()
	}
	m := &Manager{
		Config: c, sealer: sealer, used: expirable.NewLRU[string, struct{}](statesKept, nil, pendingFor+time.Minute),
	}
	if c.Passkeys {
		if m.party, err = newRelyingParty(c.PublicURL); err != nil {
			return nil, err
		}
	}
	if c.Google != nil {
		m.providers = append(m.providers, newGoogle(*c.Google, m.at(base+"/google/callback"), c.HTTPClient))
	}
	for _, p := range c.OIDC {
		m.providers = append(m.providers, newOIDC(p, m.at(base+"/oidc/"+p.ID+"/callback"), c.HTTPClient, c.Now))
	}
	return m, nil
}

// at returns the public URL of a path.
func (m *Manager) at(path string) string { return m.PublicURL.Scheme + "://" + m.PublicURL.Host + path }

// Authenticate returns the caller whose session the cookie's value is, and records its use by a browser on a network
// every few minutes. It fails with CodeUnauthenticated when the session does not exist or has ended.
func (m *Manager) Authenticate(ctx context.Context, value, userAgent, network string) (core.Caller, error) {
	s, err := m.session(ctx, value)
	if err != nil {
		return core.Caller{}, err
	}
	if now := m.Now(); now.Sub(s.SeenAt) >= touchEvery {
		if err := m.Store.TouchSession(ctx, s.ID, describe(userAgent, network), now); err != nil {
			m.Log.WarnContext(ctx, "touch a session", "error", err)
		}
	}
	return core.Caller{
		Kind: core.CallerSubscriber, SubscriberID: s.SubscriberID, SessionID: s.ID, Anonymous: s.Anonymous,
		DeviceID: s.DeviceID,
	}, nil
}

// session looks up a session by the hash of its secret, so that no comparison depends on the secret itself.
func (m *Manager) session(ctx context.Context, value string) (core.Session, error) {
	if len(value) != base64.RawURLEncoding.EncodedLen(secretBytes) {
		return core.Session{}, core.ErrSessionEnded()
	}
	s, err := m.Store.SessionBySecret(ctx, core.HashSecret(value))
	if core.IsCode(err, core.CodeNotFound) {
		return core.Session{}, core.ErrSessionEnded()
	}
	if err == nil && !s.Alive(m.Now()) {
		return core.Session{}, core.ErrSessionEnded()
	}
	return s, err
}

// SignOut ends the caller's session, if there is one, and returns the cookie that clears the browser's.
func (m *Manager) SignOut(ctx context.Context, c core.Caller) (*http.Cookie, error) {
	if c.SessionID != (core.ID{}) {
		err := m.end(ctx, c.SubscriberID, c.SessionID)
		if err != nil && !core.IsCode(err, core.CodeNotFound) { // it may have ended already
			return nil, err
		}
	}
	return cookie(CookieName, "", -time.Second), nil
}

func (m *Manager) end(ctx context.Context, subscriberID, id core.ID) error {
	err := m.Store.EndSession(ctx, subscriberID, id, m.Now())
	if err != nil {
		return err
	}
	m.Announce.SignedOut(ctx, id)
	return nil
}

// Start signs a person in whom one of their other browsers let in. It returns the cookies of the browser. What the
// browser follows without an account is saved: only a page of this server can have asked for it, which knew the code
// that the person has confirmed.
func (m *Manager) Start(r *http.Request, network string, subscriberID core.ID) ([]*http.Cookie, error) {
	anonymous, err := m.anonymous(r)
	if err != nil {
		return nil, err
	}
	return m.enter(r, network, subscriberID, false, anonymous)
}

// start creates a session and ends the browser's previous one. It returns the cookies of the browser.
func (m *Manager) start(r *http.Request, network string, subscriberID core.ID) ([]*http.Cookie, error) {
	secret, s := m.newSession(r, network, subscriberID)
	if err := m.Store.CreateSession(r.Context(), s, core.HashSecret(secret)); err != nil {
		return nil, err
	}
	m.endPrevious(r)
	return m.cookies(r, secret, s), nil
}

// cookies returns those of a browser with a new session.
func (m *Manager) cookies(r *http.Request, secret string, s core.Session) []*http.Cookie {
	return append(m.rememberBrowser(r, s), cookie(CookieName, secret, core.SessionLife))
}

// newSession returns a session of a browser, which is not stored yet, and its secret.
func (m *Manager) newSession(r *http.Request, network string, subscriberID core.ID) (secret string, s core.Session) {
	now := m.Now()
	return randomText(secretBytes), core.Session{
		ID: core.NewID(), SubscriberID: subscriberID, Client: describe(r.UserAgent(), network), CreatedAt: now,
		SeenAt: now,
	}
}

func (m *Manager) endPrevious(r *http.Request) {
	c, err := r.Cookie(CookieName)
	if err != nil {
		return
	}
	previous, err := m.session(r.Context(), c.Value)
	if err == nil {
		err = m.end(r.Context(), previous.SubscriberID, previous.ID)
	}
	if err != nil && !core.IsCode(err, core.CodeUnauthenticated) && !core.IsCode(err, core.CodeNotFound) {
		m.Log.WarnContext(r.Context(), "end the previous session", "error", err)
	}
}

// cookie returns a cookie for this host only and for all its paths; a negative age removes it.
func cookie(name, value string, age time.Duration) *http.Cookie {
	return &http.Cookie{
		Name: name, Value: value, Path: "/", MaxAge: int(age.Seconds()), Secure: true, HttpOnly: true,
		SameSite: http.SameSiteLaxMode,
	}
}

func randomText(bytes int) string {
	b := make([]byte, bytes)
	_, _ = rand.Read(b) // never fails: crypto/rand crashes the program instead
	return base64.RawURLEncoding.EncodeToString(b)
}
