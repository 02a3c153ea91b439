package httpapi

import (
	"context"
	"net/http"

	"github.com/sininho/sininho/pkg/api"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/httpapi/gen"
)

// BeginEmailSignIn emails a code to sign in with.
func (a *server) BeginEmailSignIn(
	ctx context.Context, in gen.BeginEmailSignInRequestObject,
) (gen.BeginEmailSignInResponseObject, error) {
	c := callOf(ctx)
	cookie, err := a.Sessions.BeginEmail(c.request, networkName(c), fromAPIEmailSignInInput(*in.Body))
	if err != nil {
		return nil, err
	}
	return gen.BeginEmailSignIn204Response{
		Headers: gen.BeginEmailSignIn204ResponseHeaders{SetCookie: new(cookie.String())}}, nil
}

func fromAPIEmailSignInInput(in api.EmailSignInInput) core.EmailSignInInput {
	return core.EmailSignInInput{Email: in.Email,
		SignInStart: core.SignInStart{Redirect: value(in.Redirect), Invitation: value(in.Invitation)}}
}

// FinishEmailSignIn takes an emailed code. Codes are short enough to be guessed, so they have a small quota of
// failures.
func (a *server) FinishEmailSignIn(
	ctx context.Context, in gen.FinishEmailSignInRequestObject,
) (gen.FinishEmailSignInResponseObject, error) {
	c := callOf(ctx)
	var out destination
	err := a.limiter.attempt(guesses, core.NetworkOf(c.client), func() (err error) {
		out.location, out.cookies, err = a.Sessions.FinishEmail(c.request, networkName(c), in.Body.Code)
		return err
	}, isWrongCode)
	if err != nil {
		if isWrongCode(err) {
			a.refusals.add(ctx, c.client, refusedEmailCode)
		}
		return nil, err
	}
	a.trust(out.cookies)
	return out, nil
}

func isWrongCode(err error) bool {
	return core.IsCode(err, core.CodeInvalid) || core.IsCode(err, core.CodeNotFound)
}

// destination is a 200 response that names the page to go to, with any number of cookies.
type destination redirect

// VisitFinishEmailSignInResponse implements gen.FinishEmailSignInResponseObject.
func (o destination) VisitFinishEmailSignInResponse(w http.ResponseWriter) error {
	for _, c := range o.cookies {
		http.SetCookie(w, c)
	}
	return gen.FinishEmailSignIn200JSONResponse{Body: api.Destination{URL: o.location}}.
		VisitFinishEmailSignInResponse(w)
}
