package servertest_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/sininho/sininho/server/lab/check"
	"github.com/sininho/sininho/server/lab/servertest"
)

// TestAnonymousSubscribersFollow follows a channel without an account, and does what everybody may.
func TestAnonymousSubscribersFollow(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	ana := f.SignInAnonymously(t)
	var me struct {
		ID, Email, Name string
		Anonymous       bool
	}
	ana.Do(http.MethodGet, "/subscribers/me", nil, 200, &me)
	check.Equal(t, "whether the person is anonymous", me.Anonymous, true)
	check.Equal(t, "address and name", me.Email+me.Name, "")
	ana.Follow("p/c")
	ana.Do(http.MethodPatch, "/subscribers/channels/"+f.channel, object{"bell": "important"}, 200, nil)
	ana.RingingDevice("anonymous-phone")
	id := f.newNotification()
	ana.Do(http.MethodPatch, "/subscribers/notifications/"+id, object{"archived": true}, 200, nil)

	var export struct {
		Subscriber    struct{ Anonymous bool }
		Subscriptions []struct{ Bell string }
		Devices       []struct{ ID string }
		Identities    []struct{ ID string }
	}
	ana.Do(http.MethodGet, "/subscribers/me/export", nil, 200, &export)
	check.Equal(t, "whether the export is anonymous", export.Subscriber.Anonymous, true)
	check.Equal(t, "bell in the export", export.Subscriptions[0].Bell, "important")
	check.Equal(t, "devices and identities in the export", [2]int{len(export.Devices), len(export.Identities)},
		[2]int{1, 0})
}

// TestAnonymousSubscribersAreDeleted deletes one on demand, and one who signs out: nobody could be them again.
func TestAnonymousSubscribersAreDeleted(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	before := count(t, f.Server, "select sum(subscribers)::bigint from channel_counts where channel_id = $1", f.channel)
	for _, path := range []string{"/subscribers/me", "/auth"} {
		ana := f.SignInAnonymously(t)
		ana.Follow("p/c")
		ana.Do(http.MethodDelete, path, nil, 204, nil)
		ana.Do(http.MethodGet, "/subscribers/me", nil, 401, nil)
		check.Equal(t, "anonymous subscribers after DELETE "+path,
			count(t, f.Server, "select count(*) from subscribers where anonymous and id <> all (select subscriber_id from sessions)"),
			0)
		check.Equal(t, "followers after DELETE "+path,
			count(t, f.Server, "select sum(subscribers)::bigint from channel_counts where channel_id = $1", f.channel), before)
	}
}

// TestAnonymousSubscribersAreLimitedByNetwork makes more of them than a network may, each in a fresh browser.
func TestAnonymousSubscribersAreLimitedByNetwork(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Limited(), servertest.With("LIMIT_ANONYMOUS_PER_HOUR", "3"))
	for range 3 {
		check.Equal(t, "status within the limit", newStranger(t, s).post("/auth/anonymous", nil).status, 204)
	}
	got := newStranger(t, s).post("/auth/anonymous", nil)
	check.Equal(t, "status above the limit", got.status, 429)
	if got.header.Get("Retry-After") == "" {
		t.Error("Retry-After above the limit: got none")
	}
	check.Equal(t, "anonymous subscribers", count(t, s, "select count(*) from subscribers where anonymous"), 3)
}

// TestAnonymousSubscribersAreOffered asks installations that let nobody in without an account.
func TestAnonymousSubscribersAreOffered(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{"true": true, "false": false, "invitation": false} {
		option := servertest.With("ANONYMOUS_SUBSCRIBERS", name)
		if name == "invitation" {
			option = servertest.With("SIGN_UP", name)
		}
		s := servertest.Start(t, option)
		res, err := http.Get(s.URL + "/api/v1/auth")
		if err != nil {
			t.Fatalf("get the ways to sign in: %v", err)
		}
		defer res.Body.Close() // it is read in full
		var auth struct{ SignInMethods []struct{ Kind string } }
		if err := json.NewDecoder(res.Body).Decode(&auth); err != nil {
			t.Fatalf("decode the ways to sign in: %v", err)
		}
		offered := false
		for _, m := range auth.SignInMethods {
			offered = offered || m.Kind == "anonymous"
		}
		check.Equal(t, "whether it is offered with "+name, offered, want)
		status := 404
		if want {
			status = 204
		}
		check.Equal(t, "status with "+name, newStranger(t, s).post("/auth/anonymous", nil).status, status)
	}
}

// TestSavingInAnAccount saves what a browser follows in an account, by each way to sign in. Its stream ends.
func TestSavingInAnAccount(t *testing.T) {
	t.Parallel()
	for _, way := range []object{{"kind": "google"}, {"kind": "oidc", "provider": "acme"}, {"kind": "email", "email": "ana@example.com"}} {
		f := newFixture(t)
		b := newStranger(t, f.Server)
		check.Equal(t, "follow without an account", b.post("/auth/anonymous", nil).status, 204)
		who := f.As(t, b.cookies())
		who.Follow("p/c")
		who.RingingDevice("anonymous-phone")
		id := f.newNotification()
		who.Do(http.MethodPatch, "/subscribers/notifications/"+id, object{"read": true}, 200, nil)
		wantEnd(t, "saving", who.Request(http.MethodGet, "/subscribers/notifications/stream", nil), func() {
			b.signIn(way, "ana@example.com")
		})
		who.Do(http.MethodGet, "/subscribers/me", nil, 401, nil)

		ana := f.As(t, b.cookies())
		var me struct {
			Email     string
			Anonymous bool
		}
		ana.Do(http.MethodGet, "/subscribers/me", nil, 200, &me)
		check.Equal(t, "address of the account", me.Email, "ana@example.com")
		var followed page[struct{ UnreadCount int }]
		ana.Do(http.MethodGet, "/subscribers/channels", nil, 200, &followed)
		check.Equal(t, "channels", followed.Meta.Total, 1)
		check.Equal(t, "unread", followed.Data[0].UnreadCount, 0)
		var devices page[struct{ ID string }]
		ana.Do(http.MethodGet, "/subscribers/devices", nil, 200, &devices)
		check.Equal(t, "devices", devices.Meta.Total, 1)
		check.Equal(t, "anonymous subscribers but the fixture's",
			count(t, f.Server, "select count(*) from subscribers where anonymous"), 1)
	}
}

var emailedCode = regexp.MustCompile(`\b\d{4} \d{4}\b`)

// into sends a request of the browser, keeps the cookies of the response, and decodes it into out unless that is nil.
// It returns where it redirects to.
func (b *stranger) into(method, address string, body object, out any) (location string) {
	b.t.Helper()
	var sent io.Reader
	if body != nil {
		encoded, err := json.Marshal(body)
		if err != nil {
			b.t.Fatalf("encode the body: %v", err)
		}
		sent = bytes.NewReader(encoded)
	}
	if strings.HasPrefix(address, "/") {
		address = b.s.URL + address
	}
	req, err := http.NewRequestWithContext(b.t.Context(), method, address, sent)
	if err != nil {
		b.t.Fatalf("make a request: %v", err)
	}
	if ours := strings.HasPrefix(address, b.s.URL); ours {
		req.Header.Set("Content-Type", "application/json")
		for _, c := range b.cookies() {
			req.AddCookie(c)
		}
	}
	res, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		b.t.Fatalf("%s %s: %v", method, address, err)
	}
	defer func() { _ = res.Body.Close() }()
	if strings.HasPrefix(address, b.s.URL) {
		b.jar.SetCookies(home, res.Cookies())
	}
	if res.StatusCode >= 400 {
		b.t.Fatalf("%s %s: got %s", method, address, res.Status)
	}
	if out != nil {
		if err := json.NewDecoder(res.Body).Decode(out); err != nil {
			b.t.Fatalf("%s %s: decode: %v", method, address, err)
		}
	}
	return res.Header.Get("Location")
}

// signIn saves what the browser follows in the account of an address, in one way to sign in.
func (b *stranger) signIn(way object, email string) {
	b.t.Helper()
	way["redirect"] = "/feed"
	var to struct{ URL string }
	b.into(http.MethodPost, b.s.URL+"/api/v1/subscribers/identities", way, &to)
	if way["kind"] == "email" {
		code := emailedCode.FindString(b.s.Mail(b.t, email, 0).Text)
		b.into(http.MethodPost, b.s.URL+"/api/v1/auth/email/code", object{"code": code}, &to)
		return
	}
	at := to.URL + "&login_hint=" + email
	for range 5 {
		if at = b.into(http.MethodGet, at, nil, nil); at == "/feed" {
			return
		}
	}
	b.t.Fatalf("save in an account: got to %s, want /feed", at)
}

// TestSavingIsForThisBrowserAlone takes the address at which a provider sends one browser back into another one, in
// which somebody else follows without an account.
func TestSavingIsForThisBrowserAlone(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	mallory, victim := newStranger(t, f.Server), newStranger(t, f.Server)
	for _, b := range []*stranger{mallory, victim} {
		check.Equal(t, "follow without an account", b.post("/auth/anonymous", nil).status, 204)
		f.As(t, b.cookies()).Follow("p/c")
	}
	var to struct{ URL string }
	mallory.into(http.MethodPost, f.URL+"/api/v1/subscribers/identities", object{"kind": "google"}, &to)
	callback := mallory.into(http.MethodGet, to.URL+"&login_hint=mallory@example.com", nil, nil)
	check.Equal(t, "page of the victim", victim.into(http.MethodGet, callback, nil, nil), "/login?error=state")
	// Another site may have the browser sign in, but not save.
	begun := victim.into(http.MethodGet, f.URL+"/api/v1/auth/google?login_hint=mallory@example.com", nil, nil)
	check.Equal(t, "page unasked", victim.into(http.MethodGet, victim.into(http.MethodGet, begun, nil, nil), nil, nil),
		"/login?error=unsaved")
	var followed page[struct{ Bell string }]
	f.As(t, victim.cookies()).Do(http.MethodGet, "/subscribers/channels", nil, 200, &followed)
	check.Equal(t, "channels of the victim", followed.Meta.Total, 1)
	check.Equal(t, "anonymous subscribers but the fixture's",
		count(t, f.Server, "select count(*) from subscribers where anonymous"), 3)
}
