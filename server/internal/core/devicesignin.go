package core

import (
	"context"
	"strings"
	"time"
	"unicode"
)

// DeviceSignIn is the sign-in of a program that waits for a person to confirm that it may act for them (RFC 8628).
type DeviceSignIn struct {
	ID           ID
	UserCode     UserCode
	ClientName   string
	Scopes       []Scope // of the access token; none for a browser, which gets a session
	Network      string  // from which the program sent its request
	CreatedAt    time.Time
	ExpiresAt    time.Time
	NextPollAt   time.Time // an earlier poll gets the error slow_down
	PollInterval time.Duration
	SubscriberID *ID   // the person who decided; nil until then
	Approved     *bool // their decision
	TakenAt      *time.Time
}

// ForBrowser reports whether a browser waits for a session, and not a program for an access token.
func (s DeviceSignIn) ForBrowser() bool { return len(s.Scopes) == 0 }

// The limits and defaults of device sign-ins.
const (
	DeviceSignInLife = 15 * time.Minute
	PollInterval     = 5 * time.Second // between two polls; also added for polling too soon
	DefaultClient    = "Sininho"       // the name of a program that sends none
)

const deviceCodeLength = 43 // more than 256 bits

// UserCode is the code that a person types to identify the waiting program. Its letters are not mistaken for digits and
// do not form words.
type UserCode string

const (
	userCodeLetters = "BCDFGHJKLMNPQRSTVWXZ"
	userCodeLength  = 8
)

// ParseUserCode parses a code as people write it. It fails with CodeNotFound for a text that cannot be a code.
func ParseUserCode(s string) (UserCode, error) {
	s = strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unicode.Is(unicode.Dash, r) {
			return -1
		}
		return unicode.ToUpper(r)
	}, s)
	if len(s) != userCodeLength || strings.Trim(s, userCodeLetters) != "" {
		return "", NotFound()
	}
	return UserCode(s), nil
}

// String returns the code as it is shown.
func (c UserCode) String() string { return string(c[:userCodeLength/2] + "-" + c[userCodeLength/2:]) }

// poll records one poll of the waiting program. It returns nil if the program may take its token, otherwise the reason.
func (s *DeviceSignIn) poll(now time.Time) error {
	soon := now.Before(s.NextPollAt)
	if soon {
		s.PollInterval += PollInterval
	}
	s.NextPollAt = now.Add(s.PollInterval)
	switch {
	case s.TakenAt != nil, !s.ExpiresAt.After(now):
		return errSignInExpired()
	case soon:
		return notYet("slow_down", Text{EN: "Polling too often. Wait 5 more seconds between requests.",
			PT: "Pedidos demasiado frequentes. Espere mais 5 segundos entre dois pedidos."})
	case s.Approved == nil:
		return notYet("authorization_pending",
			Text{EN: "The person has not confirmed yet.", PT: "A pessoa ainda não confirmou."})
	case !*s.Approved:
		return notYet("access_denied", Text{EN: "The person refused.", PT: "A pessoa recusou."})
	}
	return nil
}

// notYet returns an error with one of the codes of RFC 8628.
func notYet(code string, detail Text) error {
	return &Error{Code: CodeMalformed, Reason: code, Detail: detail}
}

func errSignInExpired() error {
	return notYet("expired_token",
		Text{EN: "This sign-in has expired. Start again.", PT: "Este início de sessão expirou. Recomece."})
}

// DeviceSignInInput is the input for starting a device sign-in. Without Scopes the access token has all of them.
type DeviceSignInInput struct {
	ClientName string
	Scopes     []Scope
	Browser    bool // signs a browser in by a session
}

// Validate implements Input.
func (in DeviceSignInInput) Validate(*Rules, time.Time) []FieldError {
	faults := CheckName("#/clientName", in.ClientName)
	if in.Browser && len(in.Scopes) > 0 {
		faults = append(faults, FieldError{Pointer: "#/scopes", Code: "excluded", Detail: Text{
			EN: "must be left out with browser", PT: "não pode ser dado com browser"}})
	}
	return faults
}

// scopes returns those of the access token, and none for a browser.
func (in DeviceSignInInput) scopes() []Scope {
	if in.Browser {
		return []Scope{}
	}
	return newTokenScopes(in.Scopes)
}

// DeviceSignInStore keeps device sign-ins, by the hash of their device code.
type DeviceSignInStore interface {
	// CreateDeviceSignIn fails with CodeUnavailable when another sign-in has the same user code.
	CreateDeviceSignIn(ctx context.Context, s DeviceSignIn, hash []byte) error
	// DeviceSignIn returns a sign-in that is open and undecided at now; it fails with CodeNotFound when there is none
	// with that code.
	DeviceSignIn(ctx context.Context, code UserCode, now time.Time) (DeviceSignIn, error)
	// DecideDeviceSignIn stores the decision, once; it fails with CodeNotFound when no open sign-in with that code
	// is undecided.
	DecideDeviceSignIn(ctx context.Context, code UserCode, subscriberID ID, approved bool, now time.Time) error
	// PollDeviceSignIn locks the sign-in, calls poll to change its polling times, and stores them; it fails with
	// CodeNotFound when there is none.
	PollDeviceSignIn(ctx context.Context, hash []byte, poll func(*DeviceSignIn)) error
	// TakeDeviceSignIn stores the access token of a sign-in; it fails with CodeNotFound when the sign-in already has
	// one, and with CodeForbidden when the account is suspended.
	TakeDeviceSignIn(ctx context.Context, id ID, t AccessToken, hash []byte, now time.Time) error
	// TakeBrowserSignIn records that a browser was signed in; it fails with CodeNotFound when it was before.
	TakeBrowserSignIn(ctx context.Context, id ID, now time.Time) error
}

type deviceSignInsStore interface {
	DeviceSignInStore
	SubscriberStore
}

// DeviceSignIns signs people in to programs without a browser.
type DeviceSignIns struct {
	store deviceSignInsStore
	rules *Rules
	now   func() time.Time
}

// NewDeviceSignIns returns the service for device sign-ins.
func NewDeviceSignIns(store deviceSignInsStore, rules *Rules, now func() time.Time) *DeviceSignIns {
	return &DeviceSignIns{store: store, rules: rules, now: now}
}

// TokenExpiresAt returns the expiry time of the program's access token, or of the browser's session.
func (d *DeviceSignIns) TokenExpiresAt(s DeviceSignIn) time.Time {
	if s.ForBrowser() {
		return s.CreatedAt.Add(SessionLife)
	}
	return s.CreatedAt.Add(d.rules.tokens.Life())
}

// Begin starts a sign-in for a program on that network. It returns the device code with which the program polls for its
// token.
func (d *DeviceSignIns) Begin(
	ctx context.Context, in DeviceSignInInput, network string,
) (s DeviceSignIn, deviceCode string, err error) {
	now := d.now()
	if err := invalid(in.Validate(nil, now)); err != nil {
		return DeviceSignIn{}, "", err
	}
	deviceCode = RandomText(deviceCodeLength)
	s = DeviceSignIn{ID: NewID(), UserCode: UserCode(randomOf(userCodeLetters, userCodeLength)),
		ClientName: in.ClientName, Scopes: in.scopes(), Network: network, CreatedAt: now,
		ExpiresAt: now.Add(DeviceSignInLife), NextPollAt: now, PollInterval: PollInterval}
	return s, deviceCode, d.store.CreateDeviceSignIn(ctx, s, HashSecret(deviceCode))
}

// Find returns the sign-in with a code, so that the person can see which program requested it.
func (d *DeviceSignIns) Find(ctx context.Context, code UserCode) (DeviceSignIn, error) {
	return d.store.DeviceSignIn(ctx, code, d.now())
}

// Decide stores whether the program that shows the code may act for the caller.
func (d *DeviceSignIns) Decide(ctx context.Context, c Caller, code UserCode, approved bool) error {
	return d.store.DecideDeviceSignIn(ctx, code, c.SubscriberID, approved, d.now())
}

// Take returns the access token, once, and its owner.
func (d *DeviceSignIns) Take(
	ctx context.Context, deviceCode string,
) (t AccessToken, secret string, owner Subscriber, err error) {
	now := d.now()
	s, err := d.poll(ctx, deviceCode, now)
	if err == nil && s.ForBrowser() {
		err = errSignInExpired() // what was confirmed is a session
	}
	if err == nil {
		owner, err = d.store.Subscriber(ctx, *s.SubscriberID)
	}
	if err == nil {
		t, secret = newAccessToken(owner.ID,
			AccessTokenInput{Name: s.ClientName, Scopes: s.Scopes, ExpiresAt: new(d.TokenExpiresAt(s))}, now)
		err = d.store.TakeDeviceSignIn(ctx, s.ID, t, HashSecret(secret), now)
	}
	if IsCode(err, CodeNotFound) { // it never existed, was pruned, or was taken meanwhile
		err = errSignInExpired()
	}
	if err != nil {
		return AccessToken{}, "", Subscriber{}, err
	}
	return t, secret, owner, nil
}

// TakeBrowser returns, once, whom a browser is signed in as.
func (d *DeviceSignIns) TakeBrowser(ctx context.Context, deviceCode string) (ID, error) {
	now := d.now()
	s, err := d.poll(ctx, deviceCode, now)
	if err == nil && !s.ForBrowser() {
		err = errSignInExpired() // what was confirmed is an access token
	}
	if err == nil {
		err = d.store.TakeBrowserSignIn(ctx, s.ID, now)
	}
	if IsCode(err, CodeNotFound) {
		err = errSignInExpired()
	}
	if err != nil {
		return ID{}, err
	}
	return *s.SubscriberID, nil
}

func (d *DeviceSignIns) poll(ctx context.Context, deviceCode string, now time.Time) (s DeviceSignIn, err error) {
	var refused error
	err = d.store.PollDeviceSignIn(ctx, HashSecret(deviceCode), func(found *DeviceSignIn) {
		refused = found.poll(now)
		s = *found
	})
	if err != nil {
		return s, err
	}
	return s, refused
}
