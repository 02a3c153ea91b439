package core

import (
	"context"
	"strings"
	"time"
	"unicode"
)

// DeviceSignIn is a program that waits for a person to confirm that it may act for them (RFC 8628).
type DeviceSignIn struct {
	ID           ID
	UserCode     UserCode
	ClientName   string
	Network      string // from which the program asked
	CreatedAt    time.Time
	ExpiresAt    time.Time
	NextAskAt    time.Time // whoever asks before is told to slow down
	AskInterval  time.Duration
	SubscriberID *ID   // who has answered,
	Approved     *bool // and how
	TakenAt      *time.Time
}

// The terms of a device sign-in.
const (
	DeviceSignInLife = 15 * time.Minute
	AskInterval      = 5 * time.Second // between two questions, and what is added for asking too soon
	DefaultClient    = "Sininho"       // the name of a program that tells none
)

const deviceCodeLength = 43 // of more than 256 bits

// UserCode is what a person types to say which program they mean: letters that neither are mistaken for digits nor
// make words.
type UserCode string

const (
	userCodeLetters = "BCDFGHJKLMNPQRSTVWXZ"
	userCodeLength  = 8
)

// ParseUserCode reads a code as people write it. What cannot be one is not found.
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

// String is the code as it is shown.
func (c UserCode) String() string { return string(c[:userCodeLength/2] + "-" + c[userCodeLength/2:]) }

// ask is one question of the waiting program: nil when it may have its token, or else why not.
func (s *DeviceSignIn) ask(now time.Time) error {
	soon := now.Before(s.NextAskAt)
	if soon {
		s.AskInterval += AskInterval
	}
	s.NextAskAt = now.Add(s.AskInterval)
	switch {
	case s.TakenAt != nil, !s.ExpiresAt.After(now):
		return errSignInExpired()
	case soon:
		return notYet("slow_down", Text{"This asks too often. Wait 5 seconds more between two questions.", "Pergunta demasiadas vezes. Espere mais 5 segundos entre duas perguntas."})
	case s.Approved == nil:
		return notYet("authorization_pending", Text{"The person has not confirmed yet.", "A pessoa ainda não confirmou."})
	case !*s.Approved:
		return notYet("access_denied", Text{"The person has refused.", "A pessoa recusou."})
	}
	return nil
}

// notYet answers a waiting program with one of the codes of RFC 8628.
func notYet(code string, detail Text) error {
	return &Error{Code: CodeMalformed, Reason: code, Detail: detail}
}

func errSignInExpired() error {
	return notYet("expired_token", Text{"This sign-in is over. Begin anew.", "Este início de sessão terminou. Comece de novo."})
}

// DeviceSignInStore keeps device sign-ins, by the hash of their device code.
type DeviceSignInStore interface {
	// CreateDeviceSignIn fails with CodeUnavailable when another has the same user code.
	CreateDeviceSignIn(ctx context.Context, s DeviceSignIn, hash []byte) error
	// DeviceSignIn finds one that waits for an answer at that time; CodeNotFound when there is none with that code.
	DeviceSignIn(ctx context.Context, code UserCode, now time.Time) (DeviceSignIn, error)
	// AnswerDeviceSignIn answers it once; CodeNotFound when none waits for an answer.
	AnswerDeviceSignIn(ctx context.Context, code UserCode, subscriberID ID, approved bool, now time.Time) error
	// AskDeviceSignIn locks it, lets ask alter when it may ask again, and stores that; CodeNotFound when there is none.
	AskDeviceSignIn(ctx context.Context, hash []byte, ask func(*DeviceSignIn)) error
	// TakeDeviceSignIn stores the token that it ends with; CodeNotFound when it has one already.
	TakeDeviceSignIn(ctx context.Context, id ID, t AccessToken, hash []byte, now time.Time) error
}

// DeviceSignIns signs people in on programs without a browser.
type DeviceSignIns struct {
	Store interface {
		DeviceSignInStore
		SubscriberStore
	}
	Now func() time.Time
}

// TokenExpiresAt is when the token that the program gets expires.
func (s *DeviceSignIn) TokenExpiresAt() time.Time { return s.CreatedAt.Add(AccessTokenLife) }

// Begin starts a sign-in for a program on that network and returns the device code, by which the program asks for its
// token.
func (d *DeviceSignIns) Begin(ctx context.Context, clientName, network string) (s DeviceSignIn, deviceCode string, err error) {
	var f faults
	f.name("#/clientName", clientName)
	if err := f.err(); err != nil {
		return DeviceSignIn{}, "", err
	}
	now := d.Now()
	deviceCode = RandomText(deviceCodeLength)
	s = DeviceSignIn{ID: NewID(), UserCode: UserCode(randomOf(userCodeLetters, userCodeLength)), ClientName: clientName, Network: network, CreatedAt: now,
		ExpiresAt: now.Add(DeviceSignInLife), NextAskAt: now, AskInterval: AskInterval}
	return s, deviceCode, d.Store.CreateDeviceSignIn(ctx, s, HashSecret(deviceCode))
}

// Find shows the person what asks with a code.
func (d *DeviceSignIns) Find(ctx context.Context, code UserCode) (DeviceSignIn, error) {
	return d.Store.DeviceSignIn(ctx, code, d.Now())
}

// Answer lets the program that shows the code act for the caller, or refuses it.
func (d *DeviceSignIns) Answer(ctx context.Context, c Caller, code UserCode, approved bool) error {
	return d.Store.AnswerDeviceSignIn(ctx, code, c.SubscriberID, approved, d.Now())
}

// Take answers the token, once, and whose it is.
func (d *DeviceSignIns) Take(ctx context.Context, deviceCode string) (t AccessToken, secret string, owner Subscriber, err error) {
	now := d.Now()
	s, err := d.ask(ctx, deviceCode, now)
	if err == nil {
		owner, err = d.Store.Subscriber(ctx, *s.SubscriberID)
	}
	if err == nil {
		t, secret = newAccessToken(owner.ID, AccessTokenInput{Name: s.ClientName, ExpiresAt: new(s.TokenExpiresAt())}, now)
		err = d.Store.TakeDeviceSignIn(ctx, s.ID, t, HashSecret(secret), now)
	}
	if IsCode(err, CodeNotFound) { // never was, is pruned, or was taken meanwhile
		err = errSignInExpired()
	}
	if err != nil {
		return AccessToken{}, "", Subscriber{}, err
	}
	return t, secret, owner, nil
}

func (d *DeviceSignIns) ask(ctx context.Context, deviceCode string, now time.Time) (s DeviceSignIn, err error) {
	var refused error
	err = d.Store.AskDeviceSignIn(ctx, HashSecret(deviceCode), func(found *DeviceSignIn) {
		refused = found.ask(now)
		s = *found
	})
	if err == nil {
		err = refused
	}
	return s, err
}
