package session

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/lab/check"
)

// request returns a request with cookies.
func request(cookies ...*http.Cookie) *http.Request {
	r := httptest.NewRequest(http.MethodPost, "/", nil)
	for _, c := range cookies {
		r.AddCookie(c)
	}
	return r
}

// beginEmail asks for a code in a browser, and returns the browser's cookie and the code of the email.
func (w *world) beginEmail(email, redirect string) (cookie *http.Cookie, code string) {
	w.t.Helper()
	cookie, err := w.manager.BeginEmail(request(), network, core.EmailSignInInput{Email: email,
		SignInStart: core.SignInStart{Redirect: redirect}})
	wantNoError(w.t, "begin a sign-in by email", err)
	return cookie, w.manager.Emails.Codes.Code(w.store.emails[len(w.store.emails)-1].ID)
}

// session returns the secret of the session that cookies begin, or an empty string.
func sessionIn(cookies []*http.Cookie) string {
	for _, c := range cookies {
		if c.Name == CookieName {
			return c.Value
		}
	}
	return ""
}

func TestEmailSignIn(t *testing.T) {
	w := newWorld(t)
	cookie, code := w.beginEmail("Ana@example.com", "/channels/demo")
	check.Equal(t, "the cookie is for scripts", cookie.HttpOnly && cookie.Secure, true)
	check.Equal(t, "digits of the code", len(code), 8)
	if strings.Contains(cookie.Value, code) {
		t.Error("the cookie contains the code")
	}
	to, cookies, err := w.manager.FinishEmail(request(cookie), network, " "+code[:4]+" "+code[4:])
	wantNoError(t, "finish a sign-in by email", err)
	check.Equal(t, "page", to, "/channels/demo")
	ana := w.authenticate("the session", sessionIn(cookies), "")
	_, _, err = w.manager.FinishEmail(request(cookie), network, code)
	check.Equal(t, "the same code again fails", core.IsCode(err, core.CodeNotFound), true)
	cookie, code = w.beginEmail("ana@EXAMPLE.com", "//evil.example")
	to, cookies, err = w.manager.FinishEmail(request(cookie), network, code)
	wantNoError(t, "sign in again", err)
	check.Equal(t, "page instead of another site", to, "/onboarding")
	check.Equal(t, "person at the second sign-in", w.authenticate("the session", sessionIn(cookies), "").SubscriberID,
		ana.SubscriberID)
}

// TestLanguageOfTheBrowser expects it to be that of the email, and the locale of a new account whose issuer reports
// none.
func TestLanguageOfTheBrowser(t *testing.T) {
	for header, want := range map[string]core.Language{
		"en-US,en;q=0.9": core.English, "pt-BR,pt;q=0.9": core.BrazilianPortuguese, "": core.Portuguese,
	} {
		w := newWorld(t)
		from := func(cookies ...*http.Cookie) *http.Request {
			r := request(cookies...)
			r.Header.Set("Accept-Language", header)
			return r
		}
		cookie, err := w.manager.BeginEmail(from(), network, core.EmailSignInInput{Email: "ana@example.com"})
		wantNoError(t, "begin a sign-in by email", err)
		begun := w.store.emails[0]
		check.Equal(t, "language of the email with the header "+header, begun.Language, want)
		_, _, err = w.manager.FinishEmail(from(cookie), network, w.manager.Emails.Codes.Code(begun.ID))
		wantNoError(t, "finish a sign-in by email", err)
		check.Equal(t, "locale of the account with the header "+header,
			w.store.subscribers[core.IssuerEmail+" ana@example.com"].Locale, string(want))
	}
}

// TestForeignCodes uses a code in another browser, and another browser's code.
func TestForeignCodes(t *testing.T) {
	w := newWorld(t)
	own, _ := w.beginEmail("mallory@example.com", "/")
	theirs, code := w.beginEmail("ana@example.com", "/")
	for name, c := range map[string][]*http.Cookie{
		"none": nil, "an invented one": {{Name: emailCookie, Value: "x"}},
		"that of a sign-in with Google": {{Name: emailCookie, Value: w.manager.seal(pending{State: "x",
			Until: w.clock().Add(time.Hour), Issuer: core.IssuerGoogle})}},
	} {
		_, cookies, err := w.manager.FinishEmail(request(c...), network, code)
		check.Equal(t, "a code with the cookie: "+name, core.IsCode(err, core.CodeNotFound) && len(cookies) == 0, true)
	}
	_, cookies, err := w.manager.FinishEmail(request(own), network, code)
	check.Equal(t, "another's code fails", core.IsCode(err, core.CodeInvalid) && len(cookies) == 0, true)
	w.pass(core.EmailCodeLife)
	_, _, err = w.manager.FinishEmail(request(theirs), network, code)
	check.Equal(t, "an expired code fails", core.IsCode(err, core.CodeNotFound), true)
}

func TestWrongCodes(t *testing.T) {
	w := newWorld(t)
	cookie, code := w.beginEmail("ana@example.com", "/")
	wrong := "00000000"
	if code == wrong {
		wrong = "11111111"
	}
	for i := range core.EmailCodeTries {
		_, _, err := w.manager.FinishEmail(request(cookie), network, wrong)
		want := core.CodeInvalid
		if i == core.EmailCodeTries-1 {
			want = core.CodeNotFound // so that the page offers another code
		}
		check.Equal(t, "a wrong code fails", core.IsCode(err, want), true)
	}
	_, _, err := w.manager.FinishEmail(request(cookie), network, code)
	check.Equal(t, "the right code fails after too many", core.IsCode(err, core.CodeNotFound), true)
}

func TestEmailIsNotOffered(t *testing.T) {
	w := newWorld(t)
	w.manager.Emails = nil
	_, err := w.manager.BeginEmail(request(), network, core.EmailSignInInput{Email: "ana@example.com"})
	check.Equal(t, "it is not found", core.IsCode(err, core.CodeNotFound), true)
	check.Equal(t, "ways", len(w.manager.Methods()), 4)
}

// valueOf returns the value of a cookie, or an empty string.
func valueOf(name string, cookies []*http.Cookie) string {
	for _, c := range cookies {
		if c.Name == name {
			return c.Value
		}
	}
	return ""
}

// TestAKnownBrowser signs in, out and in again, and ends sessions, and expects the browser to be known in between and
// forgotten when the person says so.
func TestAKnownBrowser(t *testing.T) {
	w := newWorld(t)
	signIn := func(cookies ...*http.Cookie) (session, known *http.Cookie) {
		begun, err := w.manager.BeginEmail(request(cookies...), network, core.EmailSignInInput{Email: "ana@example.com"})
		wantNoError(t, "begin a sign-in", err)
		last := w.store.emails[len(w.store.emails)-1]
		_, set, err := w.manager.FinishEmail(request(append(cookies, begun)...), network,
			w.manager.Emails.Codes.Code(last.ID))
		wantNoError(t, "finish a sign-in", err)
		return &http.Cookie{Name: CookieName, Value: sessionIn(set)}, &http.Cookie{Name: knownCookie,
			Value: valueOf(knownCookie, set)}
	}
	session, known := signIn()
	check.Equal(t, "the first request has a known browser", w.store.emails[0].Browser == nil, true)
	ana := w.authenticate("the session", session.Value, "")
	check.Equal(t, "people of the browser", w.store.knows(known.Value), []core.ID{ana.SubscriberID})
	w.authenticate("the secret of a known browser", known.Value, core.CodeUnauthenticated)
	_, err := w.manager.SignOut(t.Context(), ana)
	wantNoError(t, "sign out", err)
	check.Equal(t, "people of the browser after the sign-out", w.store.knows(known.Value), []core.ID{ana.SubscriberID})
	session, rotated := signIn(known)
	check.Equal(t, "the request has the known browser", w.store.emails[1].Browser, core.HashSecret(known.Value))
	check.Equal(t, "the secret stays", rotated.Value == known.Value, false)
	check.Equal(t, "people of the previous secret", len(w.store.knows(known.Value)), 0)
	ana = w.authenticate("the session", session.Value, "")
	other, elsewhere := signIn()
	wantNoError(t, "end the other session",
		w.manager.End(t.Context(), ana, w.authenticate("the other session", other.Value, "").SessionID))
	check.Equal(t, "people of an ended session's browser", len(w.store.knows(elsewhere.Value)), 0)
	other, elsewhere = signIn()
	_, err = w.manager.SignOut(t.Context(), w.authenticate("the other session", other.Value, ""))
	wantNoError(t, "sign out elsewhere", err)
	wantNoError(t, "end the other sessions", w.manager.EndOthers(t.Context(), ana))
	check.Equal(t, "people of a browser elsewhere", len(w.store.knows(elsewhere.Value)), 0)
	check.Equal(t, "people of this browser", w.store.knows(rotated.Value), []core.ID{ana.SubscriberID})
}
