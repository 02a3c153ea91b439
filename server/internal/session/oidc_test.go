package session

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/lab/check"
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
		`{"nonce":"another"}`:                               failedState,
		`{"audience":"another"}`:                            failedState,
		`{"issuer":"https://accounts.google.com"}`:          failedState,
		`{"expired":true}`:                                  failedState,
		`{"signature":"none"}`:                              failedState,
		`{"signature":"foreign"}`:                           failedState,
		`{"responseIssuer":"https://evil.example"}`:         failedState,
		`{"emailVerified":false}`:                           failedUnverified,
		`{"emailVerified":"false"}`:                         failedUnverified,
		`{"emailVerified":"none"}`:                          failedUnverified,
		`{"emailVerified":false,"infoVerified":true}`:       failedUnverified,
		`{"emailVerified":"none","infoVerified":false}`:     failedUnverified,
		`{"emailless":true,"emailVerified":false}`:          failedUnverified,
		`{"email":"none"}`:                                  failedNoEmail,
		`{"tenant":"72f988bf-86f1-41af-91ab-2d7cd011db47"}`: failedState,
		`{"emailless":true,"infoSubject":"another"}`:        failedState,
		`{"email":"no address"}`:                            failedUnavailable,
		`{"subject":"` + strings.Repeat("1", 256) + `"}`:    failedUnavailable,
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

// change changes the settings of a provider.
func (w *world) change(id string, change func(*OIDC)) {
	for i, p := range w.manager.providers {
		if o, ok := p.(*openID); ok && o.ID == id {
			settings := o.OIDC
			change(&settings)
			w.manager.providers[i] = newOIDC(settings, o.callback, o.client, w.clock)
		}
	}
}

const tenant = "72f988bf-86f1-41af-91ab-2d7cd011db47"

// TestProvidersAsTheyAre signs in at providers that report what the real ones do.
func TestProvidersAsTheyAre(t *testing.T) {
	several := func(o *OIDC) { o.Issuer += "/common/v2.0" }
	trusted := func(o *OIDC) { o.TrustEmail = true }
	w := newWorld(t)
	w.pass(time.Since(w.clock())) // tokens are of now
	w.store.onboarded = new(w.clock())
	for name, c := range map[string]struct {
		fault  string
		change func(*OIDC)
		want   string
	}{
		"Keycloak": {fault: `{}`},
		"Authentik, trusted": {fault: `{"emailVerified":false,"slash":true}`,
			change: func(o *OIDC) { o.Issuer, o.TrustEmail = o.Issuer+"/", true }},
		"Authentik, without its slash":   {fault: `{"slash":true}`},
		"Authentik, not trusted":         {fault: `{"emailVerified":false}`, want: failedUnverified},
		"a text":                         {fault: `{"emailVerified":"True"}`},
		"in the user info alone":         {fault: `{"emailVerified":"none","infoVerified":"true"}`},
		"ES256":                          {fault: `{"algorithm":"ES256"}`},
		"a clock that is late":           {fault: `{"lateSeconds":45}`},
		"nothing optional":               {fault: `{"minimal":true}`},
		"nothing optional, and no email": {fault: `{"minimal":true,"email":"none"}`, want: failedNoEmail},
		"Entra, trusted":                 {fault: `{"emailVerified":"none"}`, change: trusted},
		"Entra, not trusted":             {fault: `{"emailVerified":"none"}`, want: failedUnverified},
		"Entra, without an address but with a user name": {fault: `{"email":"none"}`, change: trusted,
			want: failedNoEmail},
		"Entra of several organizations": {fault: `{"emailVerified":"none","domainVerified":"1","tenant":"` + tenant + `"}`,
			change: several},
		"Entra of several organizations is not trusted": {fault: `{"emailVerified":"none","tenant":"` + tenant + `"}`,
			change: func(o *OIDC) { several(o); trusted(o) }, want: failedUnverified},
		"another organization's issuer": {change: several, want: failedState,
			fault: `{"tenant":"` + tenant + `","issuer":"https://login.example/` + tenant + `/v2.0"}`},
		"no organization": {change: several, want: failedState, fault: `{"tenant":"x/../y"}`},
	} {
		w.log.Reset()
		w.change("acme", func(o *OIDC) {
			*o = w.manager.OIDC[0]
			if c.change != nil {
				c.change(o)
			}
		})
		w.fault(w.manager.OIDC[0], c.fault)
		to, who := w.at("acme")
		want := "/"
		if c.want != "" {
			want = "/login?error=" + c.want
		}
		check.Equal(t, name+": page", to, want)
		check.Equal(t, name+": signed in", who.SessionID != core.ID{}, c.want == "")
		if c.want == failedUnverified || c.want == failedNoEmail {
			check.Equal(t, name+": the log says why", strings.Contains(w.log.String(), "level=WARN") &&
				strings.Contains(w.log.String(), "issuer=") && strings.Contains(w.log.String(), "email"), true)
		}
	}
}

// TestOrganizationsAreApart expects the same subject in two organizations to be two people.
func TestOrganizationsAreApart(t *testing.T) {
	w := newWorld(t)
	w.change("acme", func(o *OIDC) { o.Issuer += "/common/v2.0" })
	w.fault(w.manager.OIDC[0], `{"domainVerified":true,"tenant":"`+tenant+`"}`)
	_, ana := w.at("acme")
	_, again := w.at("acme")
	check.Equal(t, "person at the second sign-in", again.SubscriberID, ana.SubscriberID)
	w.fault(w.manager.OIDC[0], `{"domainVerified":true,"tenant":"00000000-86f1-41af-91ab-2d7cd011db47"}`)
	_, other := w.at("acme")
	check.Equal(t, "another person", other.SubscriberID != ana.SubscriberID && other.SubscriberID != core.ID{}, true)
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
