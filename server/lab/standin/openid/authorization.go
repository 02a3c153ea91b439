package openid

import (
	"cmp"
	"net/http"
	"net/url"
	"regexp"
)

// authorization is an application's request to sign someone in.
type authorization struct {
	ClientID, RedirectURI, ResponseType, State, Scope string
	CodeChallenge, CodeChallengeMethod, Nonce         string
}

// grant is the permission that a code is exchanged for.
type grant struct {
	person                                   person
	redirectURI, codeChallenge, scope, nonce string
}

// oauthError is an error in the form of RFC 6749.
type oauthError struct{ code, description string }

func readAuthorization(query url.Values) authorization {
	return authorization{
		ClientID: query.Get("client_id"), RedirectURI: query.Get("redirect_uri"),
		ResponseType: query.Get("response_type"), State: query.Get("state"), Scope: query.Get("scope"),
		CodeChallenge: query.Get("code_challenge"), CodeChallengeMethod: query.Get("code_challenge_method"),
		Nonce: query.Get("nonce"),
	}
}

// authorize shows the choice of people, or redirects back to the application: with a code for the chosen person, or
// with an error.
func (g *Provider) authorize(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	in := readAuthorization(query)
	if fault := g.untrusted(in, query); fault != "" {
		g.showFault(w, fault) // no redirect, because the address is not trusted
		return
	}
	if refusal := in.check(query); refusal != nil {
		in.refuse(w, r, *refusal)
		return
	}
	if query.Has("refuse") { // the choice page's link to refuse
		in.refuse(w, r, oauthError{"access_denied", "The person refused."})
		return
	}
	hint := query.Get("login_hint")
	who, ok := parsePerson(hint)
	if !ok {
		g.showChoice(w, in, hint)
		return
	}
	code := g.codes.put(grant{
		person: who, redirectURI: in.RedirectURI, codeChallenge: in.CodeChallenge, scope: in.Scope, nonce: in.Nonce,
	})
	// Google adds these parameters too, which an application must tolerate.
	in.redirect(w, r, url.Values{"code": {code}, "scope": {in.Scope}, "authuser": {"0"}, "prompt": {"none"},
		"iss": {cmp.Or(g.faults.current().ResponseIssuer, g.faults.current().tokenIssuer(issuer(r)))}})
}

// untrusted returns an error text in Portuguese if the client or its redirect address is invalid, otherwise an empty
// string.
func (g *Provider) untrusted(in authorization, query url.Values) string {
	switch {
	case len(query["client_id"]) > 1 || len(query["redirect_uri"]) > 1:
		return "client_id ou redirect_uri aparece mais de uma vez."
	case in.ClientID != g.config.ClientID:
		return "O client_id não é o desta aplicação."
	case !g.allowsRedirect(in.RedirectURI):
		return "O redirect_uri falta ou não é permitido."
	}
	return ""
}

var s256Challenge = regexp.MustCompile(`^[A-Za-z0-9_-]{43}$`)

// check returns a fault that may be reported to the application by redirect.
func (in authorization) check(query url.Values) *oauthError {
	if name := repeated(query); name != "" {
		return &oauthError{"invalid_request", "Given more than once: " + name}
	}
	switch {
	case in.ResponseType == "":
		return &oauthError{"invalid_request", "Required parameter is missing: response_type"}
	case in.ResponseType != "code":
		return &oauthError{"unsupported_response_type", "The only response_type is code."}
	case in.State == "":
		return &oauthError{"invalid_request", "Required parameter is missing: state"}
	case in.CodeChallengeMethod != "S256":
		return &oauthError{"invalid_request", "code_challenge_method has to be S256."}
	case !s256Challenge.MatchString(in.CodeChallenge):
		return &oauthError{"invalid_request", "code_challenge has to be a SHA-256 in base64url, 43 characters."}
	}
	return nil
}

// repeated returns the name of a parameter that occurs twice, which RFC 6749 forbids.
func repeated(values url.Values) string {
	for name, all := range values {
		if len(all) > 1 {
			return name
		}
	}
	return ""
}

func (in authorization) refuse(w http.ResponseWriter, r *http.Request, e oauthError) {
	in.redirect(w, r, url.Values{"error": {e.code}, "error_description": {e.description}})
}

// redirect redirects the browser to the application. The query of the redirect address is kept.
func (in authorization) redirect(w http.ResponseWriter, r *http.Request, more url.Values) {
	to, err := url.Parse(in.RedirectURI)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest) // cannot happen: it was checked
		return
	}
	query := to.Query()
	for name, values := range more {
		if values[0] != "" {
			query[name] = values
		}
	}
	if in.State != "" {
		query.Set("state", in.State)
	}
	to.RawQuery = query.Encode()
	noStore(w)
	http.Redirect(w, r, to.String(), http.StatusFound)
}

// noStore keeps codes, tokens and personal data out of caches, and codes out of the next page's Referer.
func noStore(w http.ResponseWriter) {
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Referrer-Policy", "no-referrer")
}
