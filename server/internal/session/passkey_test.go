package session

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/lab/authenticator"
	"github.com/sininho/sininho/server/lab/check"
)

// phone is an authenticator of a person.
type phone struct{ *authenticator.Authenticator }

func (w *world) phone() phone {
	return phone{authenticator.New(w.manager.PublicURL.Hostname(), w.manager.PublicURL.String())}
}

// make makes the passkey for the options of a server.
func (p phone) make(t *testing.T, options []byte) []byte {
	t.Helper()
	made, err := p.Make(options)
	wantNoError(t, "make a passkey", err)
	return made
}

// answer signs the challenge of a server.
func (p phone) answer(t *testing.T, options []byte) []byte {
	t.Helper()
	answer, err := p.Answer(options)
	wantNoError(t, "answer a challenge", err)
	return answer
}

// passkeys returns a world where people sign in with passkeys.
func passkeys(t *testing.T) *world {
	t.Helper()
	w := newWorld(t)
	w.manager.PublicURL.Host = strings.Replace(w.manager.PublicURL.Host, "127.0.0.1", "localhost", 1)
	party, err := newRelyingParty(w.manager.PublicURL)
	wantNoError(t, "make a relying party", err)
	w.manager.party = party
	return w
}

// begin begins to sign in, and returns the options and the browser's cookie.
func (w *world) beginPasskey() (options []byte, cookie *http.Cookie) {
	w.t.Helper()
	options, cookie, err := w.manager.BeginPasskey(request(), core.SignInStart{Redirect: "/channels/demo"})
	wantNoError(w.t, "begin a sign-in", err)
	return options, cookie
}

// signUpWith makes an account with the passkey of a phone, and returns the person.
func (w *world) signUpWith(p phone, name string) core.Caller {
	w.t.Helper()
	options, cookie, err := w.manager.BeginPasskeySignUp(request(), core.PasskeySignUpInput{Name: name,
		SignInStart: core.SignInStart{Redirect: "/feed"}})
	wantNoError(w.t, "begin to sign up", err)
	to, cookies, err := w.manager.FinishPasskeySignUp(request(cookie), network, p.make(w.t, options))
	wantNoError(w.t, "sign up", err)
	check.Equal(w.t, "page of a new person", to, "/onboarding")
	return w.authenticate("the session of "+name, sessionIn(cookies), "")
}

// fault returns the code of the fault of a passkey, or of another error.
func fault(err error) string {
	if e, ok := err.(*core.Error); ok { //nolint:errorlint // the manager returns it as it is
		if len(e.Fields) > 0 {
			return e.Fields[0].Code
		}
		return e.Reason
	}
	if err != nil {
		return err.Error()
	}
	return ""
}

func TestPasskeySignIn(t *testing.T) {
	w := passkeys(t)
	ana := w.phone()
	person := w.signUpWith(ana, "Ana")
	list, err := w.manager.Passkeys(t.Context(), person)
	wantNoError(t, "list the passkeys", err)
	check.Equal(t, "passkeys", len(list), 1)
	check.Equal(t, "name of the first", list[0].Name, "Chave de acesso")

	options, cookie := w.beginPasskey()
	check.Equal(t, "the cookie is not for scripts", cookie.HttpOnly && cookie.Secure, true)
	var asked struct {
		UserVerification string
		AllowCredentials []any
		RPID             string `json:"rpId"`
	}
	wantNoError(t, "parse the options", json.Unmarshal(options, &asked))
	check.Equal(t, "what the browser asks for", asked.UserVerification+" "+asked.RPID, "required localhost")
	check.Equal(t, "passkeys that the options name", len(asked.AllowCredentials), 0)
	w.pass(time.Minute)
	to, cookies, err := w.manager.FinishPasskey(request(cookie), network, ana.answer(t, options))
	wantNoError(t, "sign in", err)
	check.Equal(t, "page", to, "/channels/demo")
	check.Equal(t, "person", w.authenticate("the session", sessionIn(cookies), "").SubscriberID, person.SubscriberID)
	list, _ = w.manager.Passkeys(t.Context(), person)
	check.Equal(t, "last use", *list[0].UsedAt, w.clock())
}

// TestForeignPasskeys signs in with what proves nothing, each time but for one thing as in TestPasskeySignIn.
func TestForeignPasskeys(t *testing.T) {
	for name, attack := range map[string]struct {
		want   string
		forge  func(w *world, p phone)
		change func(w *world, r *http.Request, answer []byte) (*http.Request, []byte)
	}{
		"page of another origin": {want: "refused", forge: func(_ *world, p phone) {
			p.Site.Origin = "https://evil.example"
		}},
		"another port of the host": {want: "refused", forge: func(_ *world, p phone) {
			p.Site.Origin = "https://localhost:1"
		}},
		"key of another installation": {want: "refused", forge: func(_ *world, p phone) {
			p.Site.ID = "evil.example"
		}},
		"person not verified": {want: "refused", forge: func(_ *world, p phone) {
			p.Says.Options.UserNotVerified = true
		}},
		"person not present": {want: "refused", forge: func(_ *world, p phone) {
			p.Says.Options.UserNotPresent = true
		}},
		"another key of the same name": {want: "refused", forge: func(_ *world, p phone) {
			p.Key.Key = authenticator.NewKey().Key
		}},
		"unknown key": {want: "unknown", forge: func(_ *world, p phone) {
			p.Key.ID = []byte("another key that nobody has here")
		}},
		"account of another person": {want: "refused", forge: func(w *world, p phone) {
			bruno := w.phone()
			w.signUpWith(bruno, "Bruno")
			p.Says.Options.UserHandle = bruno.Says.Options.UserHandle
		}},
		"key of another person": {want: "refused", forge: func(w *world, p phone) {
			bruno := w.phone()
			w.signUpWith(bruno, "Bruno")
			p.Key.ID = bruno.Key.ID
		}},
		"no account": {want: "refused", forge: func(_ *world, p phone) { p.Says.Options.UserHandle = nil }},
		"now backed up": {want: "refused", forge: func(_ *world, p phone) {
			p.Says.Options.BackupEligible, p.Says.Options.BackupState = true, true
		}},
		"challenge of another browser": {want: "no_challenge",
			change: func(w *world, r *http.Request, answer []byte) (*http.Request, []byte) {
				_, other := w.beginPasskey()
				return request(other), answer
			}},
		"no cookie": {want: "no_challenge", change: func(_ *world, _ *http.Request, answer []byte) (*http.Request, []byte) {
			return request(), answer
		}},
		"expired": {want: "no_challenge", change: func(w *world, r *http.Request, answer []byte) (*http.Request, []byte) {
			w.pass(core.PasskeyChallengeLife)
			return r, answer
		}},
		"not JSON": {want: "refused", change: func(_ *world, r *http.Request, _ []byte) (*http.Request, []byte) {
			return r, []byte("[]")
		}},
	} {
		t.Run(name, func(t *testing.T) {
			w := passkeys(t)
			ana := w.phone()
			w.signUpWith(ana, "Ana")
			if attack.forge != nil {
				attack.forge(w, ana)
			}
			options, cookie := w.beginPasskey()
			r, answer := request(cookie), ana.answer(t, options)
			if attack.change != nil {
				r, answer = attack.change(w, r, answer)
			}
			_, cookies, err := w.manager.FinishPasskey(r, network, answer)
			check.Equal(t, "fault", fault(err), attack.want)
			check.Equal(t, "session", sessionIn(cookies), "")
		})
	}
}

// TestRepeatedPasskey sends an answer twice, with the cookie of the first time.
func TestRepeatedPasskey(t *testing.T) {
	w := passkeys(t)
	ana := w.phone()
	w.signUpWith(ana, "Ana")
	options, cookie := w.beginPasskey()
	answer := ana.answer(t, options)
	_, _, err := w.manager.FinishPasskey(request(cookie), network, answer)
	wantNoError(t, "sign in", err)
	_, cookies, err := w.manager.FinishPasskey(request(cookie), network, answer)
	check.Equal(t, "fault of the same answer", fault(err), "no_challenge")
	check.Equal(t, "session of the same answer", sessionIn(cookies), "")
}

// TestWrongAnswerUsesTheChallenge guesses twice at one challenge.
func TestWrongAnswerUsesTheChallenge(t *testing.T) {
	w := passkeys(t)
	ana := w.phone()
	w.signUpWith(ana, "Ana")
	options, cookie := w.beginPasskey()
	ana.Says.Options.UserNotVerified = true
	_, _, err := w.manager.FinishPasskey(request(cookie), network, ana.answer(t, options))
	check.Equal(t, "fault of the wrong answer", fault(err), "refused")
	ana.Says.Options.UserNotVerified = false
	_, _, err = w.manager.FinishPasskey(request(cookie), network, ana.answer(t, options))
	check.Equal(t, "fault of the right answer after it", fault(err), "no_challenge")
}

// TestClonedPasskey signs in with a counter that goes back, as that of a copy of a security key does.
func TestClonedPasskey(t *testing.T) {
	w := passkeys(t)
	ana := w.phone()
	w.signUpWith(ana, "Ana")
	try := func(counter uint32) string {
		ana.Key.Counter = counter
		options, cookie := w.beginPasskey()
		_, _, err := w.manager.FinishPasskey(request(cookie), network, ana.answer(t, options))
		return fault(err)
	}
	check.Equal(t, "fault of the fifth use", try(5), "")
	check.Equal(t, "fault of the fifth use by a copy", try(5), "cloned")
	check.Equal(t, "fault of the fourth use by a copy", try(4), "cloned")
	check.Equal(t, "fault of the sixth use", try(6), "")
	if !strings.Contains(w.log.String(), "counter went back") {
		t.Errorf("log: got %q, want a warning of the copy", w.log)
	}
}

// TestPurposes takes the answer to one challenge for another.
func TestPurposes(t *testing.T) {
	w := passkeys(t)
	ana := w.phone()
	caller := w.signUpWith(ana, "Ana")
	second := w.phone()
	options, cookie, err := w.manager.BeginAddingPasskey(request(), caller)
	wantNoError(t, "begin to add a passkey", err)
	made := second.make(t, options)
	_, _, err = w.manager.FinishPasskeySignUp(request(cookie), network, made)
	check.Equal(t, "fault of signing up with a passkey to add", fault(err), "no_challenge")
	_, err = w.manager.AddPasskey(request(cookie), core.Caller{SubscriberID: core.NewID()},
		core.PasskeyInput{Credential: made})
	check.Equal(t, "fault of adding it to another account", fault(err), "no_challenge")

	options, cookie, err = w.manager.BeginPasskeySignUp(request(), core.PasskeySignUpInput{Name: "Eva"})
	wantNoError(t, "begin to sign up", err)
	_, err = w.manager.AddPasskey(request(cookie), caller, core.PasskeyInput{Credential: second.make(t, options)})
	check.Equal(t, "fault of adding a passkey to sign up with", fault(err), "no_challenge")
	_, _, err = w.manager.FinishPasskey(request(cookie), network, ana.answer(t, options))
	check.Equal(t, "fault of signing in with the challenge of a sign-up", fault(err), "no_challenge")
}

// TestOwnPasskeys adds, renames and removes passkeys.
func TestOwnPasskeys(t *testing.T) {
	w := passkeys(t)
	first, second := w.phone(), w.phone()
	ana := w.signUpWith(first, "Ana")
	options, cookie, err := w.manager.BeginAddingPasskey(request(), ana)
	wantNoError(t, "begin to add a passkey", err)
	if id := base64.RawURLEncoding.EncodeToString(first.Key.ID); !strings.Contains(string(options), id) {
		t.Errorf("options: got %s, want the first passkey among those that are excluded", options)
	}
	k, err := w.manager.AddPasskey(request(cookie), ana, core.PasskeyInput{Name: new("Chave azul"),
		Credential: second.make(t, options)})
	wantNoError(t, "add a passkey", err)
	check.Equal(t, "handles of one account", string(second.Says.Options.UserHandle),
		string(first.Says.Options.UserHandle))
	check.Equal(t, "length of the handle", len(first.Says.Options.UserHandle), handleBytes)

	k, err = w.manager.RenamePasskey(t.Context(), ana, k.ID, core.PasskeyRename{Name: "Chave verde"})
	wantNoError(t, "rename", err)
	check.Equal(t, "new name", k.Name, "Chave verde")
	stranger := core.Caller{SubscriberID: core.NewID()}
	_, err = w.manager.RenamePasskey(t.Context(), stranger, k.ID, core.PasskeyRename{Name: "X"})
	check.Equal(t, "renaming as a stranger fails", core.IsCode(err, core.CodeNotFound), true)
	err = w.manager.RemovePasskey(t.Context(), stranger, k.ID)
	check.Equal(t, "removing as a stranger fails", core.IsCode(err, core.CodeNotFound), true)

	list, _ := w.manager.Passkeys(t.Context(), ana)
	wantNoError(t, "remove the first", w.manager.RemovePasskey(t.Context(), ana, list[0].ID))
	err = w.manager.RemovePasskey(t.Context(), ana, list[1].ID)
	check.Equal(t, "reason for keeping the last", fault(err), "last_identity")
	options, cookie = w.beginPasskey()
	_, _, err = w.manager.FinishPasskey(request(cookie), network, first.answer(t, options))
	check.Equal(t, "fault of a passkey that was removed", fault(err), "unknown")
}

// TestPasskeyOfTwoAccounts registers one passkey twice.
func TestPasskeyOfTwoAccounts(t *testing.T) {
	w := passkeys(t)
	ana := w.phone()
	w.signUpWith(ana, "Ana")
	options, cookie, err := w.manager.BeginPasskeySignUp(request(), core.PasskeySignUpInput{Name: "Mallory"})
	wantNoError(t, "begin to sign up", err)
	_, cookies, err := w.manager.FinishPasskeySignUp(request(cookie), network, ana.make(t, options))
	check.Equal(t, "fault", fault(err), "taken")
	check.Equal(t, "session", sessionIn(cookies), "")
}

// TestPasskeySignUpByInvitation signs up where only invited people may.
func TestPasskeySignUpByInvitation(t *testing.T) {
	w := passkeys(t)
	w.manager.InvitedOnly = true
	_, _, err := w.manager.BeginPasskeySignUp(request(), core.PasskeySignUpInput{Name: "Ana"})
	check.Equal(t, "reason without an invitation", fault(err), "uninvited")
	options, cookie, err := w.manager.BeginPasskeySignUp(request(), core.PasskeySignUpInput{Name: "Ana",
		SignInStart: core.SignInStart{Invitation: "swi_unknown"}})
	wantNoError(t, "begin to sign up", err)
	to, cookies, err := w.manager.FinishPasskeySignUp(request(cookie), network, w.phone().make(t, options))
	wantNoError(t, "sign up with an unknown invitation", err)
	check.Equal(t, "page with an unknown invitation", to, "/login?error=uninvited")
	check.Equal(t, "session", sessionIn(cookies), "")
}

// TestOperatorLink lets the first operator in, once.
func TestOperatorLink(t *testing.T) {
	w := passkeys(t)
	w.manager.InvitedOnly = true
	signUp := func(secret string) (core.Caller, error) {
		options, cookie, err := w.manager.BeginPasskeySignUp(request(), core.PasskeySignUpInput{Name: "Eva", OperatorLink: secret})
		if err != nil {
			return core.Caller{}, err
		}
		_, cookies, err := w.manager.FinishPasskeySignUp(request(cookie), network, w.phone().make(t, options))
		if err != nil {
			return core.Caller{}, err
		}
		return w.authenticate("the session", sessionIn(cookies), ""), nil
	}
	link := func(only bool) string {
		address, err := core.NewOperatorLink(t.Context(), w.store, "https://x.example", only, w.clock())
		wantNoError(t, "make a link", err)
		secret, _ := strings.CutPrefix(address, "https://x.example/login/operator#")
		return secret
	}
	isOperator := func(c core.Caller) bool {
		s, err := w.store.Subscriber(t.Context(), c.SubscriberID)
		wantNoError(t, "find the person", err)
		return core.Operators(nil).Has(s)
	}
	first, other := link(false), link(false)
	eva, err := signUp(first)
	wantNoError(t, "sign up by the link", err)
	check.Equal(t, "operator", isOperator(eva), true)
	for what, secret := range map[string]string{"the same link": first, "another that was printed before": other,
		"a guess": "sno_live_" + strings.Repeat("x", 36)} {
		_, err = signUp(secret)
		check.Equal(t, "reason for refusing "+what, fault(err), "no_operator_link")
	}
	late := link(false)
	w.pass(core.OperatorLinkLife)
	_, err = signUp(late)
	check.Equal(t, "reason for refusing a link that has expired", fault(err), "no_operator_link")
	rui, err := signUp(link(true))
	wantNoError(t, "sign up by a link that replaces operators", err)
	check.Equal(t, "operators after it", []bool{isOperator(eva), isOperator(rui)}, []bool{false, true})
}

// TestPasskeysNotOffered calls everything where passkeys are not offered.
func TestPasskeysNotOffered(t *testing.T) {
	w := newWorld(t)
	_, _, err := w.manager.BeginPasskey(request(), core.SignInStart{})
	check.Equal(t, "begin a sign-in", fault(err), "not_offered")
	_, _, err = w.manager.FinishPasskey(request(), network, nil)
	check.Equal(t, "finish a sign-in", fault(err), "not_offered")
	_, _, err = w.manager.BeginPasskeySignUp(request(), core.PasskeySignUpInput{Name: "Ana"})
	check.Equal(t, "begin to sign up", fault(err), "not_offered")
	_, _, err = w.manager.FinishPasskeySignUp(request(), network, nil)
	check.Equal(t, "sign up", fault(err), "not_offered")
	_, _, err = w.manager.BeginAddingPasskey(request(), core.Caller{})
	check.Equal(t, "begin to add", fault(err), "not_offered")
	_, err = w.manager.AddPasskey(request(), core.Caller{}, core.PasskeyInput{})
	check.Equal(t, "add", fault(err), "not_offered")
	for _, method := range w.manager.Methods() {
		if method.Kind == core.SignInPasskey {
			t.Error("the ways to sign in include passkeys")
		}
	}
}

// TestCeremonyCookie begins in more tabs than the cookie has room for, with the longest of everything.
func TestCeremonyCookie(t *testing.T) {
	w := passkeys(t)
	in := core.PasskeySignUpInput{Name: strings.Repeat("🎉", 200), SignInStart: core.SignInStart{
		Redirect: "/" + strings.Repeat(`"`, maxPath-1), Invitation: strings.Repeat("x", maxInvitation)}}
	var cookies []*http.Cookie
	var last []byte
	for range ceremoniesKept + 1 {
		options, cookie, err := w.manager.BeginPasskeySignUp(request(cookies...), in)
		wantNoError(t, "begin to sign up", err)
		if n := len(cookie.String()); n > maxCookie {
			t.Errorf("cookie: got %d bytes, want at most %d", n, maxCookie)
		}
		cookies, last = []*http.Cookie{cookie}, options
	}
	_, _, err := w.manager.FinishPasskeySignUp(request(cookies...), network, w.phone().make(t, last))
	wantNoError(t, "sign up in the last tab", err)
}
