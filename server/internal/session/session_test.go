package session

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/sininho/sininho/server/internal/core"
)

func TestSignIn(t *testing.T) {
	w := newWorld(t)
	b := w.browser()
	if to := w.signIn(b, "redirect=/feed&login_hint=ana@example.com"); to != "/onboarding" {
		t.Fatalf("sent to %q", to)
	}
	first, err := w.manager.Authenticate(t.Context(), w.cookie(b))
	if err != nil || !first.Is(core.CallerSubscriber) {
		t.Fatalf("%+v, %v", first, err)
	}
	for hash := range w.store.sessions {
		if strings.Contains(hash, w.cookie(b)) {
			t.Error("the secret is kept as it is")
		}
	}

	// Sign in again, now onboarded: a new session is created and the previous one ends.
	old := w.cookie(b)
	now := w.clock()
	w.store.onboarded = &now
	if to := w.signIn(b, "redirect=/channels/a/b%3Fx=1&login_hint=ana@example.com"); to != "/channels/a/b?x=1" {
		t.Errorf("sent to %q", to)
	}
	if w.cookie(b) == old || w.store.count() != 1 || len(w.store.signedOut) != 1 || w.store.signedOut[0] != first.SessionID {
		t.Errorf("not rotated: %d sessions, signed out %v", w.store.count(), w.store.signedOut)
	}
	if _, err := w.manager.Authenticate(t.Context(), old); !core.IsCode(err, core.CodeUnauthenticated) {
		t.Errorf("the old session: %v", err)
	}
}

func TestCookies(t *testing.T) {
	w := newWorld(t)
	r := httptest.NewRequest(http.MethodGet, w.server.URL+"/api/v1/auth/google", nil)
	location, c := w.manager.Begin(r, "https://evil.example/", "", "")
	u, _ := url.Parse(location)
	if q := u.Query(); q.Get("code_challenge_method") != "S256" || q.Get("state") == "" || q.Get("redirect_uri") != w.server.URL+callbackPath || q.Has("login_hint") {
		t.Errorf("sent to %s", location)
	}
	for _, c := range []*http.Cookie{c, cookie(CookieName, "x", core.SessionLife)} {
		if !strings.HasPrefix(c.Name, "__Host-") || !c.Secure || !c.HttpOnly || c.SameSite != http.SameSiteLaxMode || c.Path != "/" || c.Domain != "" || c.MaxAge <= 0 {
			t.Errorf("%s", c)
		}
	}
	if strings.Contains(c.Value, u.Query().Get("state")) {
		t.Error("the state can be read in the cookie")
	}
}

func TestCookieFitsBrowsers(t *testing.T) {
	w := newWorld(t)
	path := "/" + strings.Repeat("a", maxPath-1)
	r := httptest.NewRequest(http.MethodGet, w.server.URL+"/api/v1/auth/google", nil)
	for range 5 {
		_, c := w.manager.Begin(r, path, "", strings.Repeat("x", maxInvitation))
		if n := len(c.String()); n > 4096 {
			t.Fatalf("the cookie has %d bytes", n)
		}
		r.Header.Set("Cookie", c.Name+"="+c.Value)
	}
	if list := w.manager.pendings(r); len(list) != pendingKept || list[0].Path != path {
		t.Errorf("%d sign-ins are kept", len(list))
	}
}

func TestCookieFitsBrowsersWhateverThePath(t *testing.T) {
	for _, odd := range []string{"&", "<", `"`, "%22", "'"} {
		w := newWorld(t)
		path := "/?" + strings.Repeat(odd, (maxPath-2)/len(odd))
		r := httptest.NewRequest(http.MethodGet, w.server.URL+"/api/v1/auth/google", nil)
		for range 5 {
			location, c := w.manager.Begin(r, path, "", strings.Repeat("x", maxInvitation))
			if n := len(c.String()); n > 4096 {
				t.Fatalf("%s: the cookie has %d bytes", odd, n)
			}
			r.Header.Set("Cookie", c.Name+"="+c.Value)
			u, _ := url.Parse(location)
			list := w.manager.pendings(r)
			if len(list) == 0 || list[len(list)-1].State != u.Query().Get("state") || list[len(list)-1].Path != path {
				t.Fatalf("%s: the sign-in just begun is not among the %d kept", odd, len(list))
			}
		}
		if list := w.manager.pendings(r); len(list) < 2 {
			t.Errorf("%s: %d sign-ins are kept", odd, len(list))
		}
	}
}

func TestOtherHostIsSentHomeFirst(t *testing.T) {
	w := newWorld(t)
	r := httptest.NewRequest(http.MethodGet, "http://localhost:8080/api/v1/auth/google?redirect=%2Ffeed", nil)
	location, c := w.manager.Begin(r, "/feed", "", "")
	if location != w.server.URL+"/api/v1/auth/google?redirect=%2Ffeed" || c != nil {
		t.Errorf("sent to %s with %v", location, c)
	}
}

func TestTabsSignInSideBySide(t *testing.T) {
	w := newWorld(t)
	now := w.clock()
	w.store.onboarded = &now
	b := w.browser()
	one := w.callback(b, "redirect=/one&login_hint=ana@example.com")
	two := w.callback(b, "redirect=/two&login_hint=ana@example.com")
	if to := w.follow(b, one); to != "/one" {
		t.Errorf("the first tab is sent to %q", to)
	}
	if to := w.follow(b, two); to != "/two" {
		t.Errorf("the second tab is sent to %q", to)
	}
	if w.store.count() != 1 {
		t.Errorf("%d sessions", w.store.count())
	}
}

func TestRefusals(t *testing.T) {
	const hint = "redirect=/one&login_hint=ana@example.com"
	for name, c := range map[string]struct {
		run  func(w *world, b *http.Client) string
		want string
	}{
		"no state":    {func(w *world, b *http.Client) string { return w.follow(b, callbackPath+"?code=x") }, "/login?error=state"},
		"empty state": {func(w *world, b *http.Client) string { return w.follow(b, callbackPath+"?state=&code=x") }, "/login?error=state"},
		"another browser's": {func(w *world, b *http.Client) string {
			return w.follow(b, w.callback(w.browser(), hint))
		}, "/login?error=state"},
		"another browser's code": {func(w *world, b *http.Client) string {
			theirs, _ := url.Parse(w.callback(w.browser(), hint))
			mine, _ := url.Parse(w.callback(b, hint))
			q := mine.Query()
			q.Set("code", theirs.Query().Get("code"))
			return w.follow(b, callbackPath+"?"+q.Encode())
		}, "/login?error=state&redirect=%2Fone"},
		"too late": {func(w *world, b *http.Client) string {
			to := w.callback(b, hint)
			w.pass(pendingFor)
			return w.follow(b, to)
		}, "/login?error=state"},
		"denied by the person": {func(w *world, b *http.Client) string {
			u, _ := url.Parse(w.callback(b, hint))
			return w.follow(b, callbackPath+"?error=access_denied&state="+u.Query().Get("state"))
		}, "/login?error=denied&redirect=%2Fone"},
		"refused by Google": {func(w *world, b *http.Client) string {
			u, _ := url.Parse(w.callback(b, hint))
			return w.follow(b, callbackPath+"?error=temporarily_unavailable&state="+u.Query().Get("state"))
		}, "/login?error=unavailable&redirect=%2Fone"},
		"no code": {func(w *world, b *http.Client) string {
			u, _ := url.Parse(w.callback(b, hint))
			return w.follow(b, callbackPath+"?state="+u.Query().Get("state"))
		}, "/login?error=state&redirect=%2Fone"},
		"e-mail not verified": {func(w *world, b *http.Client) string {
			w.google.unverified = true
			return w.signIn(b, hint)
		}, "/login?error=denied&redirect=%2Fone"},
		"Google is down": {func(w *world, b *http.Client) string {
			w.google.down = true
			return w.signIn(b, hint)
		}, "/login?error=unavailable&redirect=%2Fone"},
		"the store is down": {func(w *world, b *http.Client) string {
			w.store.broken = true
			return w.signIn(b, hint)
		}, "/login?error=unavailable&redirect=%2Fone"},
		"a cookie of another key": {func(w *world, b *http.Client) string {
			to := w.callback(b, hint)
			other := newWorld(w.t)
			w.manager.sealer = other.manager.sealer
			return w.follow(b, to)
		}, "/login?error=state"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			b := w.browser()
			if to := c.run(w, b); to != c.want {
				t.Errorf("sent to %q, want %q", to, c.want)
			}
			if w.cookie(b) != "" || w.store.count() != 0 {
				t.Errorf("there is a session: %d", w.store.count())
			}
		})
	}
}

func TestStateIsUsedOnce(t *testing.T) {
	w := newWorld(t)
	b := w.browser()
	to := w.callback(b, "login_hint=ana@example.com")
	cookies := b.Jar.Cookies(w.manager.PublicURL)
	if first := w.follow(b, to); first != "/onboarding" {
		t.Fatalf("sent to %q", first)
	}
	if again := w.follow(b, to); again != "/login?error=state" {
		t.Errorf("again: sent to %q", again)
	}
	copied := w.browser() // with a cookie from before
	copied.Jar.SetCookies(w.manager.PublicURL, []*http.Cookie{{Name: pendingCookie, Value: cookies[0].Value, Secure: true, Path: "/"}})
	if again := w.follow(copied, to); again != "/login?error=state" || w.cookie(copied) != "" {
		t.Errorf("with the old cookie: sent to %q", again)
	}
}

func TestAuthenticate(t *testing.T) {
	w := newWorld(t)
	b := w.browser()
	w.signIn(b, "login_hint=ana@example.com")
	secret := w.cookie(b)
	for _, bad := range []string{"", "x", secret + "x", secret[1:], strings.Repeat("a", 1<<16), randomText(secretBytes)} {
		if _, err := w.manager.Authenticate(t.Context(), bad); !core.IsCode(err, core.CodeUnauthenticated) {
			t.Errorf("%.50q: %v", bad, err)
		}
	}
	for range 3 {
		if _, err := w.manager.Authenticate(t.Context(), secret); err != nil {
			t.Fatal(err)
		}
	}
	if w.store.touched != 0 {
		t.Errorf("touched %d times", w.store.touched)
	}
	w.pass(touchEvery)
	for range 3 {
		_, _ = w.manager.Authenticate(t.Context(), secret)
	}
	if w.store.touched != 1 {
		t.Errorf("touched %d times after a while", w.store.touched)
	}
	w.pass(core.SessionIdle)
	if _, err := w.manager.Authenticate(t.Context(), secret); !core.IsCode(err, core.CodeUnauthenticated) {
		t.Errorf("idle too long: %v", err)
	}
}

func TestSignOut(t *testing.T) {
	w := newWorld(t)
	b := w.browser()
	w.signIn(b, "login_hint=ana@example.com")
	caller, _ := w.manager.Authenticate(t.Context(), w.cookie(b))
	gone, err := w.manager.SignOut(t.Context(), caller)
	if err != nil || gone.MaxAge >= 0 || gone.Name != CookieName || w.store.count() != 0 || len(w.store.signedOut) != 1 {
		t.Errorf("%s, %v, %d sessions", gone, err, w.store.count())
	}
	if _, err := w.manager.SignOut(t.Context(), core.Caller{}); err != nil || len(w.store.signedOut) != 1 {
		t.Errorf("a visitor: %v", err)
	}
}

func TestNoSecretsInLog(t *testing.T) {
	w := newWorld(t)
	b := w.browser()
	w.google.down = true
	u, _ := url.Parse(w.callback(b, "login_hint=ana@example.com"))
	w.follow(b, u.String())
	for _, secret := range []string{u.Query().Get("state"), u.Query().Get("code"), "hush"} {
		if strings.Contains(w.log.String(), secret) {
			t.Errorf("%s is in the log: %s", secret, w.log)
		}
	}
}
