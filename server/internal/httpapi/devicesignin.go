package httpapi

import (
	"cmp"
	"context"
	"errors"
	"net/http"

	"github.com/sininho/sininho/pkg/api"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/httpapi/gen"
)

// BeginDeviceSignIn starts a device sign-in for a program such as the CLI.
func (a *server) BeginDeviceSignIn(
	ctx context.Context, in gen.BeginDeviceSignInRequestObject,
) (gen.BeginDeviceSignInResponseObject, error) {
	input, network := fromAPIDeviceSignInInput(*in.Body), networkName(callOf(ctx))
	d, deviceCode, err := a.DeviceSignIns.Begin(ctx, input, network)
	if err != nil {
		return nil, err
	}
	page := a.PublicURL.JoinPath("login", "device").String()
	return gen.BeginDeviceSignIn200JSONResponse{
		DeviceCode: deviceCode, UserCode: d.UserCode.String(),
		// The complete URL has no code either: a link that contained it would sign in with one click.
		VerificationURL: page, VerificationURLComplete: page,
		ExpiresIn: int32(d.ExpiresAt.Sub(d.CreatedAt).Seconds()), Interval: int32(d.PollInterval.Seconds()),
	}, nil
}

func fromAPIDeviceSignInInput(in api.DeviceSignInInput) core.DeviceSignInInput {
	return core.DeviceSignInInput{ClientName: cmp.Or(value(in.ClientName), core.DefaultClient),
		Scopes: fromAPITokenScopes(in.Scopes), Browser: value(in.Browser)}
}

// GetDeviceSignIn returns the device sign-in to approve.
func (a *server) GetDeviceSignIn(
	ctx context.Context, in gen.GetDeviceSignInRequestObject,
) (out gen.GetDeviceSignInResponseObject, err error) {
	c := callOf(ctx)
	err = a.guess(c, in.Params.UserCode, func(code core.UserCode) error {
		d, err := a.DeviceSignIns.Find(ctx, code)
		out = gen.GetDeviceSignIn200JSONResponse{
			ClientName:     d.ClientName,
			UserCode:       code.String(),
			CreatedAt:      d.CreatedAt.UTC(),
			ExpiresAt:      d.ExpiresAt.UTC(),
			Network:        d.Network,
			SameNetwork:    d.Network == networkName(c),
			Scopes:         toAPITokenScopes(d.Scopes),
			Browser:        new(d.ForBrowser()),
			TokenExpiresAt: a.DeviceSignIns.TokenExpiresAt(d).UTC(),
		}
		return err
	})
	return out, err
}

// ApproveDeviceSignIn records whether the person approves or denies a device sign-in.
func (a *server) ApproveDeviceSignIn(
	ctx context.Context, in gen.ApproveDeviceSignInRequestObject,
) (gen.ApproveDeviceSignInResponseObject, error) {
	c := callOf(ctx)
	err := a.guess(c, in.Body.UserCode, func(code core.UserCode) error {
		return a.DeviceSignIns.Decide(ctx, c.caller, code, in.Body.Approve)
	})
	if err != nil {
		return nil, err
	}
	return gen.ApproveDeviceSignIn204Response{}, nil
}

// guess looks up a user code. User codes are short enough to be guessed, so they have a small quota of failures.
func (a *server) guess(c *call, userCode api.UserCode, find func(core.UserCode) error) error {
	code, err := core.ParseUserCode(userCode)
	if err != nil {
		return err
	}
	err = a.limiter.lookUp(guesses, core.NetworkOf(c.client), credential("user code", string(code)),
		func() error { return find(code) })
	if rejected(err) {
		a.refusals.add(c.request.Context(), c.client, refusedUserCode)
	}
	return err
}

// TakeDeviceToken returns the access token to the polling program once the sign-in is approved.
func (a *server) TakeDeviceToken(
	ctx context.Context, in gen.TakeDeviceTokenRequestObject,
) (gen.TakeDeviceTokenResponseObject, error) {
	t, secret, owner, err := a.DeviceSignIns.Take(ctx, in.Body.DeviceCode)
	if err != nil {
		if e, _ := errors.AsType[*core.Error](err); e != nil && e.Reason == "expired_token" { // or there never was one
			a.refusals.add(ctx, callOf(ctx).client, refusedDeviceCode)
		}
		return nil, err
	}
	return gen.TakeDeviceToken200JSONResponse{
		AccessToken: toAPIAccessTokenSecret(t, secret), Subscriber: a.Pictures.toAPISubscriber(owner),
	}, nil
}

// TakeDeviceSession signs the polling browser in once the sign-in is approved.
func (a *server) TakeDeviceSession(
	ctx context.Context, in gen.TakeDeviceSessionRequestObject,
) (gen.TakeDeviceSessionResponseObject, error) {
	c := callOf(ctx)
	subscriberID, err := a.DeviceSignIns.TakeBrowser(ctx, in.Body.DeviceCode)
	if err != nil {
		return nil, err
	}
	cookies, err := a.Sessions.Start(c.request, networkName(c), subscriberID)
	if err != nil {
		return nil, err
	}
	a.trust(cookies)
	return sessionCookies(cookies), nil
}

// sessionCookies is a 204 response with any number of cookies.
type sessionCookies []*http.Cookie

// VisitTakeDeviceSessionResponse implements gen.TakeDeviceSessionResponseObject.
func (cookies sessionCookies) VisitTakeDeviceSessionResponse(w http.ResponseWriter) error {
	for _, c := range cookies {
		http.SetCookie(w, c)
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}
