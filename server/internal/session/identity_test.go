package session

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/lab/check"
)

// add begins to add an identity as the person who is signed in in a browser, and keeps the cookie there.
func (w *world) add(b *http.Client, in core.IdentityInput) (location string) {
	w.t.Helper()
	location, cookie, err := w.manager.BeginAdding(requestOf(b, w), network, w.authenticate("the session", w.cookie(b), ""), in)
	wantNoError(w.t, "begin to add an identity", err)
	b.Jar.SetCookies(w.manager.PublicURL, []*http.Cookie{cookie})
	return location
}

func TestAddingAnIdentity(t *testing.T) {
	w := newWorld(t)
	b := w.browser()
	w.signIn(b, "login_hint=ana@example.com")
	ana := w.authenticate("the session", w.cookie(b), "")
	atAcme := core.IdentityInput{Kind: core.SignInOIDC, Provider: "acme", Redirect: "/settings#ways"}
	chosen := func(location string) string { return location + "&login_hint=ana@example.com" }
	check.Equal(t, "page", w.follow(b, w.follow(b, chosen(w.add(b, atAcme)))), "/settings#ways")
	_, who := w.at("acme")
	check.Equal(t, "person at the added provider", who.SubscriberID, ana.SubscriberID)
	check.Equal(t, "page if it is taken", w.follow(b, w.follow(b, chosen(w.add(b, atAcme)))),
		"/settings?error=taken#ways")

	cookie, _ := url.Parse(w.add(b, core.IdentityInput{Kind: core.SignInEmail, Email: "ana@example.org",
		Redirect: "/settings"}))
	check.Equal(t, "page for the code", cookie.Path, "/login/code")
	r := httptest.NewRequest(http.MethodPost, "/", nil)
	for _, c := range b.Jar.Cookies(w.manager.PublicURL) {
		r.AddCookie(c)
	}
	to, _, err := w.manager.FinishEmail(r, network, w.manager.Emails.Codes.Code(w.store.emails[0].ID))
	wantNoError(t, "give the code", err)
	check.Equal(t, "page after the code", to, "/settings")
	email, code := w.beginEmail("ana@example.org", "/")
	_, cookies, err := w.manager.FinishEmail(request(email), network, code)
	wantNoError(t, "sign in with the added address", err)
	check.Equal(t, "person", w.authenticate("the session", sessionIn(cookies), "").SubscriberID, ana.SubscriberID)
}

// TestAddingAsSomebodyElse expects nothing to be added when the browser is no longer that of the person who asked.
func TestAddingAsSomebodyElse(t *testing.T) {
	for _, other := range []string{"", "login_hint=bia@example.com"} {
		w := newWorld(t)
		b := w.browser()
		w.signIn(b, "login_hint=ana@example.com")
		location := w.add(b, core.IdentityInput{Kind: core.SignInOIDC, Provider: "acme", Redirect: "/settings"})
		back := w.follow(b, location+"&login_hint=mallory@example.com")
		if other == "" {
			b.Jar.SetCookies(w.manager.PublicURL, []*http.Cookie{cookie(CookieName, "", -1)})
		} else {
			w.signIn(b, other)
		}
		check.Equal(t, "page", w.follow(b, back), "/settings?error=state")
		for key := range w.store.subscribers {
			check.Equal(t, "an identity at Acme was added as "+other, key[:len(core.IssuerGoogle)], core.IssuerGoogle)
		}
	}
}
