package session

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/lab/check"
)

func TestSignIn(t *testing.T) {
	w := newWorld(t)
	b := w.browser()
	to := w.signIn(b, "redirect=/feed&login_hint=ana@example.com")
	check.Equal(t, "redirect", to, "/onboarding")
	caller := w.authenticate("the session", w.cookie(b), "")
	check.Equal(t, "kind of caller", caller.Kind, core.CallerSubscriber)
	for hash := range w.store.sessions {
		if strings.Contains(hash, w.cookie(b)) {
			t.Errorf("the store has the session's secret instead of its hash: %q", hash)
		}
	}
}

func TestSignInEndsThePreviousSession(t *testing.T) {
	w := newWorld(t)
	b := w.browser()
	w.signIn(b, "redirect=/feed&login_hint=ana@example.com")
	first := w.authenticate("the first session", w.cookie(b), "")
	old := w.cookie(b)
	now := w.clock()
	w.store.onboarded = &now
	to := w.signIn(b, "redirect=/channels/a/b%3Fx=1&login_hint=ana@example.com")
	check.Equal(t, "redirect once onboarded", to, "/channels/a/b?x=1")
	check.Equal(t, "same secret as before", w.cookie(b) == old, false)
	check.Equal(t, "sessions", w.store.count(), 1)
	check.Equal(t, "signed-out sessions", w.store.signedOut, []core.ID{first.SessionID})
	w.authenticate("the first session's secret", old, core.CodeUnauthenticated)
}

func TestCookies(t *testing.T) {
	w := newWorld(t)
	r := httptest.NewRequest(http.MethodGet, w.server.URL+"/api/v1/auth/google", nil)
	location, c := w.begin(r, "https://evil.example/", "")
	u, _ := url.Parse(location)
	q := u.Query()
	check.Equal(t, "code_challenge_method", q.Get("code_challenge_method"), "S256")
	check.Equal(t, "redirect_uri", q.Get("redirect_uri"), w.server.URL+"/api/v1/auth/google/callback")
	check.Equal(t, "whether there is a login_hint", q.Has("login_hint"), false)
	state := q.Get("state")
	if state == "" {
		t.Errorf("state in %s: got none, want one", location)
	}
	for _, c := range []*http.Cookie{c, cookie(CookieName, "x", core.SessionLife)} {
		want := http.Cookie{Name: c.Name, Value: c.Value, MaxAge: c.MaxAge, Expires: c.Expires,
			Path: "/", Secure: true, HttpOnly: true, SameSite: http.SameSiteLaxMode}
		check.Equal(t, "cookie "+c.Name, *c, want)
		check.Equal(t, "prefix of the cookie "+c.Name, strings.HasPrefix(c.Name, "__Host-"), true)
		if c.MaxAge <= 0 {
			t.Errorf("Max-Age of the cookie %s: got %d, want more than 0", c.Name, c.MaxAge)
		}
	}
	if strings.Contains(c.Value, state) {
		t.Errorf("the cookie %q contains the state %q in plain text", c.Value, state)
	}
}

func TestCookieFitsBrowsers(t *testing.T) {
	w := newWorld(t)
	path := "/" + strings.Repeat("a", maxPath-1)
	r := httptest.NewRequest(http.MethodGet, w.server.URL+"/api/v1/auth/google", nil)
	for range 5 {
		_, c := w.begin(r, path, strings.Repeat("x", maxInvitation))
		if n := len(c.String()); n > 4096 {
			t.Fatalf("bytes of the cookie: got %d, want at most 4096", n)
		}
		r.Header.Set("Cookie", c.Name+"="+c.Value)
	}
	list := w.manager.pendings(r)
	if len(list) != pendingKept {
		t.Fatalf("pending sign-ins: got %d, want %d", len(list), pendingKept)
	}
	check.Equal(t, "path of the oldest sign-in", list[0].Path, path)
}

func TestCookieFitsBrowsersWithEscapedPaths(t *testing.T) {
	for _, odd := range []string{"&", "<", `"`, "%22", "'"} {
		w := newWorld(t)
		path := "/?" + strings.Repeat(odd, (maxPath-2)/len(odd))
		r := httptest.NewRequest(http.MethodGet, w.server.URL+"/api/v1/auth/google", nil)
		for range 5 {
			location, c := w.begin(r, path, strings.Repeat("x", maxInvitation))
			if n := len(c.String()); n > 4096 {
				t.Fatalf("bytes of the cookie for a path of %s: got %d, want at most 4096", odd, n)
			}
			r.Header.Set("Cookie", c.Name+"="+c.Value)
			u, _ := url.Parse(location)
			list := w.manager.pendings(r)
			if len(list) == 0 {
				t.Fatalf("pending sign-ins with a path of %s: got none", odd)
			}
			latest := list[len(list)-1]
			check.Equal(t, "state of the latest sign-in", latest.State, u.Query().Get("state"))
			check.Equal(t, "path of the latest sign-in", latest.Path, path)
		}
		if list := w.manager.pendings(r); len(list) < 2 {
			t.Errorf("pending sign-ins with a path of %s: got %d, want at least 2", odd, len(list))
		}
	}
}

func TestOtherHostIsRedirectedToPublicURL(t *testing.T) {
	w := newWorld(t)
	r := httptest.NewRequest(http.MethodGet, "http://localhost:8080/api/v1/auth/google?redirect=%2Ffeed", nil)
	location, c := w.begin(r, "/feed", "")
	check.Equal(t, "redirect", location, w.server.URL+"/api/v1/auth/google?redirect=%2Ffeed")
	check.Equal(t, "cookie", c, nil)
}

func TestTabsSignInSideBySide(t *testing.T) {
	w := newWorld(t)
	now := w.clock()
	w.store.onboarded = &now
	b := w.browser()
	one := w.callback(b, "redirect=/one&login_hint=ana@example.com")
	two := w.callback(b, "redirect=/two&login_hint=ana@example.com")
	check.Equal(t, "redirect of the first tab", w.follow(b, one), "/one")
	check.Equal(t, "redirect of the second tab", w.follow(b, two), "/two")
	check.Equal(t, "sessions", w.store.count(), 1)
}

func TestRefusals(t *testing.T) {
	const hint = "redirect=/one&login_hint=ana@example.com"
	for name, c := range map[string]struct {
		run  func(w *world, b *http.Client) string
		want string
	}{
		"no state": {func(w *world, b *http.Client) string {
			return w.follow(b, "/api/v1/auth/google/callback"+"?code=x")
		}, "/login?error=state"},
		"empty state": {func(w *world, b *http.Client) string {
			return w.follow(b, "/api/v1/auth/google/callback"+"?state=&code=x")
		}, "/login?error=state"},
		"another browser's": {func(w *world, b *http.Client) string {
			return w.follow(b, w.callback(w.browser(), hint))
		}, "/login?error=state"},
		"another browser's code": {func(w *world, b *http.Client) string {
			theirs, _ := url.Parse(w.callback(w.browser(), hint))
			mine, _ := url.Parse(w.callback(b, hint))
			q := mine.Query()
			q.Set("code", theirs.Query().Get("code"))
			return w.follow(b, "/api/v1/auth/google/callback"+"?"+q.Encode())
		}, "/login?error=state&redirect=%2Fone"},
		"too late": {func(w *world, b *http.Client) string {
			to := w.callback(b, hint)
			w.pass(pendingFor)
			return w.follow(b, to)
		}, "/login?error=state"},
		"denied by the person": {func(w *world, b *http.Client) string {
			u, _ := url.Parse(w.callback(b, hint))
			return w.follow(b, "/api/v1/auth/google/callback"+"?error=access_denied&state="+u.Query().Get("state"))
		}, "/login?error=denied&redirect=%2Fone"},
		"refused by Google": {func(w *world, b *http.Client) string {
			u, _ := url.Parse(w.callback(b, hint))
			return w.follow(b, "/api/v1/auth/google/callback"+"?error=temporarily_unavailable&state="+u.Query().Get("state"))
		}, "/login?error=unavailable&redirect=%2Fone"},
		"no code": {func(w *world, b *http.Client) string {
			u, _ := url.Parse(w.callback(b, hint))
			return w.follow(b, "/api/v1/auth/google/callback"+"?state="+u.Query().Get("state"))
		}, "/login?error=state&redirect=%2Fone"},
		"email not verified": {func(w *world, b *http.Client) string {
			w.google.unverified = true
			return w.signIn(b, hint)
		}, "/login?error=unverified&redirect=%2Fone"},
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
			check.Equal(t, "redirect", c.run(w, b), c.want)
			check.Equal(t, "secret of a session", w.cookie(b), "")
			check.Equal(t, "sessions", w.store.count(), 0)
		})
	}
}

func TestStateIsUsedOnce(t *testing.T) {
	w := newWorld(t)
	b := w.browser()
	to := w.callback(b, "login_hint=ana@example.com")
	cookies := b.Jar.Cookies(w.manager.PublicURL)
	check.Equal(t, "first redirect", w.follow(b, to), "/onboarding")
	check.Equal(t, "second redirect", w.follow(b, to), "/login?error=state")
	copied := w.browser()
	old := &http.Cookie{Name: pendingCookie, Value: cookies[0].Value, Secure: true, Path: "/"}
	copied.Jar.SetCookies(w.manager.PublicURL, []*http.Cookie{old})
	check.Equal(t, "redirect with the old cookie", w.follow(copied, to), "/login?error=state")
	check.Equal(t, "secret of a session with the old cookie", w.cookie(copied), "")
}

func TestAuthenticate(t *testing.T) {
	w := newWorld(t)
	b := w.browser()
	w.signIn(b, "login_hint=ana@example.com")
	secret := w.cookie(b)
	for _, bad := range []string{
		"", "x", secret + "x", secret[1:], strings.Repeat("a", 1<<16), randomText(secretBytes),
	} {
		w.authenticate(fmt.Sprintf("%.50q", bad), bad, core.CodeUnauthenticated)
	}
	for range 3 {
		w.authenticate("the secret", secret, "")
	}
	check.Equal(t, "updates of the last use", w.store.touched, 0)
	w.pass(touchEvery)
	for range 3 {
		w.authenticate("the secret after touchEvery", secret, "")
	}
	check.Equal(t, "updates of the last use after touchEvery", w.store.touched, 1)
	w.pass(core.SessionIdle)
	w.authenticate("the secret of an idle session", secret, core.CodeUnauthenticated)
}

func TestSignOut(t *testing.T) {
	w := newWorld(t)
	b := w.browser()
	w.signIn(b, "login_hint=ana@example.com")
	caller := w.authenticate("the session", w.cookie(b), "")
	expired, err := w.manager.SignOut(t.Context(), caller)
	if err != nil {
		t.Fatalf("sign out: %v", err)
	}
	check.Equal(t, "name of the cookie", expired.Name, CookieName)
	if expired.MaxAge >= 0 {
		t.Errorf("Max-Age of the cookie: got %d, want less than 0", expired.MaxAge)
	}
	check.Equal(t, "sessions", w.store.count(), 0)
	check.Equal(t, "signed-out sessions", w.store.signedOut, []core.ID{caller.SessionID})
	if _, err := w.manager.SignOut(t.Context(), core.Caller{}); err != nil {
		t.Errorf("sign out as a visitor: %v", err)
	}
	check.Equal(t, "number of signed-out sessions after a visitor's sign-out", len(w.store.signedOut), 1)
}

func TestNoSecretsInLog(t *testing.T) {
	w := newWorld(t)
	b := w.browser()
	w.google.down = true
	u, _ := url.Parse(w.callback(b, "login_hint=ana@example.com"))
	w.follow(b, u.String())
	for _, secret := range []string{u.Query().Get("state"), u.Query().Get("code"), "hush"} {
		if strings.Contains(w.log.String(), secret) {
			t.Errorf("the log contains the secret %s: %s", secret, w.log)
		}
	}
}
