package sininho

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/sininho/sininho/pkg/api"
)

// DeviceSignInService signs a person in to a program without a browser, according to RFC 8628
// (API: /auth/device). It needs no credential.
type DeviceSignInService struct{ api *api.Client }

// DeviceSignIn is a sign-in that the person has to confirm: show them VerificationURL and UserCode.
type DeviceSignIn struct {
	// DeviceCode is the program's secret for Wait.
	DeviceCode string `json:"deviceCode"`
	// UserCode is the code that the person types, for example BCDF-GHJK.
	UserCode string `json:"userCode"`
	// VerificationURL is where the person types the code and confirms.
	VerificationURL string `json:"verificationUrl"`
	// VerificationURLComplete is the same as VerificationURL.
	//
	// Deprecated: use VerificationURL.
	VerificationURLComplete string `json:"verificationUrlComplete"`
	// ExpiresIn is how long the codes are valid, in seconds.
	ExpiresIn int `json:"expiresIn"`
	// Interval is the minimum time between two polls, in seconds.
	Interval int `json:"interval"`
}

// DeviceToken is the result of a sign-in. The access token expires 90 days after Begin, unless the server has another
// default.
type DeviceToken struct {
	AccessToken AccessTokenSecret `json:"accessToken"`
	Subscriber  Subscriber        `json:"subscriber"`
}

// The codes of responses after which the client keeps polling.
const (
	codeAuthorizationPending = "authorization_pending"
	codeSlowDown             = "slow_down"
	slowDown                 = 5 * time.Second
)

// Begin begins a sign-in. clientName, of at most 100 characters, is the name under which the person
// sees the program; it may be empty. The access token has the scopes, which the person sees, or all if none are given.
func (s *DeviceSignInService) Begin(ctx context.Context, clientName string, scopes ...Scope) (*DeviceSignIn, error) {
	var f faults
	f.text("clientName", clientName)
	if err := f.err(); err != nil {
		return nil, err
	}
	return decode[DeviceSignIn](s.api.BeginDeviceSignIn(ctx,
		api.DeviceSignInInput{ClientName: optional(clientName), Scopes: tokenScopes(scopes)}))
}

// Wait polls the server, at the interval that it requests, until the person has confirmed, and
// returns their access token. It fails with an [*Error] with the code [CodeAccessDenied] if they
// refuse and [CodeExpiredToken] if they take too long, and with the context's error as soon as the
// context ends. While the server cannot be reached, Wait keeps polling until the sign-in expires.
func (s *DeviceSignInService) Wait(ctx context.Context, signIn *DeviceSignIn) (*DeviceToken, error) {
	interval := time.Duration(max(signIn.Interval, 1)) * time.Second
	end := time.Now().Add(time.Duration(signIn.ExpiresIn) * time.Second)
	for {
		if err := sleep(ctx, interval); err != nil {
			return nil, fmt.Errorf("sininho: waiting for the sign-in: %w", err)
		}
		in := api.DeviceTokenInput{DeviceCode: signIn.DeviceCode}
		token, err := decode[DeviceToken](s.api.TakeDeviceToken(ctx, in))
		switch code := codeOf(err); {
		case err == nil:
			return token, nil
		case code == codeSlowDown:
			interval += slowDown
		case errors.Is(err, ErrUnreachable) && time.Now().Before(end):
			interval = min(2*interval, time.Minute)
		case code != codeAuthorizationPending:
			return nil, err
		}
	}
}

func codeOf(err error) string {
	var refused *Error
	if errors.As(err, &refused) {
		return refused.Code
	}
	return ""
}
