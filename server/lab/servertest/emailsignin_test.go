package servertest_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"testing"

	"github.com/sininho/sininho/server/lab/check"
	"github.com/sininho/sininho/server/lab/servertest"
)

// stranger is a browser of nobody yet, which keeps secure cookies on this machine.
type stranger struct {
	t        *testing.T
	s        *servertest.Server
	jar      *cookiejar.Jar
	language string // the header Accept-Language, or ""
}

func newStranger(t *testing.T, s *servertest.Server) *stranger {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatalf("make a cookie jar: %v", err)
	}
	return &stranger{t: t, s: s, jar: jar}
}

// home is where the browser takes the server to be.
var home = &url.URL{Scheme: "https", Host: "sininho.test"}

func (b *stranger) cookies() []*http.Cookie { return b.jar.Cookies(home) }

// reply is a response that has been read.
type reply struct {
	status int
	header http.Header
	code   string // of the problem
}

// post posts a body and keeps the cookies of the response.
func (b *stranger) post(path string, body object) reply {
	b.t.Helper()
	sent, err := json.Marshal(body)
	if err != nil {
		b.t.Fatalf("encode the body: %v", err)
	}
	req, err := http.NewRequestWithContext(b.t.Context(), http.MethodPost, b.s.URL+"/api/v1"+path,
		strings.NewReader(string(sent)))
	if err != nil {
		b.t.Fatalf("make a request: %v", err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept-Language", b.language)
	for _, c := range b.cookies() {
		req.AddCookie(c)
	}
	res, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		b.t.Fatalf("POST %s: %v", path, err)
	}
	defer func() { _ = res.Body.Close() }()
	b.jar.SetCookies(home, res.Cookies())
	var problem struct{ Code string }
	_ = json.NewDecoder(res.Body).Decode(&problem) // a body that is not a problem has no code
	return reply{res.StatusCode, res.Header, problem.Code}
}

// TestAskingForCodesRevealsNoAccounts compares what a stranger sees for an address with an account and for one without.
func TestAskingForCodesRevealsNoAccounts(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	s.SignIn(t, "known@example.com")
	seen := func(email string) string {
		got := newStranger(t, s).post("/auth/email", object{"email": email})
		s.Mail(t, email, 0) // everyone is sent one
		return fmt.Sprint(got.status, got.code, len(got.header), got.header.Get("Set-Cookie") != "")
	}
	check.Equal(t, "what is seen for an unknown address", seen("nobody@example.com"), seen("known@example.com"))
}

// TestGuessingCodesOverManyAddresses expects a network to have few guesses, however many addresses it tries.
func TestGuessingCodesOverManyAddresses(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Limited(), servertest.With("LIMIT_JOINS_PER_MINUTE", "10000"))
	guesses, refused := 0, 0
	for i := range 30 {
		b := newStranger(t, s)
		if got := b.post("/auth/email", object{"email": fmt.Sprintf("a%d@example.com", i)}); got.status != 204 {
			t.Fatalf("ask for a code: got %d, want 204", got.status)
		}
		for j := range 7 { // more than one code can be tried
			got := b.post("/auth/email/code", object{"code": fmt.Sprintf("%08d", j)})
			switch {
			case got.status == 429:
				refused++
			case got.status == 422 || got.status == 404 && got.code == "no_sign_in":
				guesses++
			default:
				t.Fatalf("a guess: got %d, want it refused", got.status)
			}
		}
	}
	if guesses > 40 || refused < 170 {
		t.Errorf("guesses that were tried: got %d, and %d refused, want about 30 of 210", guesses, refused)
	}
}

// TestCodesAreAskedForSlowly expects limits for a network, and for a mailbox from wherever it is asked.
func TestCodesAreAskedForSlowly(t *testing.T) {
	t.Parallel()
	for limit, address := range map[string]string{"5": "a%d@example.com", "10000": "ana+%d@example.com"} {
		s := servertest.Start(t, servertest.Limited(), servertest.With("LIMIT_JOINS_PER_MINUTE", limit))
		for i := range 6 {
			got := newStranger(t, s).post("/auth/email", object{"email": fmt.Sprintf(address, i)})
			want := http.StatusNoContent
			if i == 5 {
				want = http.StatusTooManyRequests
			}
			check.Equal(t, fmt.Sprintf("request %d for a code at %s", i, address), got.status, want)
			check.Equal(t, "it says when to try again", got.header.Get("Retry-After") != "", i == 5)
		}
	}
}

// TestNobodyIsLockedOut has strangers use up the codes of a mailbox, and expects its owner to sign in all the same in a
// browser that they have used, even after they signed out.
func TestNobodyIsLockedOut(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Limited(), servertest.With("LIMIT_JOINS_PER_MINUTE", "10000"))
	owner, email, seen := newStranger(t, s), object{"email": "ana@example.com"}, int64(0)
	signIn := func() {
		t.Helper()
		check.Equal(t, "the owner's request for a code", owner.post("/auth/email", email).status, http.StatusNoContent)
		got := s.Mail(t, "ana@example.com", seen)
		code := got.Subject[:len("1234 5678")]
		seen = got.Seq
		check.Equal(t, "the owner's code", owner.post("/auth/email/code", object{"code": code}).status, http.StatusOK)
	}
	signIn()
	for i := range 8 {
		want := http.StatusNoContent
		if i >= 4 {
			want = http.StatusTooManyRequests
		}
		got := newStranger(t, s).post("/auth/email", object{"email": fmt.Sprintf("ana+%d@example.com", i)})
		check.Equal(t, fmt.Sprintf("request %d of a stranger", i), got.status, want)
	}
	signIn()
	for _, c := range owner.cookies() {
		if c.Name == "__Host-sininho" {
			owner.jar.SetCookies(home, []*http.Cookie{{Name: c.Name, Path: "/", Secure: true, MaxAge: -1}})
		}
	}
	signIn()
	check.Equal(t, "another browser of the owner", newStranger(t, s).post("/auth/email", email).status,
		http.StatusTooManyRequests)
}

// TestAddingAddressesIsLimited expects a person to have no more emails sent to strangers than a visitor.
func TestAddingAddressesIsLimited(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Limited())
	ana := s.SignIn(t, "ana@example.com")
	for i := range 6 {
		want := http.StatusOK
		if i == 5 {
			want = http.StatusTooManyRequests
		}
		ana.Do(http.MethodPost, "/subscribers/identities",
			object{"kind": "email", "email": fmt.Sprintf("a%d@example.com", i)}, want, nil)
	}
}

// TestWaysThatAreNotOffered expects those that SIGN_IN does not name to be closed.
func TestWaysThatAreNotOffered(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.With("SIGN_IN", "oidc"))
	for path, body := range map[string]object{"/auth/email": {"email": "ana@example.com"},
		"/auth/email/code": {"code": "12345678"}} {
		check.Equal(t, "status of "+path, newStranger(t, s).post(path, body).status, http.StatusNotFound)
	}
	for _, path := range []string{"/auth/google", "/auth/google/callback", "/auth/oidc/globex", "/auth/oidc/globex/callback"} {
		res, err := http.Get(s.URL + "/api/v1" + path)
		if err != nil {
			t.Fatalf("GET %s: %v", path, err)
		}
		_ = res.Body.Close()
		check.Equal(t, "status of "+path, res.StatusCode, http.StatusNotFound)
	}
}
