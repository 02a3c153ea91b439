package httpapi

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/sininho/sininho/pkg/api"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/httpapi/gen"
)

// BeginPasskeySignIn challenges any passkey.
func (a *server) BeginPasskeySignIn(
	ctx context.Context, in gen.BeginPasskeySignInRequestObject,
) (gen.BeginPasskeySignInResponseObject, error) {
	options, cookie, err := a.Sessions.BeginPasskey(callOf(ctx).request,
		core.SignInStart{Redirect: value(in.Body.Redirect)})
	if err != nil {
		return nil, err
	}
	body, err := toAPIPasskeyChallenge(options)
	return gen.BeginPasskeySignIn200JSONResponse{Body: body,
		Headers: gen.BeginPasskeySignIn200ResponseHeaders{SetCookie: new(cookie.String())}}, err
}

func toAPIPasskeyChallenge(options []byte) (c api.PasskeyChallenge, err error) {
	err = json.Unmarshal(options, &c.PublicKey)
	return c, err
}

// FinishPasskeySignIn takes the answer to a challenge. Wrong answers have a small quota.
func (a *server) FinishPasskeySignIn(
	ctx context.Context, in gen.FinishPasskeySignInRequestObject,
) (gen.FinishPasskeySignInResponseObject, error) {
	c := callOf(ctx)
	answer, err := json.Marshal(in.Body.Credential)
	if err != nil {
		return nil, err
	}
	var out passkeySignIn
	wrong := func(err error) bool { return core.IsCode(err, core.CodeInvalid) }
	err = a.limiter.attempt(guesses, core.NetworkOf(c.client), func() (err error) {
		out.location, out.cookies, err = a.Sessions.FinishPasskey(c.request, networkName(c), answer)
		return err
	}, wrong)
	if err != nil {
		if wrong(err) {
			a.refusals.add(ctx, c.client, refusedPasskey)
		}
		return nil, err
	}
	a.trust(out.cookies)
	return out, nil
}

// passkeySignIn is a 200 response that names the page to go to, with any number of cookies.
type passkeySignIn redirect

// VisitFinishPasskeySignInResponse implements gen.FinishPasskeySignInResponseObject.
func (o passkeySignIn) VisitFinishPasskeySignInResponse(w http.ResponseWriter) error {
	return destination(o).VisitFinishEmailSignInResponse(w)
}

// VisitFinishPasskeySignUpResponse implements gen.FinishPasskeySignUpResponseObject.
func (o passkeySignIn) VisitFinishPasskeySignUpResponse(w http.ResponseWriter) error {
	return destination(o).VisitFinishEmailSignInResponse(w)
}

// BeginPasskeySignUp asks for a passkey for a new account.
func (a *server) BeginPasskeySignUp(
	ctx context.Context, in gen.BeginPasskeySignUpRequestObject,
) (gen.BeginPasskeySignUpResponseObject, error) {
	options, cookie, err := a.Sessions.BeginPasskeySignUp(callOf(ctx).request, fromAPIPasskeySignUpInput(*in.Body))
	if err != nil {
		return nil, err
	}
	body, err := toAPIPasskeyChallenge(options)
	return gen.BeginPasskeySignUp200JSONResponse{Body: body,
		Headers: gen.BeginPasskeySignUp200ResponseHeaders{SetCookie: new(cookie.String())}}, err
}

func fromAPIPasskeySignUpInput(in api.PasskeySignUpInput) core.PasskeySignUpInput {
	return core.PasskeySignUpInput{Name: in.Name, OperatorLink: value(in.OperatorLink),
		SignInStart: core.SignInStart{Redirect: value(in.Redirect), Invitation: value(in.Invitation)}}
}

// FinishPasskeySignUp takes the first passkey of a new account.
func (a *server) FinishPasskeySignUp(
	ctx context.Context, in gen.FinishPasskeySignUpRequestObject,
) (gen.FinishPasskeySignUpResponseObject, error) {
	c := callOf(ctx)
	made, err := json.Marshal(in.Body.Credential)
	if err != nil {
		return nil, err
	}
	var out passkeySignIn
	out.location, out.cookies, err = a.Sessions.FinishPasskeySignUp(c.request, networkName(c), made)
	if err != nil {
		return nil, err
	}
	a.trust(out.cookies)
	return out, nil
}

// ListPasskeys lists the caller's passkeys.
func (a *server) ListPasskeys(
	ctx context.Context, _ gen.ListPasskeysRequestObject,
) (gen.ListPasskeysResponseObject, error) {
	list, err := a.Sessions.Passkeys(ctx, callOf(ctx).caller)
	if err != nil {
		return nil, err
	}
	return gen.ListPasskeys200JSONResponse{Data: convert(list, toAPIPasskey)}, nil
}

// BeginAddingPasskey asks for another passkey of the caller.
func (a *server) BeginAddingPasskey(
	ctx context.Context, _ gen.BeginAddingPasskeyRequestObject,
) (gen.BeginAddingPasskeyResponseObject, error) {
	c := callOf(ctx)
	options, cookie, err := a.Sessions.BeginAddingPasskey(c.request, c.caller)
	if err != nil {
		return nil, err
	}
	body, err := toAPIPasskeyChallenge(options)
	return gen.BeginAddingPasskey200JSONResponse{Body: body,
		Headers: gen.BeginAddingPasskey200ResponseHeaders{SetCookie: new(cookie.String())}}, err
}

// AddPasskey adds a passkey to the caller's account.
func (a *server) AddPasskey(
	ctx context.Context, in gen.AddPasskeyRequestObject,
) (gen.AddPasskeyResponseObject, error) {
	c := callOf(ctx)
	made, err := json.Marshal(in.Body.Credential)
	if err != nil {
		return nil, err
	}
	k, err := a.Sessions.AddPasskey(c.request, c.caller, core.PasskeyInput{Name: in.Body.Name, Credential: made})
	if err != nil {
		return nil, err
	}
	return gen.AddPasskey201JSONResponse(toAPIPasskey(k)), nil
}

// fromAPIPasskeyInput leaves out the credential, about which the rules say nothing.
func fromAPIPasskeyInput(in api.PasskeyInput) core.PasskeyInput {
	return core.PasskeyInput{Name: in.Name}
}

// RenamePasskey renames one of the caller's passkeys.
func (a *server) RenamePasskey(
	ctx context.Context, in gen.RenamePasskeyRequestObject,
) (gen.RenamePasskeyResponseObject, error) {
	k, err := a.Sessions.RenamePasskey(ctx, callOf(ctx).caller, in.ID, fromAPIPasskeyPatch(*in.Body))
	if err != nil {
		return nil, err
	}
	return gen.RenamePasskey200JSONResponse(toAPIPasskey(k)), nil
}

func fromAPIPasskeyPatch(in api.PasskeyPatch) core.PasskeyRename {
	return core.PasskeyRename{Name: in.Name}
}

// RemovePasskey removes one of the caller's passkeys.
func (a *server) RemovePasskey(
	ctx context.Context, in gen.RemovePasskeyRequestObject,
) (gen.RemovePasskeyResponseObject, error) {
	if err := a.Sessions.RemovePasskey(ctx, callOf(ctx).caller, in.ID); err != nil {
		return nil, err
	}
	return gen.RemovePasskey204Response{}, nil
}

func toAPIPasskey(k core.Passkey) api.Passkey {
	return api.Passkey{ID: k.ID, Name: k.Name, CreatedAt: k.CreatedAt.UTC(), UsedAt: utc(k.UsedAt)}
}
