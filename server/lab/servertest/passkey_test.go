package servertest_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/sininho/sininho/internal/eventually"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/dev"
	"github.com/sininho/sininho/server/lab/authenticator"
	"github.com/sininho/sininho/server/lab/check"
	"github.com/sininho/sininho/server/lab/servertest"
)

// passkeyUser is a browser with an authenticator, of nobody yet.
type passkeyUser struct {
	*stranger
	*authenticator.Authenticator
}

func newPasskeyUser(t *testing.T, s *servertest.Server) *passkeyUser {
	t.Helper()
	return &passkeyUser{newStranger(t, s), authenticator.New("localhost", s.URL)}
}

// do sends a request, expects a status, keeps the cookies and decodes the response.
func (b *passkeyUser) do(method, path string, body object, want int, out any) {
	b.t.Helper()
	var sent []byte
	if body != nil {
		var err error
		if sent, err = json.Marshal(body); err != nil {
			b.t.Fatalf("encode the body: %v", err)
		}
	}
	req, err := http.NewRequestWithContext(b.t.Context(), method, b.s.URL+"/api/v1"+path, bytes.NewReader(sent))
	if err != nil {
		b.t.Fatalf("make a request: %v", err)
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	for _, c := range b.cookies() {
		req.AddCookie(c)
	}
	res, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		b.t.Fatalf("%s %s: %v", method, path, err)
	}
	defer func() { _ = res.Body.Close() }()
	b.jar.SetCookies(home, res.Cookies())
	got, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != want {
		b.t.Fatalf("%s %s: got %s, want %d: %s %v", method, path, res.Status, want, got, err)
	}
	if out != nil {
		if err := json.Unmarshal(got, out); err != nil {
			b.t.Fatalf("%s %s: decode %s: %v", method, path, got, err)
		}
	}
}

// challenge posts a body to a path, and returns the options of the response.
func (b *passkeyUser) challenge(path string, body object) string {
	b.t.Helper()
	var options struct{ PublicKey json.RawMessage }
	b.do(http.MethodPost, path, body, 200, &options)
	return string(options.PublicKey)
}

// made returns the passkey that the authenticator makes.
func (b *passkeyUser) made(options string) object {
	b.t.Helper()
	made, err := b.Make([]byte(options))
	if err != nil {
		b.t.Fatal("make a passkey:", err)
	}
	return object{"credential": json.RawMessage(made)}
}

// answer returns the answer of the authenticator.
func (b *passkeyUser) answer(options string) object {
	b.t.Helper()
	answer, err := b.Answer([]byte(options))
	if err != nil {
		b.t.Fatal("answer a challenge:", err)
	}
	return object{"credential": json.RawMessage(answer)}
}

func (b *passkeyUser) signUp(in object) (page string) {
	b.t.Helper()
	var to struct{ URL string }
	b.do(http.MethodPost, "/auth/passkeys/sign-up", b.made(b.challenge("/auth/passkeys/sign-up/challenge", in)), 200, &to)
	return to.URL
}

func (b *passkeyUser) signIn() (page string) {
	b.t.Helper()
	var to struct{ URL string }
	b.do(http.MethodPost, "/auth/passkeys",
		b.answer(b.challenge("/auth/passkeys/challenge", object{"redirect": "/settings"})), 200, &to)
	return to.URL
}

// TestPasskeys is the life of a person without an email address: they sign up, publish, add and remove passkeys, and
// leave.
func TestPasskeys(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Passkeys(), servertest.With("SIGN_IN", "passkey"),
		servertest.With("SMTP_URL", ""), servertest.With("MAIL_FROM", ""))
	ana := newPasskeyUser(t, s)
	check.Equal(t, "page of a new person", ana.signUp(object{"name": "Ana"}), "/onboarding")
	var me map[string]any
	ana.do(http.MethodGet, "/subscribers/me", nil, 200, &me)
	check.Equal(t, "name", me["name"], any("Ana"))
	if email, has := me["email"]; has {
		t.Errorf("email: got %v, want none", email)
	}
	ana.do(http.MethodPost, "/publishers", object{"slug": "ana", "name": "Ana"}, 201, nil)
	ana.do(http.MethodDelete, "/auth", nil, 204, nil)
	check.Equal(t, "page after signing in", ana.signIn(), "/settings")

	phone := newPasskeyUser(t, s) // another authenticator, in the browser where ana is signed in
	phone.stranger = ana.stranger
	added := phone.made(ana.challenge("/subscribers/passkeys/challenge", nil))
	added["name"] = "Telemóvel"
	var second struct{ ID, Name string }
	ana.do(http.MethodPost, "/subscribers/passkeys", added, 201, &second)
	ana.do(http.MethodPost, "/subscribers/passkeys", added, 404, nil) // once
	ana.do(http.MethodPatch, "/subscribers/passkeys/"+second.ID, object{"name": "Azul"}, 200, &second)
	check.Equal(t, "new name", second.Name, "Azul")
	var list struct {
		Data []struct{ ID, Name, UsedAt string }
	}
	ana.do(http.MethodGet, "/subscribers/passkeys", nil, 200, &list)
	check.Equal(t, "passkeys", len(list.Data), 2)
	check.Equal(t, "the first was used, and the second was not",
		[]bool{list.Data[0].UsedAt != "", list.Data[1].UsedAt != ""}, []bool{true, false})
	var export struct {
		Passkeys []struct{ Name, CreatedAt string }
	}
	ana.do(http.MethodGet, "/subscribers/me/export", nil, 200, &export)
	check.Equal(t, "exported passkeys", len(export.Passkeys), 2)

	ana.do(http.MethodDelete, "/subscribers/passkeys/"+list.Data[0].ID, nil, 204, nil)
	var refused struct{ Code string }
	ana.do(http.MethodDelete, "/subscribers/passkeys/"+second.ID, nil, 409, &refused)
	check.Equal(t, "why the last one stays", refused.Code, "last_identity")
	var log struct{ Data []auditEntry }
	ana.do(http.MethodGet, "/publishers/ana/audit-log", nil, 200, &log)
	check.Equal(t, "entries for the owner", actions(log.Data),
		[]string{"removePasskey", "addPasskey", "createPublisher"})
	check.Equal(t, "name of the added one", log.Data[1].Object.Name, "Telemóvel")
	var options struct{ Code string }
	ana.do(http.MethodPost, "/auth/passkeys", ana.answer(ana.challenge("/auth/passkeys/challenge", object{})), 422, &options)
	ana.do(http.MethodDelete, "/subscribers/me", nil, 204, nil)
	check.Equal(t, "passkeys that are left", count(t, s, "select count(*) from passkeys"), 0)
}

// TestStolenPasskeyAnswers sends answers of one browser from another, and those of one account for another.
func TestStolenPasskeyAnswers(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Passkeys())
	ana, mallory := newPasskeyUser(t, s), newPasskeyUser(t, s)
	ana.signUp(object{"name": "Ana"})
	mallory.signUp(object{"name": "Mallory"})

	answer := ana.answer(ana.challenge("/auth/passkeys/challenge", object{}))
	thief := newPasskeyUser(t, s)
	thief.do(http.MethodPost, "/auth/passkeys", answer, 404, nil)
	thief.challenge("/auth/passkeys/challenge", object{})
	thief.do(http.MethodPost, "/auth/passkeys", answer, 404, nil)
	ana.do(http.MethodPost, "/auth/passkeys", answer, 200, nil)
	ana.do(http.MethodPost, "/auth/passkeys", answer, 404, nil)

	// A page elsewhere that asks for a passkey of this installation is refused by browsers, and by the server.
	mallory.Site.Origin = "https://evil.example"
	mallory.do(http.MethodPost, "/auth/passkeys", mallory.answer(mallory.challenge("/auth/passkeys/challenge", object{})),
		422, nil)
	mallory.Site.Origin = s.URL
	mallory.Says.Options.UserHandle = ana.Says.Options.UserHandle
	mallory.do(http.MethodPost, "/auth/passkeys", mallory.answer(mallory.challenge("/auth/passkeys/challenge", object{})),
		422, nil)
	var list struct{ Data []struct{ ID string } }
	ana.do(http.MethodGet, "/subscribers/passkeys", nil, 200, &list)
	mallory.do(http.MethodPatch, "/subscribers/passkeys/"+list.Data[0].ID, object{"name": "Mine"}, 404, nil)
	mallory.do(http.MethodDelete, "/subscribers/passkeys/"+list.Data[0].ID, nil, 404, nil)
	// A passkey that was made for Mallory's challenge becomes none of Ana's.
	mallory.Says.Options.UserHandle = nil
	made := mallory.made(mallory.challenge("/subscribers/passkeys/challenge", nil))
	ana.do(http.MethodPost, "/subscribers/passkeys", made, 404, nil)
}

// TestPasskeyBesideAnAddress adds a passkey to an account with an address, which then may lose its address.
func TestPasskeyBesideAnAddress(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Passkeys())
	ana := s.SignIn(t, "ana@example.com")
	b := newPasskeyUser(t, s)
	for _, pair := range strings.Split(cookieOf(ana), "; ") {
		name, value, _ := strings.Cut(pair, "=")
		b.jar.SetCookies(home, []*http.Cookie{{Name: name, Value: value, Path: "/", Secure: true}})
	}
	b.do(http.MethodPost, "/subscribers/passkeys", b.made(b.challenge("/subscribers/passkeys/challenge", nil)), 201, nil)
	var identities struct{ Data []struct{ ID string } }
	b.do(http.MethodGet, "/subscribers/identities", nil, 200, &identities)
	b.do(http.MethodDelete, "/subscribers/identities/"+identities.Data[0].ID, nil, 204, nil)
	b.do(http.MethodDelete, "/auth", nil, 204, nil)
	b.signIn()
	var me struct{ Name, Email string }
	b.do(http.MethodGet, "/subscribers/me", nil, 200, &me)
	check.Equal(t, "address of the person", me.Email, "")
}

func cookieOf(p *servertest.Subscriber) string {
	r := &http.Request{Header: http.Header{}}
	p.Sign(r)
	return r.Header.Get("Cookie")
}

// logLines is a log.
type logLines struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *logLines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *logLines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

var printedLink = regexp.MustCompile(`link=(\S+)/login/operator#(sno_live_\w+)`)

// TestFirstOperator starts a server without operators, and comes in by the link that it prints, once.
func TestFirstOperator(t *testing.T) {
	t.Parallel()
	var log logLines
	logged := func(c *dev.Config) { c.Log = slog.New(slog.NewTextHandler(&log, nil)) }
	database := servertest.With("DATABASE_URL", servertest.Database(t))
	key := servertest.With("SECRET_KEY", base64.StdEncoding.EncodeToString(core.NewSecretKey()))
	options := []servertest.Option{key, servertest.Passkeys(), servertest.With("SIGN_IN", "passkey"),
		servertest.With("OPERATOR_EMAILS", ""), servertest.With("SIGN_UP", "invitation"), database, logged}
	s := servertest.Start(t, options...)
	eventually.True(t, "the server prints a link", func() bool { return printedLink.MatchString(log.String()) })
	found := printedLink.FindStringSubmatch(log.String())
	check.Equal(t, "address of the link", found[1], s.URL)
	check.Equal(t, "secrets in the database",
		count(t, s, "select count(*) from operator_links where secret_hash = $1", found[2]), 0)

	stranger := newPasskeyUser(t, s)
	stranger.do(http.MethodPost, "/auth/passkeys/sign-up/challenge", object{"name": "Mallory"}, 403, nil)
	stranger.do(http.MethodPost, "/auth/passkeys/sign-up/challenge",
		object{"name": "Mallory", "operatorLink": "sno_live_" + strings.Repeat("x", 36)}, 404, nil)
	eva, late := newPasskeyUser(t, s), newPasskeyUser(t, s)
	begun := late.challenge("/auth/passkeys/sign-up/challenge", object{"name": "Late", "operatorLink": found[2]})
	eva.signUp(object{"name": "Eva", "operatorLink": found[2]})
	var auth struct{ Operator bool }
	eva.do(http.MethodGet, "/auth", nil, 200, &auth)
	check.Equal(t, "operator", auth.Operator, true)
	eva.do(http.MethodGet, "/admin/settings", nil, 200, nil)
	late.do(http.MethodPost, "/auth/passkeys/sign-up", late.made(begun), 404, nil)
	late.do(http.MethodPost, "/auth/passkeys/sign-up/challenge", object{"name": "Late", "operatorLink": found[2]}, 404, nil)
	var entries struct{ Data []auditEntry }
	eva.do(http.MethodGet, "/admin/audit-log", nil, 200, &entries)
	check.Equal(t, "entry in the log", entries.Data[0].Action+" "+entries.Data[0].Actor.Name, "finishPasskeySignUp Eva")

	var again logLines
	options[len(options)-1] = func(c *dev.Config) { c.Log = slog.New(slog.NewTextHandler(&again, nil)) }
	second := servertest.Start(t, options...)
	eventually.True(t, "another server is ready", func() bool {
		res, err := http.Get(second.URL + "/readyz") //nolint:noctx // of the test's own server
		if err != nil {
			return false
		}
		return res.Body.Close() == nil && res.StatusCode == http.StatusOK
	})
	check.Equal(t, "link of a server with an operator", printedLink.FindString(again.String()), "")
}
