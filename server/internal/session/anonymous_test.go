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
	w.pass(core.AnonymousKept)
	w.authenticate("a session that nobody used", w.cookie(b), core.CodeUnauthenticated)
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
