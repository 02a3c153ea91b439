package session

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/oauth2"

	"github.com/sininho/sininho/server/internal/core"
)

// memory is a store of sessions and subscribers, and hears who was signed out.
type memory struct {
	core.SubscriberStore
	mu          sync.Mutex
	sessions    map[string]core.Session // by hash
	subscribers map[string]core.Subscriber
	onboarded   *time.Time
	broken      bool
	touched     int
	invitations map[string]bool // that are good, by hash
	signedOut   []core.ID
}

func (s *memory) CreateSession(_ context.Context, x core.Session, hash []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sessions[string(hash)] = x
	return nil
}

func (s *memory) SessionBySecret(_ context.Context, hash []byte) (core.Session, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	x, ok := s.sessions[string(hash)]
	if !ok {
		return x, core.NotFound()
	}
	return x, nil
}

func (s *memory) TouchSession(_ context.Context, id core.ID, now time.Time) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.touched++
	for hash, x := range s.sessions {
		if x.ID == id {
			x.SeenAt = now
			s.sessions[hash] = x
		}
	}
	return nil
}

func (s *memory) EndSession(_ context.Context, id core.ID, _ time.Time) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for hash, x := range s.sessions {
		if x.ID == id {
			delete(s.sessions, hash)
		}
	}
	return nil
}

func (s *memory) SignIn(_ context.Context, p core.Profile, up core.SignUp, now time.Time) (core.Subscriber, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.broken {
		return core.Subscriber{}, core.Unavailable(nil)
	}
	x, ok := s.subscribers[p.Subject]
	if !ok && !up.Open && !s.invitations[string(up.InvitationHash)] {
		return core.Subscriber{}, core.ErrUninvited()
	}
	if !ok {
		x = core.Subscriber{ID: core.NewID(), Email: p.Email, CreatedAt: now}
	}
	x.OnboardedAt = s.onboarded
	s.subscribers[p.Subject] = x
	return x, nil
}

func (s *memory) ChannelDeleted(context.Context, core.ID)       {}
func (s *memory) Followed(context.Context, core.ID)             {}
func (s *memory) Read(context.Context, core.ID, core.ReadEvent) {}
func (s *memory) SignedOut(_ context.Context, id core.ID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.signedOut = append(s.signedOut, id)
}

func (s *memory) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.sessions)
}

// google answers as Google does, for whoever login_hint names.
type google struct {
	mu         sync.Mutex
	grants     map[string]grant // by code
	tokens     map[string]string
	unverified bool
	down       bool
}

type grant struct{ email, challenge string }

func (g *google) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	g.mu.Lock()
	defer g.mu.Unlock()
	switch {
	case r.URL.Path == "/authorize":
		q, code := r.URL.Query(), randomText(9)
		g.grants[code] = grant{q.Get("login_hint"), q.Get("code_challenge")}
		back := url.Values{"state": q["state"], "code": {code}, "scope": {"openid"}}
		http.Redirect(w, r, q.Get("redirect_uri")+"?"+back.Encode(), http.StatusFound)
	case g.down:
		w.WriteHeader(http.StatusServiceUnavailable)
	case r.URL.Path == "/token":
		x, ok := g.grants[r.FormValue("code")]
		delete(g.grants, r.FormValue("code"))
		w.Header().Set("Content-Type", "application/json")
		if !ok || oauth2.S256ChallengeFromVerifier(r.FormValue("code_verifier")) != x.challenge || r.FormValue("client_secret") != "hush" {
			w.WriteHeader(http.StatusBadRequest)
			_, _ = w.Write([]byte(`{"error":"invalid_grant"}`))
			return
		}
		token := randomText(9)
		g.tokens[token] = x.email
		_ = json.NewEncoder(w).Encode(map[string]any{"access_token": token, "token_type": "Bearer", "expires_in": 60})
	default:
		email := g.tokens[strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")]
		_ = json.NewEncoder(w).Encode(map[string]any{"sub": "g-" + email, "email": email, "email_verified": !g.unverified})
	}
}

// world is a server that signs in, its store, Google, and a clock.
type world struct {
	t       *testing.T
	store   *memory
	google  *google
	manager *Manager
	server  *httptest.Server
	log     *bytes.Buffer
	mu      sync.Mutex
	now     time.Time
}

func newWorld(t *testing.T) *world {
	w := &world{t: t, now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC), log: &bytes.Buffer{},
		store:  &memory{sessions: map[string]core.Session{}, subscribers: map[string]core.Subscriber{}},
		google: &google{grants: map[string]grant{}, tokens: map[string]string{}}}
	provider := httptest.NewServer(w.google)
	t.Cleanup(provider.Close)
	mux := http.NewServeMux()
	mux.HandleFunc("/api/v1/auth/google", func(rw http.ResponseWriter, r *http.Request) {
		location, c := w.manager.Begin(r, r.FormValue("redirect"), r.FormValue("login_hint"), r.FormValue("invitation"))
		if c != nil {
			http.SetCookie(rw, c)
		}
		http.Redirect(rw, r, location, http.StatusFound)
	})
	mux.HandleFunc(callbackPath, func(rw http.ResponseWriter, r *http.Request) {
		location, cookies := w.manager.Finish(r, r.FormValue("state"), r.FormValue("code"), r.FormValue("error"))
		for _, c := range cookies {
			http.SetCookie(rw, c)
		}
		rw.Header().Set("Location", location)
		rw.WriteHeader(http.StatusFound)
	})
	mux.HandleFunc("/", func(http.ResponseWriter, *http.Request) {})
	w.server = httptest.NewTLSServer(mux)
	t.Cleanup(w.server.Close)
	public, _ := url.Parse(w.server.URL)
	var err error
	w.manager, err = New(Config{
		Store: w.store, Announce: w.store, PublicURL: public, Key: core.NewSecretKey(), Now: w.clock,
		Log:    slog.New(slog.NewTextHandler(w.log, nil)),
		Google: Google{ClientID: "sininho", ClientSecret: "hush", AuthURL: provider.URL + "/authorize", TokenURL: provider.URL + "/token", UserInfoURL: provider.URL + "/userinfo"},
	})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func (w *world) clock() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.now
}

func (w *world) pass(d time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.now = w.now.Add(d)
}

// browser keeps cookies and stops at every redirect.
func (w *world) browser() *http.Client {
	jar, _ := cookiejar.New(nil)
	return &http.Client{Jar: jar, Transport: w.server.Client().Transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

func (w *world) follow(b *http.Client, address string) string {
	w.t.Helper()
	if strings.HasPrefix(address, "/") {
		address = w.server.URL + address
	}
	res, err := b.Get(address)
	if err != nil {
		w.t.Fatal(err)
	}
	_ = res.Body.Close()
	return res.Header.Get("Location")
}

// callback goes to Google and stops where it sends the browser back.
func (w *world) callback(b *http.Client, query string) string {
	w.t.Helper()
	return w.follow(b, w.follow(b, "/api/v1/auth/google?"+query))
}

func (w *world) signIn(b *http.Client, query string) string {
	w.t.Helper()
	return w.follow(b, w.callback(b, query))
}

func (w *world) cookie(b *http.Client) string {
	for _, c := range b.Jar.Cookies(w.manager.PublicURL) {
		if c.Name == CookieName {
			return c.Value
		}
	}
	return ""
}

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

	// Once more, by then onboarded: a new session, and the previous one ends.
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
	copied := w.browser() // whose cookie is from before
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

func TestOnlyWhoIsInvitedSignsUp(t *testing.T) {
	w := newWorld(t)
	w.manager.InvitedOnly, w.manager.Operators = true, core.Operators{"Eva@example.com"}
	w.store.invitations = map[string]bool{string(core.HashSecret("swi_good")): true}
	for _, c := range []struct{ query, want string }{
		{"login_hint=stranger@example.com&redirect=/channels", "/login?error=uninvited&redirect=%2Fchannels"},
		{"login_hint=stranger@example.com&invitation=swi_bad", "/login?error=uninvited"},
		{"login_hint=stranger@example.com&invitation=" + strings.Repeat("x", maxInvitation+1), "/login?error=uninvited"},
		{"login_hint=ana@example.com&invitation=swi_good", "/onboarding"},
		{"login_hint=ana@example.com", "/onboarding"}, // who has an account gets in
		{"login_hint=eva@example.com", "/onboarding"},
	} {
		b := w.browser()
		if to := w.signIn(b, c.query); to != c.want || (w.cookie(b) != "") != (c.want == "/onboarding") {
			t.Errorf("%s was sent to %q with the session %q", c.query, to, w.cookie(b))
		}
	}
}

func TestWhoNeedsAnInvitationChoosesTheAccount(t *testing.T) {
	w := newWorld(t)
	for invitedOnly, want := range map[bool]string{true: "select_account", false: ""} {
		w.manager.InvitedOnly = invitedOnly
		r := httptest.NewRequest("GET", "/api/v1/auth/google", nil)
		r.Host = w.manager.PublicURL.Host
		location, _ := w.manager.Begin(r, "/", "", "")
		if u, err := url.Parse(location); err != nil || u.Query().Get("prompt") != want {
			t.Errorf("by invitation only %v: %s (%v)", invitedOnly, location, err)
		}
	}
}

func TestAFailedSignInKeepsTheInvitation(t *testing.T) {
	w := newWorld(t)
	w.google.down = true
	if to := w.signIn(w.browser(), "login_hint=ana@example.com&invitation=swi_good"); to != "/login?error=unavailable&invitation=swi_good" {
		t.Errorf("sent to %q", to)
	}
}
