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
		SignInMethods: convert(a.Sessions.Methods(), toAPISignInMethod),
	}
	switch caller.Kind {
	case core.CallerSubscriber:
		s, err := a.Subscribers.Get(ctx, caller)
		if err != nil {
			return nil, err
		}
		auth.Subscriber = new(a.Pictures.toAPISubscriber(s))
		auth.Operator = optional(a.Operators.Has(s))
		publishes, err := a.Publishers.HasAny(ctx, caller)
		if err != nil {
			return nil, err
		}
		auth.Publishes = optional(publishes)
	case core.CallerPublisher:
		p, err := a.Publishers.Own(ctx, caller)
		if err != nil {
			return nil, err
		}
		auth.Publisher = new(a.Pictures.toAPIPublisherRef(p))
	default:
		auth.Suspension = toAPISuspended(a.Sessions.Suspension(callOf(ctx).request))
	}
	out := gen.GetAuth200JSONResponse{Body: auth}
	if cookie := a.Sessions.Renewed(callOf(ctx).request, caller); cookie != nil {
		out.Headers.SetCookie = new(cookie.String())
	}
	return out, nil
}

// SignInAnonymously makes the browser an anonymous subscriber.
func (a *server) SignInAnonymously(
	ctx context.Context, _ gen.SignInAnonymouslyRequestObject,
) (gen.SignInAnonymouslyResponseObject, error) {
	c := callOf(ctx)
	cookie, err := a.Sessions.StartAnonymously(c.request, networkName(c), c.caller)
	if err != nil || cookie == nil {
		return gen.SignInAnonymously204Response{}, err
	}
	a.trust([]*http.Cookie{cookie})
	return gen.SignInAnonymously204Response{
		Headers: gen.SignInAnonymously204ResponseHeaders{SetCookie: new(cookie.String())}}, nil
}

// SignOut ends the caller's session, or revokes the access token that the request was sent with. An anonymous
// subscriber is deleted, because nobody could be them again.
func (a *server) SignOut(ctx context.Context, _ gen.SignOutRequestObject) (gen.SignOutResponseObject, error) {
	caller := callOf(ctx).caller
	if caller.ByToken() {
		if err := a.AccessTokens.Revoke(ctx, caller, caller.TokenID); err != nil {
			return nil, err
		}
		return gen.SignOut204Response{}, nil
	}
	if caller.Anonymous {
		if err := a.Subscribers.Delete(ctx, caller); err != nil && !core.IsCode(err, core.CodeNotFound) {
			return nil, err
		}
		caller = core.Caller{} // the session was deleted with the subscriber
	}
	cookie, err := a.Sessions.SignOut(ctx, caller)
	if err != nil {
		return nil, err
	}
	return gen.SignOut204Response{Headers: gen.SignOut204ResponseHeaders{SetCookie: new(cookie.String())}}, nil
}

// toAPISignInMethod leaves out the names of ways that need none.
func toAPISignInMethod(m core.SignInMethod) api.SignInMethod {
	out := api.SignInMethod{Kind: api.SignInMethodKind(m.Kind), Provider: optional(m.Provider), URL: m.URL}
	if m.Kind == core.SignInOIDC {
		out.Name = &m.Name
	}
	return out
}

// SignInWithGoogle redirects the browser to Google.
func (a *server) SignInWithGoogle(
	ctx context.Context, in gen.SignInWithGoogleRequestObject,
) (gen.SignInWithGoogleResponseObject, error) {
	return a.beginSignIn(ctx, core.SignInGoogle, "", core.SignInStart{Redirect: value(in.Params.Redirect),
		LoginHint: value(in.Params.LoginHint), Invitation: value(in.Params.Invitation)})
}

// SignInWithProvider redirects the browser to an OpenID provider.
func (a *server) SignInWithProvider(
	ctx context.Context, in gen.SignInWithProviderRequestObject,
) (gen.SignInWithProviderResponseObject, error) {
	return a.beginSignIn(ctx, core.SignInOIDC, in.Provider, core.SignInStart{Redirect: value(in.Params.Redirect),
		LoginHint: value(in.Params.LoginHint), Invitation: value(in.Params.Invitation)})
}

func (a *server) beginSignIn(
	ctx context.Context, kind core.SignInKind, name string, in core.SignInStart,
) (redirect, error) {
	location, cookie, err := a.Sessions.Begin(callOf(ctx).request, kind, name, in)
	out := redirect{location: location}
	if cookie != nil {
		out.cookies = append(out.cookies, cookie)
	}
	return out, err
}

// FinishGoogleSignIn handles the redirect back from Google.
func (a *server) FinishGoogleSignIn(
	ctx context.Context, in gen.FinishGoogleSignInRequestObject,
) (gen.FinishGoogleSignInResponseObject, error) {
	return a.finishSignIn(ctx, core.SignInGoogle, "", core.SignInCallback{State: value(in.Params.State),
		Code: value(in.Params.Code), Error: value(in.Params.Error)})
}

// FinishProviderSignIn handles the redirect back from an OpenID provider.
func (a *server) FinishProviderSignIn(
	ctx context.Context, in gen.FinishProviderSignInRequestObject,
) (gen.FinishProviderSignInResponseObject, error) {
	return a.finishSignIn(ctx, core.SignInOIDC, in.Provider, core.SignInCallback{State: value(in.Params.State),
		Code: value(in.Params.Code), Error: value(in.Params.Error), Issuer: value(in.Params.Iss)})
}

func (a *server) finishSignIn(
	ctx context.Context, kind core.SignInKind, name string, back core.SignInCallback,
) (redirect, error) {
	c := callOf(ctx)
	location, cookies, err := a.Sessions.Finish(c.request, networkName(c), kind, name, back)
	a.trust(cookies)
	return redirect{location, cookies}, err
}

// trust marks a new session as valid at once, so that failed attempts by others at the same address cannot lock its
// owner out.
func (a *server) trust(cookies []*http.Cookie) {
	for _, cookie := range cookies {
		if cookie.Name == sessionCookie {
			a.limiter.trust(sessionCredential(cookie.Value))
		}
	}
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

// VisitSignInWithProviderResponse implements gen.SignInWithProviderResponseObject.
func (o redirect) VisitSignInWithProviderResponse(w http.ResponseWriter) error {
	return o.VisitSignInWithGoogleResponse(w)
}

// VisitFinishProviderSignInResponse implements gen.FinishProviderSignInResponseObject.
func (o redirect) VisitFinishProviderSignInResponse(w http.ResponseWriter) error {
	return o.VisitSignInWithGoogleResponse(w)
}
