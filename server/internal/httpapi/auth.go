package httpapi

import (
	"cmp"
	"context"
	"net/http"

	"github.com/sininho/sininho/pkg/api"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/httpapi/gen"
)

// GetAuth returns the caller and the ways to sign in.
func (a *server) GetAuth(ctx context.Context, _ gen.GetAuthRequestObject) (gen.GetAuthResponseObject, error) {
	caller := callOf(ctx).caller
	auth := api.Auth{
		Caller:        api.CallerKind(cmp.Or(caller.Kind, core.CallerVisitor)),
		Scopes:        convert(caller.Scopes, func(s core.Scope) api.CallerScope { return api.CallerScope(s) }),
		ExpiresAt:     utc(caller.ExpiresAt),
		SignInMethods: []api.SignInMethod{{Kind: api.SignInMethodKindGoogle, URL: base + "/auth/google"}},
	}
	switch caller.Kind {
	case core.CallerSubscriber:
		s, err := a.Subscribers.Get(ctx, caller)
		if err != nil {
			return nil, err
		}
		auth.Subscriber = new(a.Pictures.toAPISubscriber(s))
		auth.Operator = optional(a.Operators.Has(s.Email))
	case core.CallerPublisher:
		p, err := a.Publishers.Own(ctx, caller)
		if err != nil {
			return nil, err
		}
		auth.Publisher = new(a.Pictures.toAPIPublisherRef(p))
	default:
		auth.Suspension = toAPISuspended(a.Sessions.Suspension(callOf(ctx).request))
	}
	return gen.GetAuth200JSONResponse(auth), nil
}

// SignOut ends the caller's session, or revokes the access token that the request was sent with.
func (a *server) SignOut(ctx context.Context, _ gen.SignOutRequestObject) (gen.SignOutResponseObject, error) {
	caller := callOf(ctx).caller
	if caller.ByToken() {
		if err := a.AccessTokens.Revoke(ctx, caller, caller.TokenID); err != nil {
			return nil, err
		}
		return gen.SignOut204Response{}, nil
	}
	cookie, err := a.Sessions.SignOut(ctx, caller)
	if err != nil {
		return nil, err
	}
	return gen.SignOut204Response{Headers: gen.SignOut204ResponseHeaders{SetCookie: new(cookie.String())}}, nil
}

// SignInWithGoogle redirects the browser to Google.
func (a *server) SignInWithGoogle(
	ctx context.Context, in gen.SignInWithGoogleRequestObject,
) (gen.SignInWithGoogleResponseObject, error) {
	location, cookie := a.Sessions.Begin(callOf(ctx).request, value(in.Params.Redirect), value(in.Params.LoginHint),
		value(in.Params.Invitation))
	out := redirect{location: location}
	if cookie != nil {
		out.cookies = append(out.cookies, cookie)
	}
	return out, nil
}

// FinishGoogleSignIn handles the redirect back from Google. It marks the new session as valid at once, so that failed
// attempts by others at the same address cannot lock its owner out.
func (a *server) FinishGoogleSignIn(
	ctx context.Context, in gen.FinishGoogleSignInRequestObject,
) (gen.FinishGoogleSignInResponseObject, error) {
	c := callOf(ctx)
	location, cookies := a.Sessions.Finish(c.request, networkName(c), value(in.Params.State), value(in.Params.Code),
		value(in.Params.Error))
	for _, cookie := range cookies {
		if cookie.Name == sessionCookie {
			a.limiter.trust(sessionCredential(cookie.Value))
		}
	}
	return redirect{location, cookies}, nil
}

// redirect is a 302 response with any number of cookies.
type redirect struct {
	location string
	cookies  []*http.Cookie
}

// VisitSignInWithGoogleResponse implements gen.SignInWithGoogleResponseObject.
func (o redirect) VisitSignInWithGoogleResponse(w http.ResponseWriter) error {
	for _, c := range o.cookies {
		http.SetCookie(w, c)
	}
	w.Header().Set("Referrer-Policy", "no-referrer") // the URL contains a code
	w.Header().Set("Location", o.location)
	w.WriteHeader(http.StatusFound)
	return nil
}

// VisitFinishGoogleSignInResponse implements gen.FinishGoogleSignInResponseObject.
func (o redirect) VisitFinishGoogleSignInResponse(w http.ResponseWriter) error {
	return o.VisitSignInWithGoogleResponse(w)
}
