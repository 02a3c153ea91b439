package httpapi

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/sininho/sininho/pkg/webhook"
	"github.com/sininho/sininho/server/internal/core"
)

const hooks = "/api/v1/webhooks/channels/"

func TestReadsAreLimited(t *testing.T) {
	w := newWorld(t)
	for i := range 600 {
		a := w.ask("GET", "/api/v1/channels", "")
		if a.Code != 200 {
			t.Fatalf("number %d: %d", i, a.Code)
		}
		if i == 0 && (a.Header().Get("RateLimit-Policy") != `"reads";q=600;w=60` || a.Header().Get("RateLimit") != `"reads";r=599;t=1`) {
			t.Errorf("%v", a.Header())
		}
	}
	a := w.ask("GET", "/api/v1/nowhere", "")
	if p := a.problem(); a.Code != 429 || p.Code != "rate_limited" || a.Header().Get("Retry-After") != "1" || a.Header().Get("RateLimit") != `"reads";r=0;t=60` {
		t.Errorf("%d %v", a.Code, a.Header())
	}
	if a := w.ask("GET", "/api/v1/openapi.json", ""); a.Code != 429 {
		t.Errorf("the contract: %d", a.Code)
	}
	if a := w.ask("GET", "/api/v1/channels", "", "From: 192.0.2.2:1"); a.Code != 200 {
		t.Errorf("another address: %d", a.Code)
	}
	if a := w.ask("GET", "/api/v1/channels", "", signedIn); a.Code != 200 {
		t.Errorf("a session of that address: %d", a.Code)
	}
	w.now = w.now.Add(100 * time.Millisecond)
	if a := w.ask("GET", "/api/v1/channels", ""); a.Code != 200 {
		t.Errorf("after a while: %d", a.Code)
	}
}

func TestNoLimits(t *testing.T) {
	w := newWorld(t, func(c *Config) { c.Limits.Off = true })
	for range 700 {
		if a := w.ask("GET", "/api/v1/channels", ""); a.Code != 200 || a.Header().Get("RateLimit") != "" {
			t.Fatalf("%d %v", a.Code, a.Header())
		}
	}
}

func TestWhatCountsAgainstWhat(t *testing.T) {
	w := newWorld(t)
	open := w.webhook("open", "")
	signed := w.webhook("signed", webhook.NewSecret())
	for _, c := range []struct {
		method, path, body string
		header             []string
		want               string
	}{
		{"POST", publish, `{"title":"x"}`, []string{w.bearer()}, `"publishes";q=6000;w=60`},
		{"POST", devices, `{}`, []string{signedIn}, `"writes";q=120;w=60`},
		{"GET", "/api/v1/auth", ``, []string{w.bearer()}, `"reads";q=600;w=60`},
		{"POST", hooks + signed, `{}`, nil, `"webhook";q=120;w=60`},
		{"POST", hooks + open, `{}`, nil, `"unsigned-webhook";q=10;w=60`},
		{"POST", hooks + open, `{}`, []string{"webhook-signature: v1,x"}, `"unsigned-webhook";q=10;w=60`},
		{"POST", hooks + "x", `{}`, nil, `"webhook";q=120;w=60`},
	} {
		if a := w.ask(c.method, c.path, c.body, c.header...); a.Header().Get("RateLimit-Policy") != c.want {
			t.Errorf("%s %s: %s", c.method, c.path, a.Header().Get("RateLimit-Policy"))
		}
	}
}

func TestAPersonPublishesAsManyWithHoweverManyTokens(t *testing.T) {
	w := newWorld(t)
	one, two := w.token(cli), w.token(cli)
	first, second := w.ask("POST", publish, `{"title":"x"}`, one), w.ask("POST", publish, `{"title":"x"}`, two)
	if a, b := first.Header().Get("RateLimit"), second.Header().Get("RateLimit"); !strings.HasPrefix(a, `"publishes";r=5999`) || !strings.HasPrefix(b, `"publishes";r=5998`) {
		t.Errorf("%s, then %s", a, b)
	}
}

func TestFailedCredentialsAreLimited(t *testing.T) {
	w := newWorld(t)
	other := w.newKey(otherID)
	if a := w.ask("GET", "/api/v1/auth", "", w.bearer()); a.Code != 200 {
		t.Fatal(a.Code)
	}
	guess := func() *answer {
		return w.ask("GET", "/api/v1/auth", "", "Authorization: Bearer "+core.NewAPIKeySecret())
	}
	for range 30 {
		if a := guess(); a.Code != 401 {
			t.Fatal(a.Code)
		}
	}
	if a := guess(); a.Code != 429 || a.Header().Get("Retry-After") != "60" {
		t.Errorf("%d %v", a.Code, a.Header())
	}
	if a := w.ask("GET", "/api/v1/auth", "", "Authorization: Bearer "+other); a.Code != 200 {
		t.Errorf("a good key that was not seen before: status %d, want 200", a.Code)
	}
	if a := w.ask("GET", "/api/v1/auth", "", w.bearer()); a.Code != 200 {
		t.Errorf("a key known to be good: %d", a.Code)
	}
	w.now = w.now.Add(time.Minute)
	if a, b := guess(), guess(); a.Code != 401 || b.Code != 429 {
		t.Errorf("a minute later: %d, %d", a.Code, b.Code)
	}
}

// TestABadKeyOverAndOver sends the same invalid key repeatedly, like a program whose key was revoked. It must not
// affect other callers at its address.
func TestABadKeyOverAndOver(t *testing.T) {
	w := newWorld(t)
	ask := func(key string) *answer { return w.ask("GET", "/api/v1/auth", "", "Authorization: Bearer "+key) }
	for i := range 100 {
		if a, want := ask("snh_live_revoked"), map[bool]int{true: 401, false: 429}[i < 30]; a.Code != want {
			t.Fatalf("number %d: %d", i, a.Code)
		}
	}
	if a := ask("snh_live_another"); a.Code != 401 {
		t.Errorf("another bad key: %d", a.Code)
	}
	if a := ask(w.newKey(otherID)); a.Code != 200 {
		t.Errorf("a good key: %d", a.Code)
	}
	w.now = w.now.Add(time.Minute)
	if a, b := ask("snh_live_revoked"), ask("snh_live_revoked"); a.Code != 401 || b.Code != 429 || b.Header().Get("Retry-After") != "60" {
		t.Errorf("a minute later: %d, %d %v", a.Code, b.Code, b.Header())
	}
}

func TestWebhookAddressesCannotBeGuessed(t *testing.T) {
	w := newWorld(t)
	address := w.webhook("open", "")
	if a := w.ask("POST", hooks+address, `{"title":"x"}`); a.Code != 202 || w.looks != 1 {
		t.Fatalf("%d after %d look-ups", a.Code, w.looks)
	}
	for i := range 31 {
		a := w.ask("POST", hooks+"guess"+strconv.Itoa(i), `{"title":"x"}`, "webhook-signature: v1,x")
		if want := map[bool]int{true: 404, false: 429}[i < 30]; a.Code != want {
			t.Fatalf("number %d: %d", i, a.Code)
		}
	}
	other := w.webhook("another", "")
	for _, known := range []string{address, other} {
		if a := w.ask("POST", hooks+known, `{"title":"x"}`); a.Code != 202 {
			t.Errorf("an address that there is, from the same network: %d", a.Code)
		}
	}
}

// TestGuessesMakeNoRoom tries to evict the limits of others by filling the cache.
func TestGuessesMakeNoRoom(t *testing.T) {
	w := newWorld(t)
	a := newServer(w.config)
	l := a.limiter
	w.handler = a.routes
	for i := range 200 {
		w.ask("POST", hooks+"z"+strconv.Itoa(i), `{"title":"x"}`)
	}
	if n := l.counts.Len(); n != 1 {
		t.Errorf("%d buckets for one address, want 1", n)
	}
	for range callersKept + 1 {
		_ = l.take(http.Header{}, reads, party{id: core.NewID()})
	}
	if err := l.mayFail(party{network: netip.MustParsePrefix("192.0.2.1/32")}); !core.IsCode(err, core.CodeRateLimited) {
		t.Errorf("the network's failures are forgotten: %v", err)
	}
}

// TestBadSignaturesDoNotLockOutTheSender expects an invalid signature to count as a failure, even though the webhook's
// address is right.
func TestBadSignaturesDoNotLockOutTheSender(t *testing.T) {
	w := newWorld(t)
	secret := webhook.NewSecret()
	address := w.webhook("signed", secret)
	for i := range 200 {
		a := w.ask("POST", hooks+address, `{"title":"x"}`, "From: 192.0.2.66:1")
		if want := map[bool]int{true: 401, false: 429}[i < 30]; a.Code != want {
			t.Fatalf("number %d: %d", i, a.Code)
		}
	}
	others := w.webhook("another's", secret)
	if a := w.ask("POST", hooks+others, `{"title":"x"}`, "From: 192.0.2.66:1"); a.Code != 401 {
		t.Errorf("another webhook's sender at the same address: %d", a.Code)
	}
	header, err := webhook.Sign(webhook.Message{ID: "e1", Timestamp: start, Body: []byte(`{"title":"x"}`)}, secret)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for name := range header {
		list = append(list, name+": "+header.Get(name))
	}
	if a := w.ask("POST", hooks+address, `{"title":"x"}`, list...); a.Code != 202 {
		t.Errorf("the sender who signs: %d", a.Code)
	}
}

func TestOneSenderDoesNotLockOutOthers(t *testing.T) {
	w := newWorld(t)
	address := w.webhook("open", "")
	for i := range 200 {
		a := w.ask("POST", hooks+address, `{"title":"x"}`, "webhook-signature: x") // an unsigned webhook ignores signatures
		if want := map[bool]int{true: 202, false: 429}[i < 10]; a.Code != want {
			t.Fatalf("number %d: %d", i, a.Code)
		}
	}
	if a := w.ask("POST", hooks+address, `{"title":"x"}`, "From: 192.0.2.2:1"); a.Code != 202 {
		t.Errorf("another sender: %d", a.Code)
	}
	for i := range 12 { // all senders together
		from := "From: 192.0.2." + strconv.Itoa(10+i) + ":1"
		for range 10 {
			w.ask("POST", hooks+address, `{"title":"x"}`, from)
		}
	}
	a := w.ask("POST", hooks+address, `{"title":"x"}`, "From: 192.0.2.100:1")
	if a.Code != 429 || a.Header().Get("RateLimit-Policy") != `"webhook";q=120;w=60` {
		t.Errorf("beyond what all may: %d %v", a.Code, a.Header())
	}
}

func TestSessionsCannotBeGuessed(t *testing.T) {
	const me, public = "/api/v1/subscribers/me", "/api/v1/auth"
	w := newWorld(t)
	ask := func(path, session string) *answer {
		return w.ask("GET", path, "", "Cookie: "+sessionCookie+"="+session)
	}
	if a := ask(me, "good"); a.Code != 200 {
		t.Fatal(a.Code)
	}
	for range 100 { // a browser that was away too long
		if a, b := ask(public, "ended"), ask(me, "ended"); a.Code != 200 || b.Code != 401 {
			t.Fatalf("an ended session: %d, %d", a.Code, b.Code)
		}
	}
	if a := ask(me, "other"); a.Code != 200 || w.sessions.looks != 3 {
		t.Errorf("another of that office: %d after %d look-ups", a.Code, w.sessions.looks)
	}
	if a := ask(me, "third"); a.Code != 200 {
		t.Errorf("a session not seen before: status %d, want 200", a.Code)
	}
	before := w.sessions.looks
	for i := range 1500 {
		w.now = w.now.Add(time.Millisecond)
		path, refused := me, 429
		if i%2 == 0 {
			path, refused = public, 200
		}
		if a := ask(path, "guess"+strconv.Itoa(i)); i >= 29 && a.Code != refused && a.Code != 429 {
			t.Fatalf("number %d: %d", i, a.Code)
		}
	}
	if looks, most := w.sessions.looks-before, 600+15; looks > most { // plus what is refilled in 1.5 s
		t.Errorf("%d look-ups of 1500 unknown sessions, want at most %d", looks, most)
	}
	if a := ask(me, "good"); a.Code != 200 {
		t.Errorf("a session known to be good: %d", a.Code)
	}
	if a := w.ask("DELETE", public, "", "Cookie: "+sessionCookie+"=unknown"); a.Code != 429 {
		t.Errorf("signing out, which must not seem done: status %d, want 429", a.Code)
	}
	w.now = w.now.Add(10 * time.Second)
	if a := ask(public, "unknown"); a.Code != 200 || !strings.Contains(a.Body.String(), `"visitor"`) {
		t.Errorf("where visitors are welcome: %d %s", a.Code, a.Body)
	}
	w.ask("GET", "/api/v1/auth/google/callback?state=feed&code=x", "")
	if a := ask(me, "new"); a.Code != 200 {
		t.Errorf("a session that begins now: %d", a.Code)
	}
}

func TestAGoodKeySentBadlyStaysGood(t *testing.T) {
	w := newWorld(t)
	if a := w.ask("GET", "/api/v1/auth", "", "Authorization: Basic "+w.key); a.Code != 401 {
		t.Fatal(a.Code)
	}
	if a := w.ask("GET", "/api/v1/auth", "", "Cookie: "+sessionCookie+"="+w.key); a.Code != 200 {
		t.Fatal(a.Code)
	}
	if a := w.ask("GET", "/api/v1/auth", "", w.bearer()); a.Code != 200 {
		t.Errorf("%d", a.Code)
	}
}

func TestUnsignedWebhooksAreLimitedPerSender(t *testing.T) {
	w := newWorld(t)
	address := w.webhook("open", "")
	post := func(from string) int {
		return w.ask("POST", "/api/v1/webhooks/channels/"+address, `{"title":"x"}`, "From: "+from).Code
	}
	for range 10 {
		if code := post("192.0.2.1:1"); code != 202 {
			t.Fatal(code)
		}
	}
	if a := w.ask("POST", fmt.Sprintf("/api/v1/webhooks/channels/%%%x%s", address[0], address[1:]), `{"title":"x"}`); a.Code != 429 {
		t.Errorf("spelt otherwise: %d", a.Code)
	}
	if one, two := post("192.0.2.1:1"), post("192.0.2.2:1"); one != 429 || two != 202 {
		t.Errorf("%d, %d", one, two)
	}
}

func TestClientAddr(t *testing.T) {
	trusted := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("fd00::/8")}
	for _, c := range []struct{ peer, forwarded, want string }{
		{"192.0.2.1:1", "", "192.0.2.1"},
		{"192.0.2.1:1", "198.51.100.1", "192.0.2.1"},
		{"10.0.0.1:1", "", "10.0.0.1"},
		{"10.0.0.1:1", "198.51.100.1", "198.51.100.1"},
		{"10.0.0.1:1", "1.1.1.1, 198.51.100.1", "198.51.100.1"},
		{"10.0.0.1:1", "1.1.1.1, 198.51.100.1,10.0.0.2", "198.51.100.1"},
		{"10.0.0.1:1", "10.0.0.3, 10.0.0.2", "10.0.0.3"},
		{"10.0.0.1:1", "1.1.1.1, nonsense", "10.0.0.1"},
		{"[::ffff:10.0.0.1]:1", "::ffff:198.51.100.1", "198.51.100.1"},
		{"[fd00::1]:1", "2001:db8::1", "2001:db8::1"},
		{"@", "198.51.100.1", "invalid IP"},
	} {
		r := httptest.NewRequest("GET", "/", nil)
		r.RemoteAddr = c.peer
		for _, part := range strings.SplitAfterN(c.forwarded, ",", 2) { // also spread over several headers
			r.Header.Add("X-Forwarded-For", strings.TrimSuffix(part, ","))
		}
		if got := clientAddr(r, trusted); got.String() != c.want {
			t.Errorf("%s for %q: %s, want %s", c.peer, c.forwarded, got, c.want)
		}
	}
}

func TestNetwork(t *testing.T) {
	for addr, want := range map[string]string{"192.0.2.1": "192.0.2.1/32", "2001:db8:1:2:3:4:5:6": "2001:db8:1:2::/64", "fe80::1%eth0": "fe80::/64"} {
		if got := network(netip.MustParseAddr(addr)).String(); got != want {
			t.Errorf("%s: %s, want %s", addr, got, want)
		}
	}
}
