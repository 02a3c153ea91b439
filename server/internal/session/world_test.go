package session

import (
	"bytes"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	lab "github.com/sininho/sininho/server/lab/memory"
	"github.com/sininho/sininho/server/lab/standin/openid"
)

// network is where the browsers are.
const network = "192.0.2.7"

// world is a server for signing in, with its store, Google and a clock.
type world struct {
	t       *testing.T
	store   *memory
	google  *standin
	manager *Manager
	server  *httptest.Server
	log     *bytes.Buffer
	mu      sync.Mutex
	now     time.Time
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{t: t, now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC), log: &bytes.Buffer{},
		store:  &memory{sessions: map[string]core.Session{}, subscribers: map[string]core.Subscriber{}},
		google: &standin{grants: map[string]grant{}, tokens: map[string]string{}}}
	people := lab.New(w.clock)
	w.store.SubscriberStore, w.store.PasskeyStore, w.store.OperatorLinkStore = people, people, people
	provider := httptest.NewServer(w.google)
	t.Cleanup(provider.Close)
	mux := http.NewServeMux()
	for _, path := range []string{"google", "oidc/acme", "oidc/globex"} {
		kind, name, _ := strings.Cut(path, "/")
		mux.HandleFunc(base+"/"+path, func(rw http.ResponseWriter, r *http.Request) {
			location, c, err := w.manager.Begin(r, core.SignInKind(kind), name, core.SignInStart{
				Redirect: r.FormValue("redirect"), LoginHint: r.FormValue("login_hint"), Invitation: r.FormValue("invitation")})
			wantNoError(t, "begin a sign-in", err)
			if c != nil {
				http.SetCookie(rw, c)
			}
			http.Redirect(rw, r, location, http.StatusFound)
		})
		mux.HandleFunc(base+"/"+path+"/callback", func(rw http.ResponseWriter, r *http.Request) {
			location, cookies, err := w.manager.Finish(r, network, core.SignInKind(kind), name, core.SignInCallback{
				State: r.FormValue("state"), Code: r.FormValue("code"), Error: r.FormValue("error"), Issuer: r.FormValue("iss")})
			wantNoError(t, "finish a sign-in", err)
			for _, c := range cookies {
				http.SetCookie(rw, c)
			}
			rw.Header().Set("Location", location)
			rw.WriteHeader(http.StatusFound)
		})
	}
	mux.HandleFunc("/", func(http.ResponseWriter, *http.Request) {})
	w.server = httptest.NewTLSServer(mux)
	t.Cleanup(w.server.Close)
	public, _ := url.Parse(w.server.URL)
	codes, err := core.NewEmailCodes(core.NewSecretKey())
	wantNoError(t, "make the key of codes", err)
	acme, globex := w.openID("Acme"), w.openID("Globex")
	w.manager, err = New(Config{
		Anonymous: true, OIDC: []OIDC{acme, globex}, Emails: &Emails{Store: w.store, Codes: codes},
		Store: w.store, Announce: w.store, PublicURL: public, Key: core.NewSecretKey(), Now: w.clock,
		Log: slog.New(slog.NewTextHandler(w.log, nil)),
		Google: &Google{ClientID: "sininho", ClientSecret: "hush", AuthURL: provider.URL + "/authorize",
			TokenURL: provider.URL + "/token", UserInfoURL: provider.URL + "/userinfo"},
	})
	if err != nil {
		t.Fatalf("new session manager: %v", err)
	}
	return w
}

// openID starts a provider whose id is its name in small letters.
func (w *world) openID(name string) OIDC {
	provider := httptest.NewServer(openid.New(openid.Config{Name: name, ClientID: "sininho", ClientSecret: "hush",
		RedirectURI: func(to string) bool {
			return to == w.server.URL+base+"/oidc/"+strings.ToLower(name)+"/callback"
		}}).Handler())
	w.t.Cleanup(provider.Close)
	return OIDC{ID: strings.ToLower(name), Name: name, Issuer: provider.URL, ClientID: "sininho", ClientSecret: "hush"}
}

func wantNoError(t *testing.T, what string, err error) {
	t.Helper()
	if err != nil {
		t.Errorf("%s: %v", what, err)
	}
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

// browser returns a client that keeps cookies and does not follow redirects.
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
		w.t.Fatalf("get %s: %v", address, err)
	}
	_ = res.Body.Close()
	return res.Header.Get("Location")
}

// callback signs in at Google and returns the address that Google redirects to.
func (w *world) callback(b *http.Client, query string) string {
	w.t.Helper()
	return w.follow(b, w.follow(b, "/api/v1/auth/google?"+query))
}

func (w *world) signIn(b *http.Client, query string) string {
	w.t.Helper()
	return w.follow(b, w.callback(b, query))
}

// authenticate checks the code of the error for a session's secret; the code is empty for success.
func (w *world) authenticate(what, secret string, want core.Code) core.Caller {
	w.t.Helper()
	caller, err := w.manager.Authenticate(w.t.Context(), secret, "", "")
	if want == "" && err != nil || want != "" && !core.IsCode(err, want) {
		w.t.Errorf("authenticate with %s: got error %v, want code %q", what, err, want)
	}
	return caller
}

// cookie returns the secret of the browser's session, or an empty string.
func (w *world) cookie(b *http.Client) string {
	for _, c := range b.Jar.Cookies(w.manager.PublicURL) {
		if c.Name == CookieName {
			return c.Value
		}
	}
	return ""
}

// begin begins to sign in with Google.
func (w *world) begin(r *http.Request, redirect, invitation string) (location string, cookie *http.Cookie) {
	w.t.Helper()
	location, cookie, err := w.manager.Begin(r, core.SignInGoogle, "", core.SignInStart{Redirect: redirect,
		Invitation: invitation})
	wantNoError(w.t, "begin a sign-in", err)
	return location, cookie
}
