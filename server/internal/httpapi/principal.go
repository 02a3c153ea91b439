package httpapi

import (
	"net/http"
	"strings"

	"github.com/sininho/sininho/server/internal/core"
)

const sessionCookie = "__Host-sininho"

// identify finds out who calls and counts the request as theirs; one with a bad credential counts as its address's.
func (a *server) identify(w http.ResponseWriter, r *http.Request, c *call) error {
	caller, err := a.whoCalls(r, c)
	c.caller = caller
	if limited := a.limit(w, r, c); limited != nil {
		return limited
	}
	return err
}

// whoCalls looks at the credentials. An API key that is not good is always refused. A session that is not good is passed
// over where visitors are welcome: the browser sends the cookie whether it is wanted or not.
func (a *server) whoCalls(r *http.Request, c *call) (core.Caller, error) {
	if c.operation.open() {
		return core.Caller{}, nil
	}
	if header, ok := r.Header["Authorization"]; ok {
		return a.byKey(r, c, header)
	}
	cookie, err := r.Cookie(sessionCookie)
	if err != nil {
		return core.Caller{}, nil //nolint:nilerr // no cookie: a visitor
	}
	caller, err := a.Sessions.Authenticate(r.Context(), cookie.Value)
	if core.IsCode(err, core.CodeUnauthenticated) && c.operation.visitor {
		return core.Caller{}, nil
	}
	return caller, err
}

// byKey finds the caller of an Authorization header.
func (a *server) byKey(r *http.Request, c *call, header []string) (core.Caller, error) {
	secret, ok := bearer(header)
	if err := a.limiter.mayTry(c.client, secret); err != nil {
		return core.Caller{}, err
	}
	if !ok {
		a.limiter.tried(c.client, secret, false)
		return core.Caller{}, core.Unauthenticated(core.Text{EN: "Send the API key as `Authorization: Bearer snh_live_…`.",
			PT: "Envie a chave de API como `Authorization: Bearer snh_live_…`."})
	}
	caller, err := a.APIKeys.Authenticate(r.Context(), secret)
	if err == nil || core.IsCode(err, core.CodeUnauthenticated) {
		a.limiter.tried(c.client, secret, err == nil)
	}
	return caller, err
}

func bearer(header []string) (secret string, ok bool) {
	if len(header) != 1 {
		return "", false
	}
	scheme, secret, _ := strings.Cut(header[0], " ")
	return strings.TrimSpace(secret), strings.EqualFold(scheme, "Bearer")
}

// admit refuses callers of a kind that the contract does not let in.
func (a *server) admit(_ http.ResponseWriter, _ *http.Request, c *call) error {
	o := c.operation
	switch {
	case c.caller.Is(core.CallerPublisher) && !o.bearer:
		return core.Forbidden(core.Text{EN: "This is for signed-in people; an API key cannot do it.", PT: "Isto é para pessoas com sessão iniciada; uma chave de API não o pode fazer."})
	case c.caller.Is(core.CallerSubscriber) && !o.session:
		return core.Forbidden(core.Text{EN: "This is for API keys.", PT: "Isto é para chaves de API."})
	case c.caller.Kind == "" && !o.visitor:
		if o.bearer {
			return core.Unauthenticated(core.Text{EN: "Sign in or send an API key.", PT: "Inicie sessão ou envie uma chave de API."})
		}
		return core.Unauthenticated(core.Text{EN: "Sign in first.", PT: "Inicie sessão primeiro."})
	}
	return nil
}
