package httpapi

import (
	"cmp"
	"context"

	"github.com/sininho/sininho/pkg/api"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/httpapi/gen"
)

// BeginDeviceSignIn begins to sign a person in on a program.
func (a *server) BeginDeviceSignIn(ctx context.Context, in gen.BeginDeviceSignInRequestObject) (gen.BeginDeviceSignInResponseObject, error) {
	clientName := cmp.Or(value(in.Body.ClientName), core.DefaultClient)
	d, deviceCode, err := a.DeviceSignIns.Begin(ctx, clientName, networkName(callOf(ctx)))
	if err != nil {
		return nil, err
	}
	page := a.PublicURL.JoinPath("login", "device").String()
	return gen.BeginDeviceSignIn200JSONResponse{
		DeviceCode: deviceCode, UserCode: d.UserCode.String(),
		VerificationURL: page, VerificationURLComplete: page, // without the code: a link that has it signs in with one click
		ExpiresIn: int32(d.ExpiresAt.Sub(d.CreatedAt).Seconds()), Interval: int32(d.AskInterval.Seconds()),
	}, nil
}

// GetDeviceSignIn shows the person what asks.
func (a *server) GetDeviceSignIn(ctx context.Context, in gen.GetDeviceSignInRequestObject) (out gen.GetDeviceSignInResponseObject, err error) {
	c := callOf(ctx)
	err = a.guess(c, in.Params.UserCode, func(code core.UserCode) error {
		d, err := a.DeviceSignIns.Find(ctx, code)
		out = gen.GetDeviceSignIn200JSONResponse{
			ClientName: d.ClientName, UserCode: code.String(), CreatedAt: d.CreatedAt.UTC(), ExpiresAt: d.ExpiresAt.UTC(),
			Network: d.Network, SameNetwork: d.Network == networkName(c), TokenExpiresAt: d.TokenExpiresAt().UTC(),
		}
		return err
	})
	return out, err
}

// ApproveDeviceSignIn takes the person's answer.
func (a *server) ApproveDeviceSignIn(ctx context.Context, in gen.ApproveDeviceSignInRequestObject) (gen.ApproveDeviceSignInResponseObject, error) {
	c := callOf(ctx)
	err := a.guess(c, in.Body.UserCode, func(code core.UserCode) error {
		return a.DeviceSignIns.Answer(ctx, c.caller, code, in.Body.Approve)
	})
	if err != nil {
		return nil, err
	}
	return gen.ApproveDeviceSignIn204Response{}, nil
}

// networkName is the caller's network as people read it.
func networkName(c *call) string {
	n := network(c.client)
	if n.IsSingleIP() {
		return n.Addr().String()
	}
	return n.String()
}

// guess looks a user code up. It is short enough to be guessed, and so has a quota of few failures.
func (a *server) guess(c *call, userCode api.UserCode, look func(core.UserCode) error) error {
	code, err := core.ParseUserCode(userCode)
	if err != nil {
		return err
	}
	return a.limiter.lookUp(guesses, network(c.client), credential("user code", string(code)), func() error { return look(code) })
}

// TakeDeviceToken answers the program that waits.
func (a *server) TakeDeviceToken(ctx context.Context, in gen.TakeDeviceTokenRequestObject) (gen.TakeDeviceTokenResponseObject, error) {
	t, secret, owner, err := a.DeviceSignIns.Take(ctx, in.Body.DeviceCode)
	if err != nil {
		return nil, err
	}
	return gen.TakeDeviceToken200JSONResponse{AccessToken: toAPIAccessTokenSecret(t, secret), Subscriber: toAPISubscriber(owner)}, nil
}
