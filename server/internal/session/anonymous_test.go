package session

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/lab/check"
)

// anonymously makes a browser an anonymous subscriber.
func (w *world) anonymously(b *http.Client) core.Caller {
	w.t.Helper()
	r := httptest.NewRequest(http.MethodPost, "/", nil)
	c, err := w.manager.StartAnonymously(r, network, core.Caller{})
	if err != nil {
		w.t.Fatalf("follow without an account: %v", err)
	}
	b.Jar.SetCookies(w.manager.PublicURL, []*http.Cookie{c})
	return w.authenticate("the session", c.Value, "")
}

func TestAnonymousSessionsLiveAsLongAsTheyAreUsed(t *testing.T) {
	w := newWorld(t)
	b := w.browser()
	who := w.anonymously(b)
	check.Equal(t, "whether the caller is anonymous", who.Anonymous, true)
	for range 4 { // longer than any session of an account
		w.pass(core.AnonymousKept - time.Hour)
		w.authenticate("a session that is used", w.cookie(b), "")
	}
	w.pass(2 * core.AnonymousKept)
	w.authenticate("a session of somebody who is not deleted yet", w.cookie(b), "")
}

func TestAnonymousCookiesAreRenewed(t *testing.T) {
	w := newWorld(t)
	b := w.browser()
	who := w.anonymously(b)
	renewed := w.manager.Renewed(requestOf(b, w), who)
	if renewed == nil {
		t.Fatal("renewed cookie of an anonymous subscriber: got none")
	}
	check.Equal(t, "renewed secret", renewed.Value, w.cookie(b))
	check.Equal(t, "lifetime", time.Duration(renewed.MaxAge)*time.Second, core.AnonymousCookieLife)

	if c := w.manager.Renewed(requestOf(b, w), core.Caller{Kind: core.CallerSubscriber}); c != nil {
		t.Errorf("renewed cookie of an account: got %v, want none", c)
	}
}

// requestOf returns a request with the cookies of a browser.
func requestOf(b *http.Client, w *world) *http.Request {
	r := httptest.NewRequest(http.MethodPost, "/", nil)
	for _, c := range b.Jar.Cookies(w.manager.PublicURL) {
		r.AddCookie(c)
	}
	return r
}

func TestAnonymousIsOffered(t *testing.T) {
	w := newWorld(t)
	methods := w.manager.Methods()
	check.Equal(t, "last way", methods[len(methods)-1],
		core.SignInMethod{Kind: core.SignInAnonymous, URL: "/api/v1/auth/anonymous"})
	w.manager.Anonymous = false
	check.Equal(t, "ways when it is off", len(w.manager.Methods()), len(methods)-1)
	r := httptest.NewRequest(http.MethodPost, "/", nil)
	if _, err := w.manager.StartAnonymously(r, network, core.Caller{}); !core.IsCode(err, core.CodeNotFound) {
		t.Errorf("follow without an account when it is off: got %v, want %s", err, core.CodeNotFound)
	}
	c, err := w.manager.StartAnonymously(r, network, core.Caller{Kind: core.CallerSubscriber})
	if c != nil || err != nil {
		t.Errorf("follow without an account while signed in: got %v and %v, want nothing", c, err)
	}
}

// saveAt begins to save what a browser follows in the account that somebody has at Google, and returns the address at
// which Google sends them back.
func (w *world) saveAt(b *http.Client, hint string) (callback string) {
	w.t.Helper()
	in := core.IdentityInput{Kind: core.SignInGoogle, Redirect: "/channels/a/b"}
	return w.follow(b, w.add(b, in)+"&login_hint="+hint)
}

func TestSavingInAnAccount(t *testing.T) {
	w := newWorld(t)
	b := w.browser()
	who := w.anonymously(b)
	check.Equal(t, "page", w.follow(b, w.saveAt(b, "ana@example.com")), "/channels/a/b")
	ana := w.authenticate("the session", w.cookie(b), "")
	check.Equal(t, "whether the caller is anonymous", ana.Anonymous, false)
	check.Equal(t, "savings", len(w.store.saved), 1)
	check.Equal(t, "who was saved", w.store.saved[0].AnonymousID, who.SubscriberID)
	check.Equal(t, "whether the account is new", w.store.saved[0].New, true)
	check.Equal(t, "sessions whose streams ended", w.store.signedOut, []core.ID{who.SessionID})

	other := w.browser()
	w.anonymously(other)
	w.pass(time.Minute)
	w.follow(other, w.saveAt(other, "ana@example.com"))
	check.Equal(t, "whether the account is new later", w.store.saved[1].New, false)
	check.Equal(t, "account", w.authenticate("the other session", w.cookie(other), "").SubscriberID, ana.SubscriberID)
}

// TestSavingByEmail saves in the account of an address.
func TestSavingByEmail(t *testing.T) {
	w := newWorld(t)
	b := w.browser()
	w.anonymously(b)
	w.add(b, core.IdentityInput{Kind: core.SignInEmail, Email: "ana@example.org", Redirect: "/feed"})
	if adds := w.store.emails[0].SubscriberID; adds != nil {
		t.Errorf("person to whom the address is added: got %v, want nobody", adds)
	}
	code := w.manager.Emails.Codes.Code(w.store.emails[0].ID)
	to, cookies, err := w.manager.FinishEmail(requestOf(b, w), network, code)
	wantNoError(t, "give the code", err)
	check.Equal(t, "page", to, "/feed")
	check.Equal(t, "savings", len(w.store.saved), 1)
	w.authenticate("the session", sessionIn(cookies), "")
}

// TestNothingIsSavedUnasked signs in at a provider as any site could have a browser do, and in the browser of another
// anonymous subscriber.
func TestNothingIsSavedUnasked(t *testing.T) {
	w := newWorld(t)
	b := w.browser()
	w.anonymously(b)
	before := w.cookie(b)
	check.Equal(t, "page unasked", w.signIn(b, "redirect=/feed&login_hint=mallory@example.com"),
		"/login?error=unsaved&redirect=%2Ffeed")
	check.Equal(t, "session as before", w.cookie(b), before)

	callback := w.saveAt(b, "ana@example.com")
	w.anonymously(b) // somebody else's session gets into the browser meanwhile
	check.Equal(t, "page of another", w.follow(b, callback), "/login?error=unsaved&redirect=%2Fchannels%2Fa%2Fb")
	check.Equal(t, "savings", len(w.store.saved), 0)

	callback = w.saveAt(b, "ana@example.com")
	stolen := w.browser() // has no cookies of the sign-in
	check.Equal(t, "page in another browser", w.follow(stolen, callback), "/login?error=state")
	check.Equal(t, "savings by another browser", len(w.store.saved), 0)
}

// TestSavingTwice finishes in one tab, and then in another one, which signs in without anything to save.
func TestSavingTwice(t *testing.T) {
	w := newWorld(t)
	b := w.browser()
	w.anonymously(b)
	first, second := w.saveAt(b, "ana@example.com"), w.saveAt(b, "ana@example.com")
	check.Equal(t, "page of the first tab", w.follow(b, first), "/channels/a/b")
	check.Equal(t, "page of the second tab", w.follow(b, second), "/channels/a/b")
	check.Equal(t, "savings", len(w.store.saved), 1)
	w.authenticate("the session", w.cookie(b), "")
}

func TestSavingInAFullAccount(t *testing.T) {
	w := newWorld(t)
	b := w.browser()
	w.anonymously(b)
	w.store.full = true
	before := w.cookie(b)
	check.Equal(t, "page", w.follow(b, w.saveAt(b, "ana@example.com")),
		"/login?error=full&redirect=%2Fchannels%2Fa%2Fb")
	check.Equal(t, "session as before", w.cookie(b), before)
}

// TestSavingByAnotherDevice lets the browser in from one in which the person is signed in.
func TestSavingByAnotherDevice(t *testing.T) {
	w := newWorld(t)
	b, laptop := w.browser(), w.browser()
	w.signIn(laptop, "login_hint=ana@example.com")
	ana := w.authenticate("the laptop's session", w.cookie(laptop), "")
	w.anonymously(b)
	cookies, err := w.manager.Start(requestOf(b, w), network, ana.SubscriberID)
	wantNoError(t, "start a session", err)
	check.Equal(t, "savings", len(w.store.saved), 1)
	check.Equal(t, "account", w.authenticate("the session", sessionIn(cookies), "").SubscriberID, ana.SubscriberID)
}
