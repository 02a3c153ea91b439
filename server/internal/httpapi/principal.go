package httpapi

import (
	"net/http"
	"strings"

	"github.com/sininho/sininho/server/internal/core"
)

const sessionCookie = "__Host-sininho"

// identify identifies the caller and counts the request as theirs. A request with an invalid credential counts against
// its network.
func (a *server) identify(w http.ResponseWriter, r *http.Request, c *call) error {
	err := a.authenticate(r, c)
	if limited := a.limit(w, r, c); limited != nil {
		return limited
	}
	return err
}

// authenticate checks the credentials and sets the caller in c.
func (a *server) authenticate(r *http.Request, c *call) (err error) {
	if c.operation.id == receiveWebhook {
		return a.findWebhook(r, c)
	}
	if c.operation.open() {
		return nil
	}
	if header, ok := r.Header["Authorization"]; ok {
		c.caller, err = a.authenticateBearer(r, c, header)
		return err
	}
	cookie, err := r.Cookie(sessionCookie)
	if err != nil {
		return nil //nolint:nilerr // no cookie: a visitor
	}
	c.caller, err = a.authenticateSession(r, c, cookie.Value)
	return err
}

// authenticateBearer identifies the caller by an Authorization header. An invalid API key or access token is always
// refused. A malformed one is refused without a look-up, so that it cannot use up the look-ups of other callers of the
// network.
func (a *server) authenticateBearer(r *http.Request, c *call, header []string) (caller core.Caller, err error) {
	from := core.NetworkOf(c.client)
	secret, ok := bearerOrBasic(header)
	// A secret is remembered once, in whichever form it is sent. Anything else is remembered as it is, with its scheme,
	// so that a valid key sent with a wrong scheme is not remembered as invalid.
	sent := credential("key", strings.Join(header, "\n"))
	if ok {
		sent = credential("key", "Bearer "+secret)
	}
	find := func() (err error) {
		caller, err = a.Credentials.Authenticate(r.Context(), secret)
		return err
	}
	switch {
	case !ok:
		err = a.limiter.check(from, sent, func() error {
			return core.Unauthenticated(core.Text{EN: "Send the API key or access token as `Authorization: Bearer …`.",
				PT: "Envie a chave de API ou o token de acesso como `Authorization: Bearer …`."})
		})
	case core.WellFormedCredential(secret):
		err = a.limiter.lookUp(lookUps, from, sent, find)
	default:
		err = a.limiter.check(from, sent, find)
	}
	if core.IsCode(err, core.CodeUnauthenticated) { // a repeated invalid key has a limit of its own
		a.refusals.add(r.Context(), c.client, refusedKey)
		if limited := a.limiter.countFailure(sent); limited != nil {
			err = limited
		}
	}
	return caller, err
}

// authenticateSession identifies the caller by a session cookie. Where visitors are allowed, an invalid session is
// ignored, because browsers always send the cookie. A session that may not be looked up because of a limit is ignored
// for reads only: a sign-out must not appear to have succeeded.
func (a *server) authenticateSession(r *http.Request, c *call, value string) (caller core.Caller, err error) {
	known := a.limiter.bad.Contains(sessionCredential(value)) // a browser that keeps sending an ended one
	err = a.limiter.lookUp(lookUps, core.NetworkOf(c.client), sessionCredential(value), func() (err error) {
		caller, err = a.Sessions.Authenticate(r.Context(), value, r.UserAgent(), networkName(c))
		return err
	})
	if core.IsCode(err, core.CodeUnauthenticated) && !known {
		a.refusals.add(r.Context(), c.client, refusedSession)
	}
	if c.operation.visitor &&
		(core.IsCode(err, core.CodeUnauthenticated) ||
			core.IsCode(err, core.CodeRateLimited) && c.operation.rate == reads) {
		return core.Caller{}, nil
	}
	return caller, err
}

// sessionCredential returns the party under which a session is remembered.
func sessionCredential(value string) party { return credential("session", value) }

func bearer(header []string) (secret string, ok bool) {
	if len(header) != 1 {
		return "", false
	}
	scheme, secret, _ := strings.Cut(header[0], " ")
	return strings.TrimSpace(secret), strings.EqualFold(scheme, "Bearer")
}

// bearerOrBasic returns the secret of a Bearer header, or of a Basic one that has it as the user or as the password,
// and the other empty: curl -u :KEY and curl -u KEY: send that.
func bearerOrBasic(header []string) (secret string, ok bool) {
	if !isBasic(header) {
		return bearer(header)
	}
	user, password, ok := (&http.Request{Header: http.Header{"Authorization": header}}).BasicAuth()
	if !ok || (user == "") == (password == "") {
		return "", false
	}
	return user + password, true
}

func isBasic(header []string) bool {
	const scheme = "Basic "
	return len(header) == 1 && len(header[0]) >= len(scheme) && strings.EqualFold(header[0][:len(scheme)], scheme)
}

// admit refuses kinds of callers that the contract does not allow for the operation, and access tokens without its
// scope.
func (a *server) admit(_ http.ResponseWriter, _ *http.Request, c *call) error {
	o := c.operation
	switch {
	case c.caller.Is(core.CallerPublisher) && !o.bearer:
		if err := a.checkOwnPublisher(c); err != nil {
			return err
		}
		return core.Forbidden(core.Text{EN: "Only signed-in people may do this; an API key may not.",
			PT: "Só pessoas com sessão iniciada o podem fazer; uma chave de API não pode."})
	case c.caller.ByToken() && !o.token:
		return core.Forbidden(core.Text{EN: "Only people in the browser may do this; an access token may not.",
			PT: "Só pessoas no navegador o podem fazer; um token de acesso não pode."})
	case c.caller.ByToken() && o.tokenScope != anyScope:
		return c.caller.RequireScope(o.tokenScope)
	case c.caller.Is(core.CallerSubscriber) && !c.caller.ByToken() && !o.session:
		return core.Forbidden(core.Text{EN: "Only API keys may do this.", PT: "Só chaves de API o podem fazer."})
	case c.caller.Anonymous && !o.anonymous:
		return core.ErrAccountRequired()
	case c.caller.Is(core.CallerVisitor) && !o.visitor:
		if o.bearer {
			return core.Unauthenticated(core.Text{EN: "Sign in, or send an API key or access token.",
				PT: "Inicie sessão ou envie uma chave de API ou um token de acesso."})
		}
		return core.Unauthenticated(core.Text{EN: "Sign in first.", PT: "Inicie sessão primeiro."})
	}
	return nil
}

// checkOwnPublisher returns a not-found error when the path names a publisher other than the API key's.
func (a *server) checkOwnPublisher(c *call) error {
	slug := pathValue(c.request, "publisherSlug")
	if slug == "" {
		return nil
	}
	return a.Publishers.CheckOwn(c.request.Context(), c.caller, slug)
}
