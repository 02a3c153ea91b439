package session

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/check"
	"github.com/sininho/sininho/server/internal/core"
)

// fault makes a provider lie or fail, or no longer.
func (w *world) fault(p OIDC, fault string) {
	w.t.Helper()
	res, err := http.Post(p.Issuer+"/faults", "application/json", strings.NewReader(fault))
	if err != nil || res.StatusCode != http.StatusNoContent {
		w.t.Fatalf("set the fault %s: %v, %v", fault, res, err)
	}
	_ = res.Body.Close()
}

// at signs a new browser in at a provider, and returns where that ends and who is signed in.
func (w *world) at(provider string) (to string, who core.Caller) {
	w.t.Helper()
	b := w.browser()
	to = w.follow(b, w.follow(b, w.follow(b, base+"/oidc/"+provider+"?login_hint=ana@example.com")))
	if secret := w.cookie(b); secret != "" {
		who = w.authenticate("the session", secret, "")
	}
	return to, who
}

func TestOpenID(t *testing.T) {
	w := newWorld(t)
	to, ana := w.at("acme")
	check.Equal(t, "page of a new person", to, "/onboarding")
	_, again := w.at("acme")
	check.Equal(t, "person at the second sign-in", again.SubscriberID, ana.SubscriberID)
	_, other := w.at("globex")
	check.Equal(t, "the same subject at another provider is another person", other.SubscriberID == ana.SubscriberID, false)
}

// TestOpenIDKeysRotate expects a token that is signed with a new key to be accepted at once.
func TestOpenIDKeysRotate(t *testing.T) {
	w := newWorld(t)
	w.at("acme")
	for range 3 {
		res, err := http.Post(w.manager.OIDC[0].Issuer+"/keys", "", nil)
		wantNoError(t, "rotate the keys", err)
		_ = res.Body.Close()
		to, _ := w.at("acme")
		check.Equal(t, "page after a rotation", to, "/onboarding")
	}
}

// TestALyingProvider has a provider send what it must not, and expects no session.
func TestALyingProvider(t *testing.T) {
	w := newWorld(t)
	w.at("acme")
	for fault, want := range map[string]string{
		`{"nonce":"another"}`:                            failedState,
		`{"audience":"another"}`:                         failedState,
		`{"issuer":"https://accounts.google.com"}`:       failedState,
		`{"expired":true}`:                               failedState,
		`{"signature":"none"}`:                           failedState,
		`{"signature":"foreign"}`:                        failedState,
		`{"responseIssuer":"https://evil.example"}`:      failedState,
		`{"emailVerified":false}`:                        failedDenied,
		`{"emailless":true,"emailVerified":false}`:       failedDenied,
		`{"emailless":true,"infoSubject":"another"}`:     failedState,
		`{"email":"no address"}`:                         failedUnavailable,
		`{"subject":"` + strings.Repeat("1", 256) + `"}`: failedUnavailable,
	} {
		w.fault(w.manager.OIDC[0], fault)
		to, who := w.at("acme")
		check.Equal(t, "page with the fault "+fault, to, "/login?error="+want)
		check.Equal(t, "signed in with the fault "+fault, who.SessionID != core.ID{}, false)
	}
	w.fault(w.manager.OIDC[0], `{"emailless":true}`)
	to, _ := w.at("acme")
	check.Equal(t, "page if the profile has the address", to, "/onboarding")
}

// TestMixUp brings what one provider gave to the callback of another, as a provider does that wants the code of the
// other.
func TestMixUp(t *testing.T) {
	w := newWorld(t)
	b := w.browser()
	back, err := url.Parse(w.follow(b, w.follow(b, base+"/oidc/acme?login_hint=ana@example.com")))
	wantNoError(t, "parse the callback", err)
	back.Path = base + "/oidc/globex/callback"
	check.Equal(t, "page at the other callback", w.follow(b, back.String()), "/login?error=state")
	check.Equal(t, "signed in", w.cookie(b), "")
	// The browser has a sign-in at each; the code of one comes with the state of the other, and with either name.
	for _, named := range w.manager.OIDC {
		b = w.browser()
		acme, _ := url.Parse(w.follow(b, w.follow(b, base+"/oidc/acme?login_hint=ana@example.com")))
		globex, _ := url.Parse(w.follow(b, w.follow(b, base+"/oidc/globex?login_hint=ana@example.com")))
		query := acme.Query()
		query.Set("state", globex.Query().Get("state"))
		query.Set("iss", named.Issuer)
		globex.RawQuery = query.Encode()
		check.Equal(t, "page with the code of the other and the name "+named.Name, w.follow(b, globex.String()),
			"/login?error=state")
		check.Equal(t, "signed in", w.cookie(b), "")
	}
}

// TestAProviderWithoutItsName expects one that names itself in callbacks to do so always.
func TestAProviderWithoutItsName(t *testing.T) {
	w := newWorld(t)
	b := w.browser()
	back, _ := url.Parse(w.follow(b, w.follow(b, base+"/oidc/acme?login_hint=ana@example.com")))
	query := back.Query()
	query.Del("iss")
	back.RawQuery = query.Encode()
	check.Equal(t, "page", w.follow(b, back.String()), "/login?error=state")
}

// TestAProviderThatIsDown expects a page that says so, and what the provider said earlier to be used on.
func TestAProviderThatIsDown(t *testing.T) {
	w := newWorld(t)
	acme := w.manager.OIDC[0]
	w.fault(acme, `{"down":true}`)
	b := w.browser()
	check.Equal(t, "page", w.follow(b, base+"/oidc/acme?redirect=/feed"), "/login?error=unavailable&redirect=%2Ffeed")
	w.fault(acme, `{}`)
	w.at("acme")
	w.fault(acme, `{"down":true}`)
	w.pass(discoveredFor + time.Minute)
	if to := w.follow(b, base+"/oidc/acme"); !strings.HasPrefix(to, acme.Issuer+"/authorize?") {
		t.Errorf("page of a provider that was there before: got %s, want its own", to)
	}
}
