package openid_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/oauth2"

	"github.com/sininho/sininho/server/lab/leaktest"
	"github.com/sininho/sininho/server/lab/standin/openid"
)

func TestMain(m *testing.M) { leaktest.Main(m) }

const callback = "http://localhost:8080/api/v1/auth/google/callback?from=test"

func stand() *openid.Provider {
	return openid.New(openid.Config{
		ClientID: "client", ClientSecret: "hush: 100%", RedirectURI: func(to string) bool { return to == callback },
	})
}

// app is an application that signs in with the stand-in and follows no redirects.
type app struct {
	oauth2.Config
	url    string
	client *http.Client
}

func start(t *testing.T) *app {
	t.Helper()
	server := httptest.NewServer(stand().Handler())
	t.Cleanup(server.Close)
	client := server.Client()
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &app{url: server.URL, client: client, Config: oauth2.Config{
		ClientID: "client", ClientSecret: "hush: 100%", RedirectURL: callback, Scopes: []string{"openid", "email"},
		Endpoint: oauth2.Endpoint{
			AuthURL: server.URL + "/authorize", TokenURL: server.URL + "/token", AuthStyle: oauth2.AuthStyleInParams,
		},
	}}
}

func (a *app) context(t *testing.T) context.Context {
	return context.WithValue(t.Context(), oauth2.HTTPClient, a.client)
}

// response is a response that has been read and closed.
type response struct {
	*http.Response
	body string
}

func (a *app) get(t *testing.T, address string) response {
	t.Helper()
	res, err := a.client.Get(address)
	if err != nil {
		t.Fatalf("GET %s: %v", address, err)
	}
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatalf("read the body: %v", err)
	}
	return response{res, string(body)}
}

// returned returns the query with which the browser was redirected to the application.
func returned(t *testing.T, res response) url.Values {
	t.Helper()
	to, err := res.Location()
	if err != nil {
		t.Fatalf("redirect of a response with %s: %v", res.Status, err)
	}
	query := to.Query()
	if res.StatusCode != http.StatusFound || to.Host != "localhost:8080" || query.Get("from") != "test" {
		t.Fatalf("redirect: got %s to %s, want 302 to the callback", res.Status, to)
	}
	return query
}

func (a *app) code(t *testing.T, email, verifier string) string {
	t.Helper()
	res := a.get(t, a.AuthCodeURL("a state", oauth2.S256ChallengeOption(verifier),
		oauth2.SetAuthURLParam("login_hint", email)))
	query := returned(t, res)
	if query.Get("state") != "a state" || query.Get("code") == "" || query.Has("error") {
		t.Fatalf("callback query: got %v, want a code and the state", query)
	}
	return query.Get("code")
}

type info struct {
	Sub, Email, Name, Locale string
	GivenName                string `json:"given_name"`
	EmailVerified            bool   `json:"email_verified"`
}

func (a *app) signIn(t *testing.T, email string) (who info) {
	t.Helper()
	verifier := oauth2.GenerateVerifier()
	token, err := a.Exchange(a.context(t), a.code(t, email, verifier), oauth2.VerifierOption(verifier))
	if err != nil {
		t.Fatalf("exchange the code: %v", err)
	}
	if token.TokenType != "Bearer" || time.Until(token.Expiry) < 50*time.Minute {
		t.Errorf("token: got type %q until %v, want Bearer for an hour", token.TokenType, token.Expiry)
	}
	res, err := a.Client(a.context(t), token).Get(a.url + "/userinfo")
	if err != nil {
		t.Fatalf("GET /userinfo: %v", err)
	}
	defer func() { _ = res.Body.Close() }()
	if err := json.NewDecoder(res.Body).Decode(&who); err != nil || res.StatusCode != http.StatusOK {
		t.Fatalf("GET /userinfo: got %s and %v, want 200 and JSON", res.Status, err)
	}
	return who
}

func TestSignIn(t *testing.T) {
	t.Parallel()
	a := start(t)
	for email, want := range map[string]info{
		"ana@example.com": {Email: "ana@example.com", Name: "Ana", GivenName: "Ana"},
		"Ana.Silva@Example.com": {
			Email: "ana.silva@example.com", Name: "Ana Silva", GivenName: "Ana",
		},
		"joão_da-costa+x@example.com": {
			Email: "joão_da-costa+x@example.com", Name: "João Da Costa", GivenName: "João",
		},
		"+@example.com": {Email: "+@example.com", Name: "+", GivenName: "+"},
		"o'brien&co@example.com": {
			Email: "o'brien&co@example.com", Name: "O'brien&co", GivenName: "O'brien&co",
		},
		"a." + strings.Repeat("b", 9) + "@example.com": {
			Email: "a.bbbbbbbbb@example.com", Name: "A Bbbbbbbbb", GivenName: "A",
		},
	} {
		for _, style := range []oauth2.AuthStyle{oauth2.AuthStyleInParams, oauth2.AuthStyleInHeader} {
			a.Endpoint.AuthStyle = style
			got := a.signIn(t, email)
			if len(got.Sub) != 21 || strings.Trim(got.Sub, "0123456789") != "" {
				t.Errorf("subject of %s: got %q, want 21 digits", email, got.Sub)
			}
			want.EmailVerified, want.Locale = true, "pt"
			if want.Sub == "" {
				want.Sub = got.Sub // the second sign-in must return the same
			}
			if got != want {
				t.Errorf("user info of %s: got %+v, want %+v", email, got, want)
			}
		}
	}
	ana := a.signIn(t, "ana@example.com").Sub
	if got := a.signIn(t, "ANA@example.com").Sub; got != ana {
		t.Errorf("subject of the email in upper case: got %s, want %s", got, ana)
	}
	if got := a.signIn(t, "bruno@example.com").Sub; got == ana {
		t.Errorf("subject of another email: got %s for both, want different ones", got)
	}
}

func TestThePageOffersPeopleAndEscapes(t *testing.T) {
	t.Parallel()
	a := start(t)
	evil := `"><script>alert(1)</script>`
	res := a.get(t, a.AuthCodeURL(evil, oauth2.S256ChallengeOption(oauth2.GenerateVerifier()),
		oauth2.SetAuthURLParam("login_hint", evil)))
	if res.StatusCode != http.StatusOK || res.Header.Get("Content-Type") != "text/html; charset=utf-8" {
		t.Fatalf("page: got %s of type %q, want 200 and HTML", res.Status, res.Header.Get("Content-Type"))
	}
	if res.Header.Get("Content-Security-Policy") == "" {
		t.Error("page: got no Content-Security-Policy, want one")
	}
	if strings.Contains(res.body, "<script") {
		t.Error("page: got an unescaped <script, want the state escaped")
	}
	for _, want := range []string{
		`lang="pt"`, "ana@example.com", "bruno@example.com", "carla@example.com", "duarte@example.com", "Recusar",
		`name="state" value="&#34;&gt;&lt;script&gt;`, "Este e-mail não é válido", `type="email"`,
	} {
		if !strings.Contains(res.body, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
}

func TestRefusal(t *testing.T) {
	t.Parallel()
	a := start(t)
	res := a.get(t, a.AuthCodeURL("s", oauth2.S256ChallengeOption(oauth2.GenerateVerifier()),
		oauth2.SetAuthURLParam("refuse", "1")))
	if q := returned(t, res); q.Get("error") != "access_denied" || q.Get("state") != "s" || q.Has("code") {
		t.Errorf("callback query: got %v, want access_denied with the state and without a code", q)
	}
}

func TestInvalidAuthorizationRequestsAreRefused(t *testing.T) {
	t.Parallel()
	a := start(t)
	good := func() url.Values {
		u, _ := url.Parse(
			a.AuthCodeURL("s", oauth2.S256ChallengeOption(oauth2.GenerateVerifier()),
				oauth2.SetAuthURLParam("login_hint", "ana@example.com")),
		)
		return u.Query()
	}
	for name, test := range map[string]struct {
		change func(url.Values)
		want   string // the error reported to the application; empty for a page
	}{
		"no client":          {func(q url.Values) { q.Del("client_id") }, ""},
		"another client":     {func(q url.Values) { q.Set("client_id", "other") }, ""},
		"no redirect":        {func(q url.Values) { q.Del("redirect_uri") }, ""},
		"a foreign redirect": {func(q url.Values) { q.Set("redirect_uri", "https://evil.example/") }, ""},
		"a script":           {func(q url.Values) { q.Set("redirect_uri", "javascript:alert(1)") }, ""},
		"a fragment":         {func(q url.Values) { q.Set("redirect_uri", callback+"#x") }, ""},
		"two redirects":      {func(q url.Values) { q.Add("redirect_uri", "https://evil.example/") }, ""},
		"no response type":   {func(q url.Values) { q.Del("response_type") }, "invalid_request"},
		"implicit":           {func(q url.Values) { q.Set("response_type", "token") }, "unsupported_response_type"},
		"no state":           {func(q url.Values) { q.Del("state") }, "invalid_request"},
		"no challenge":       {func(q url.Values) { q.Del("code_challenge") }, "invalid_request"},
		"short challenge":    {func(q url.Values) { q.Set("code_challenge", "short") }, "invalid_request"},
		"plain challenge":    {func(q url.Values) { q.Set("code_challenge_method", "plain") }, "invalid_request"},
		"twice the same":     {func(q url.Values) { q.Add("login_hint", "bruno@example.com") }, "invalid_request"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			query := good()
			test.change(query)
			res := a.get(t, a.url+"/authorize?"+query.Encode())
			if test.want != "" {
				if got := returned(t, res); got.Get("error") != test.want || got.Has("code") ||
					got.Get("state") != query.Get("state") {
					t.Errorf("callback query: got %v, want error %s with the state and without a code", got, test.want)
				}
			} else if res.StatusCode != http.StatusBadRequest || res.Header.Get("Location") != "" ||
				!strings.Contains(res.body, "Pedido inválido") {
				t.Errorf("got %s %s, want a page with 400 and no redirect", res.Status, res.body)
			}
		})
	}
}

// redeem posts to the token endpoint and returns the status and OAuth's error.
func redeem(
	t *testing.T, h http.Handler, change func(form url.Values, r *http.Request), code, verifier string,
) (int, string) {
	t.Helper()
	form := url.Values{"grant_type": {"authorization_code"}, "client_id": {"client"}, "client_secret": {"hush: 100%"},
		"code": {code}, "redirect_uri": {callback}, "code_verifier": {verifier}}
	r := httptest.NewRequest(http.MethodPost, "/token", nil)
	change(form, r)
	r.Body = io.NopCloser(strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	var failure struct{ Error string }
	if err := json.Unmarshal(w.Body.Bytes(), &failure); err != nil || w.Header().Get("Cache-Control") != "no-store" {
		t.Fatalf("redeem: got headers %v, body %s, %v; want JSON with no-store", w.Header(), w.Body, err)
	}
	return w.Code, failure.Error
}

func codeOf(t *testing.T, h http.Handler, verifier string) string {
	t.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet,
		"/authorize?"+url.Values{
			"client_id": {"client"}, "redirect_uri": {callback}, "response_type": {"code"}, "state": {"s"},
			"code_challenge": {oauth2.S256ChallengeFromVerifier(verifier)}, "code_challenge_method": {"S256"},
			"login_hint": {"ana@example.com"},
		}.Encode(), nil))
	return returned(t, response{Response: w.Result()}).Get("code")
}

func TestInvalidTokenRequestsAreRefused(t *testing.T) {
	t.Parallel()
	set := func(name, value string) func(url.Values, *http.Request) {
		return func(f url.Values, _ *http.Request) { f.Set(name, value) }
	}
	for name, test := range map[string]struct {
		change func(url.Values, *http.Request)
		status int
		want   string
	}{
		"nothing":        {func(url.Values, *http.Request) {}, 200, ""},
		"a wrong secret": {set("client_secret", "x"), 401, "invalid_client"},
		"no secret":      {set("client_secret", ""), 401, "invalid_client"},
		"another client": {set("client_id", "x"), 401, "invalid_client"},
		"a wrong Basic": {
			func(f url.Values, r *http.Request) { f.Del("client_secret"); r.SetBasicAuth("client", "x") },
			401, "invalid_client",
		},
		"a secret in two ways": {
			func(_ url.Values, r *http.Request) { r.SetBasicAuth("client", "x") }, 400, "invalid_request",
		},
		"no grant type":         {set("grant_type", ""), 400, "invalid_request"},
		"another grant type":    {set("grant_type", "password"), 400, "unsupported_grant_type"},
		"no code":               {set("code", ""), 400, "invalid_request"},
		"an unknown code":       {set("code", "4/0Ax"), 400, "invalid_grant"},
		"no redirect":           {set("redirect_uri", ""), 400, "invalid_request"},
		"another redirect":      {set("redirect_uri", "http://localhost/"), 400, "invalid_grant"},
		"no verifier":           {set("code_verifier", ""), 400, "invalid_request"},
		"another verifier":      {set("code_verifier", oauth2.GenerateVerifier()), 400, "invalid_grant"},
		"a parameter twice":     {func(f url.Values, _ *http.Request) { f.Add("code", "x") }, 400, "invalid_request"},
		"more than fits a form": {set("x", strings.Repeat("x", 70<<10)), 400, "invalid_request"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h, verifier := stand().Handler(), oauth2.GenerateVerifier()
			if status, code := redeem(t, h, test.change, codeOf(t, h, verifier), verifier); status != test.status ||
				code != test.want {
				t.Errorf("redeem: got %d %q, want %d %q", status, code, test.status, test.want)
			}
		})
	}
}

func TestACodeWorksOnce(t *testing.T) {
	t.Parallel()
	h, verifier := stand().Handler(), oauth2.GenerateVerifier()
	code := codeOf(t, h, verifier)
	asIs := func(url.Values, *http.Request) {}
	if status, _ := redeem(t, h, asIs, code, verifier); status != http.StatusOK {
		t.Fatalf("redeem the first time: got %d, want 200", status)
	}
	if status, why := redeem(t, h, asIs, code, verifier); status != http.StatusBadRequest || why != "invalid_grant" {
		t.Errorf("redeem the second time: got %d %s, want 400 invalid_grant", status, why)
	}
}

func TestACodeEndsAfterAMinute(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h, verifier := stand().Handler(), oauth2.GenerateVerifier()
		asIs := func(url.Values, *http.Request) {}
		late, early := codeOf(t, h, verifier), codeOf(t, h, verifier)
		time.Sleep(time.Minute - time.Nanosecond)
		if status, why := redeem(t, h, asIs, early, verifier); status != http.StatusOK {
			t.Errorf("redeem within a minute: got %d %s, want 200", status, why)
		}
		time.Sleep(time.Nanosecond)
		if status, why := redeem(t, h, asIs, late, verifier); status != http.StatusBadRequest ||
			why != "invalid_grant" {
			t.Errorf("redeem after a minute: got %d %s, want 400 invalid_grant", status, why)
		}
	})
}

func TestUserinfoRequiresAToken(t *testing.T) {
	t.Parallel()
	h := stand().Handler()
	for _, header := range []string{"", "Bearer", "Bearer ", "Bearer nonsense", "Basic Y2xpZW50Og=="} {
		r := httptest.NewRequest(http.MethodGet, "/userinfo", nil)
		r.Header.Set("Authorization", header)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code != http.StatusUnauthorized || !strings.HasPrefix(w.Header().Get("WWW-Authenticate"), "Bearer") {
			t.Errorf("user info with Authorization %q: got %d %v, want 401 and Bearer", header, w.Code, w.Header())
		}
	}
}
