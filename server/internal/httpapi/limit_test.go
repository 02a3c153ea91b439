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
	"github.com/sininho/sininho/server/lab/check"
)

const hooks = "/api/v1/webhooks/channels/"

func TestReadsAreLimited(t *testing.T) {
	w := newWorld(t)
	for i := range 600 {
		a := w.send("GET", "/api/v1/channels", "")
		a.mustStatus(fmt.Sprintf("read %d of 600", i+1), 200)
		if i == 0 {
			a.wantHeader("first read", "RateLimit-Policy", `"reads";q=600;w=60`)
			a.wantHeader("first read", "RateLimit", `"reads";r=599;t=1`)
		}
	}
	a := w.send("GET", "/api/v1/nowhere", "")
	a.wantStatus("read 601", 429)
	check.Equal(t, "read 601: code", a.problem().Code, "rate_limited")
	a.wantHeader("read 601", "Retry-After", "1")
	a.wantHeader("read 601", "RateLimit", `"reads";r=0;t=60`)
	w.send("GET", "/api/v1/openapi.json", "").wantStatus("contract beyond the limit", 429)
	w.send("GET", "/api/v1/channels", "", "From: 192.0.2.2:1").wantStatus("read from another address", 200)
	w.send("GET", "/api/v1/channels", "", signedIn).wantStatus("read with a session from the limited address", 200)
	w.now = w.now.Add(100 * time.Millisecond)
	w.send("GET", "/api/v1/channels", "").wantStatus("read 100 ms later", 200)
}

func TestReadLimitBesideTheAPI(t *testing.T) {
	now := start
	allowed := NewReadLimit(Limits{Reads: 2}, []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")},
		func() time.Time { return now }, nil)
	ask := func(sender, forwarded string) bool {
		r := httptest.NewRequest(http.MethodGet, "/channels/metro", nil)
		r.RemoteAddr = sender
		r.Header.Set("X-Forwarded-For", forwarded)
		return allowed(r)
	}
	for i, want := range []bool{true, true, false} {
		check.Equal(t, fmt.Sprintf("read %d of 2", i+1), ask("192.0.2.1:1", ""), want)
	}
	check.Equal(t, "read with the address of another", ask("192.0.2.1:1", "192.0.2.2"), false)
	check.Equal(t, "read from another address", ask("10.0.0.1:1", "192.0.2.2"), true)
	now = now.Add(30 * time.Second)
	check.Equal(t, "read half a minute later", ask("192.0.2.1:1", ""), true)
}

// TestCredentialsShareAQuota makes requests with several credentials of one person, and of one publisher.
func TestCredentialsShareAQuota(t *testing.T) {
	w := newWorld(t, func(c *Config) { c.Limits.Reads = 3 })
	key := func(publisher core.ID) string { return "Authorization: Bearer " + w.newKey(publisher) }
	for whose, credentials := range map[string]struct{ ofOne, ofAnother []string }{
		"person":    {[]string{signedIn, w.token(cli), w.token(cli), w.token(cli)}, []string{"Cookie: " + sessionCookie + "=other"}},
		"publisher": {[]string{key(otherID), key(otherID), key(otherID), key(otherID)}, []string{key(core.NewID())}},
	} {
		for i, credential := range credentials.ofOne {
			want := http.StatusOK
			if i == 3 {
				want = http.StatusTooManyRequests
			}
			what := fmt.Sprintf("request with credential %d of a %s, of 3 allowed", i+1, whose)
			w.send("GET", "/api/v1/auth", "", credential).wantStatus(what, want)
		}
		for _, credential := range credentials.ofAnother {
			w.send("GET", "/api/v1/auth", "", credential).wantStatus("request of another "+whose, http.StatusOK)
		}
	}
}

func TestNoLimits(t *testing.T) {
	w := newWorld(t, func(c *Config) { c.Limits.Off = true })
	for range 700 {
		a := w.send("GET", "/api/v1/channels", "")
		a.mustStatus("read without limits", 200)
		if limit := a.Header().Get("RateLimit"); limit != "" {
			t.Fatalf("read without limits: got RateLimit %s, want none", limit)
		}
	}
}

func TestPolicyOfEachRequest(t *testing.T) {
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
		w.send(c.method, c.path, c.body, c.header...).wantHeader(c.method+" "+c.path, "RateLimit-Policy", c.want)
	}
}

func TestTokensOfOnePersonShareThePublishLimit(t *testing.T) {
	w := newWorld(t)
	one, two := w.token(cli), w.token(cli)
	for i, token := range []string{one, two} {
		got := w.send("POST", publish, `{"title":"x"}`, token).Header().Get("RateLimit")
		if want := fmt.Sprintf(`"publishes";r=%d`, 5999-i); !strings.HasPrefix(got, want) {
			t.Errorf("RateLimit of publish %d: got %s, want %s", i+1, got, want)
		}
	}
}

// TestWebhooksShareThePublishLimit posts to several webhooks of one publisher, which has an API key too.
func TestWebhooksShareThePublishLimit(t *testing.T) {
	w := newWorld(t, func(c *Config) { c.Limits.Publishes = 20 })
	secret := webhook.NewSecret()
	open := w.webhook("open", "")
	for i, address := range []string{w.webhook("one", secret), w.webhook("two", secret), w.webhook("three", secret)} {
		for j := range 20 { // neither is a publish
			from := fmt.Sprintf("From: 192.0.2.%d:1", 10+j)
			w.send("POST", hooks+address, `{"title":"x"}`, from).wantStatus("request without a signature", 401)
		}
		for j := range 6 {
			a := w.sendSigned(hooks+address, fmt.Sprintf("e%d-%d", i, j), `{"title":"x"}`, secret)
			a.mustStatus(fmt.Sprintf("request %d to webhook %d", j+1, i+1), 202)
			a.wantHeader("signed request", "RateLimit-Policy", `"webhook";q=120;w=60`)
		}
	}
	w.send("POST", hooks+open, `{"title":"x"}`).wantStatus("request to the unsigned webhook, the 19th publish", 202)
	w.send("POST", publish, `{"title":"x"}`, w.bearer()).wantStatus("the 20th publish, with an API key", 201)
	w.send("POST", publish, `{"title":"x"}`, w.bearer()).wantStatus("publish beyond the limit, with an API key", 429)
	w.send("POST", hooks+open, `{"title":"x"}`).wantStatus("publish beyond the limit, unsigned", 429)
	signed := w.webhook("four", secret)
	a := w.sendSigned(hooks+signed, "e", `{"title":"x"}`, secret)
	a.wantStatus("publish beyond the limit, signed", 429)
	a.wantHeader("publish beyond the limit, signed", "RateLimit-Policy", `"publishes";q=20;w=60`)
	a.wantHeader("publish beyond the limit, signed", "Retry-After", "3")
	w.sendSigned(hooks+signed, "f", `{}`, secret).wantStatus("bad event beyond the limit", 429)
	w.now = w.now.Add(3 * time.Second)
	w.sendSigned(hooks+signed, "e", `{"title":"x"}`, secret).wantStatus("publish three seconds later", 202)
}

// TestNotificationsOfABatchAreCounted publishes batches of 1,000 until the limit of 6,000 a minute is reached.
func TestNotificationsOfABatchAreCounted(t *testing.T) {
	w := newWorld(t)
	batch := func(n int) *response {
		return w.send("POST", publish+"/batch", batchOf(n), w.bearer())
	}
	for i := range 5 {
		a := batch(1000)
		a.mustStatus(fmt.Sprintf("batch %d", i), 200)
		want := fmt.Sprintf(`"publishes";r=%d;t=%d`, 5000-1000*i, 10*(i+1))
		a.wantHeader(fmt.Sprintf("batch %d", i), "RateLimit", want)
	}
	a := batch(1000)
	a.wantStatus("all that is left", 200)
	a = batch(1)
	a.wantStatus("batch beyond the limit", 429)
	w.now = w.now.Add(time.Second) // 100 more
	a = batch(500)
	a.wantStatus("batch of which only some may be published", 429)
	a.wantHeader("batch of which only some may be published", "Retry-After", "4")
}

func TestABatchBeyondTheLimitOfAMinute(t *testing.T) {
	w := newWorld(t, func(c *Config) { c.Limits.Publishes = 10 })
	a := w.send("POST", publish+"/batch", batchOf(11), w.bearer())
	a.wantStatus("batch of 11 where 10 may be published a minute", 422)
	check.Equal(t, "pointer of the fault", a.problem().Errors[0].Pointer, "#/notifications")
	w.send("POST", publish+"/batch", batchOf(8), w.bearer()).wantStatus("batch of 8", 200)
}

func batchOf(n int) string {
	return `{"notifications":[` + strings.TrimSuffix(strings.Repeat(`{"title":"x"},`, n), ",") + `]}`
}

func TestFailedCredentialsAreLimited(t *testing.T) {
	w := newWorld(t)
	other := w.newKey(otherID)
	w.send("GET", "/api/v1/auth", "", w.bearer()).mustStatus("good key", 200)
	guess := func() *response {
		return w.send("GET", "/api/v1/auth", "", "Authorization: Bearer "+core.NewAPIKeySecret())
	}
	for range 30 {
		guess().mustStatus("guess within the limit", 401)
	}
	beyond := guess()
	beyond.wantStatus("guess 31", 429)
	beyond.wantHeader("guess 31", "Retry-After", "60")
	w.send("GET", "/api/v1/auth", "", "Authorization: Bearer "+other).wantStatus("good key not used before", 200)
	w.send("GET", "/api/v1/auth", "", w.bearer()).wantStatus("key known to be good", 200)
	w.now = w.now.Add(time.Minute)
	guess().wantStatus("first guess a minute later", 401)
	guess().wantStatus("second guess a minute later", 429)
}

// TestRepeatedBadKey sends the same invalid key repeatedly, like a program whose key was revoked. It must not
// affect other callers at its address.
func TestRepeatedBadKey(t *testing.T) {
	w := newWorld(t)
	use := func(key string) *response {
		return w.send("GET", "/api/v1/auth", "", "Authorization: Bearer "+key)
	}
	for i := range 100 {
		want := map[bool]int{true: 401, false: 429}[i < 30]
		use("snh_live_revoked").mustStatus(fmt.Sprintf("revoked key, request %d", i+1), want)
	}
	use("snh_live_another").wantStatus("another bad key", 401)
	use(w.newKey(otherID)).wantStatus("good key", 200)
	w.now = w.now.Add(time.Minute)
	use("snh_live_revoked").wantStatus("revoked key a minute later", 401)
	again := use("snh_live_revoked")
	again.wantStatus("revoked key again", 429)
	again.wantHeader("revoked key again", "Retry-After", "60")
}

func TestWebhookAddressesCannotBeGuessed(t *testing.T) {
	w := newWorld(t)
	address := w.webhook("open", "")
	w.send("POST", hooks+address, `{"title":"x"}`).mustStatus("known address", 202)
	if w.looks != 1 {
		t.Fatalf("look-ups of a known address: got %d, want 1", w.looks)
	}
	for i := range 31 {
		a := w.send("POST", hooks+"guess"+strconv.Itoa(i), `{"title":"x"}`, "webhook-signature: v1,x")
		a.mustStatus(fmt.Sprintf("guess %d", i+1), map[bool]int{true: 404, false: 429}[i < 30])
	}
	other := w.webhook("another", "")
	for _, known := range []string{address, other} {
		w.send("POST", hooks+known, `{"title":"x"}`).wantStatus("existing address from the same network", 202)
	}
}

// TestGuessesEvictNoLimits tries to evict the limits of others by filling the cache.
func TestGuessesEvictNoLimits(t *testing.T) {
	w := newWorld(t)
	a := newServer(w.config)
	l := a.limiter
	w.handler = a.routes
	for i := range 200 {
		w.send("POST", hooks+"z"+strconv.Itoa(i), `{"title":"x"}`)
	}
	if n := l.counts.Len(); n != 3 {
		t.Errorf("buckets of one address and the networks around it: got %d, want 3", n)
	}
	for range callersKept + 1 {
		_ = l.take(http.Header{}, reads, party{id: core.NewID()}, 1)
	}
	err := l.mayFail(party{network: netip.MustParsePrefix("192.0.2.1/32")})
	if !core.IsCode(err, core.CodeRateLimited) {
		t.Errorf("failures of a network when the cache is full: got %v, want rate_limited", err)
	}
}

// TestBadSignaturesDoNotLockOutTheSender expects an invalid signature to count as a failure, even though the webhook's
// address is right.
func TestBadSignaturesDoNotLockOutTheSender(t *testing.T) {
	w := newWorld(t)
	secret := webhook.NewSecret()
	address := w.webhook("signed", secret)
	for i := range 200 {
		a := w.send("POST", hooks+address, `{"title":"x"}`, "From: 192.0.2.66:1")
		a.mustStatus(fmt.Sprintf("bad signature %d", i+1), map[bool]int{true: 401, false: 429}[i < 30])
	}
	others := w.webhook("another's", secret)
	a := w.send("POST", hooks+others, `{"title":"x"}`, "From: 192.0.2.66:1")
	a.wantStatus("unsigned request to another webhook from the same address", 401)
	w.sendSigned(hooks+address, "e1", `{"title":"x"}`, secret).wantStatus("signed request", 202)
}

func TestOneSenderDoesNotLockOutOthers(t *testing.T) {
	w := newWorld(t)
	address := w.webhook("open", "")
	for i := range 200 {
		// An unsigned webhook ignores signatures.
		a := w.send("POST", hooks+address, `{"title":"x"}`, "webhook-signature: x")
		a.mustStatus(fmt.Sprintf("request %d of one sender", i+1), map[bool]int{true: 202, false: 429}[i < 10])
	}
	w.send("POST", hooks+address, `{"title":"x"}`, "From: 192.0.2.2:1").wantStatus("request of another sender", 202)
	for i := range 12 { // all senders together
		from := "From: 198.51." + strconv.Itoa(10+i) + ".1:1"
		for range 10 {
			w.send("POST", hooks+address, `{"title":"x"}`, from)
		}
	}
	a := w.send("POST", hooks+address, `{"title":"x"}`, "From: 192.0.2.100:1")
	a.wantStatus("request beyond the limit of all senders", 429)
	a.wantHeader("request beyond the limit of all senders", "RateLimit-Policy", `"webhook";q=120;w=60`)
}

func TestSessionsCannotBeGuessed(t *testing.T) {
	const me, public = "/api/v1/subscribers/me", "/api/v1/auth"
	w := newWorld(t)
	get := func(path, session string) *response {
		return w.send("GET", path, "", "Cookie: "+sessionCookie+"="+session)
	}
	get(me, "good").mustStatus("good session", 200)
	for range 100 { // a browser that was closed for too long
		get(public, "ended").mustStatus("public path with an ended session", 200)
		get(me, "ended").mustStatus("private path with an ended session", 401)
	}
	get(me, "other").wantStatus("another session from the same address", 200)
	if w.sessions.looks != 3 {
		t.Errorf("look-ups of three sessions: got %d, want 3", w.sessions.looks)
	}
	get(me, "third").wantStatus("session not used before", 200)
	before := w.sessions.looks
	for i := range 1500 {
		w.now = w.now.Add(time.Millisecond)
		path, refused := me, 429
		if i%2 == 0 {
			path, refused = public, 200
		}
		if a := get(path, "guess"+strconv.Itoa(i)); i >= 29 && a.Code != refused && a.Code != 429 {
			t.Fatalf("guess %d: got status %d, want %d or 429", i+1, a.Code, refused)
		}
	}
	if looks, most := w.sessions.looks-before, 600+15; looks > most { // plus what is refilled in 1.5 s
		t.Errorf("look-ups of 1500 unknown sessions: got %d, want at most %d", looks, most)
	}
	get(me, "good").wantStatus("session known to be good", 200)
	signOut := w.send("DELETE", public, "", "Cookie: "+sessionCookie+"=unknown")
	signOut.wantStatus("sign-out with an unknown session beyond the limit", 429)
	w.now = w.now.Add(10 * time.Second)
	a := get(public, "unknown")
	a.wantStatus("public path with an unknown session", 200)
	if !strings.Contains(a.Body.String(), `"visitor"`) {
		t.Errorf("public path with an unknown session: got %s, want a visitor", a.Body)
	}
	w.send("GET", "/api/v1/auth/google/callback?state=feed&code=x", "")
	get(me, "new").wantStatus("new session", 200)
}

func TestMisplacedKeyStaysGood(t *testing.T) {
	w := newWorld(t)
	w.send("GET", "/api/v1/auth", "", "Authorization: Basic "+w.key).mustStatus("key as a password", 401)
	w.send("GET", "/api/v1/auth", "", "Cookie: "+sessionCookie+"="+w.key).mustStatus("key as a session", 200)
	w.send("GET", "/api/v1/auth", "", w.bearer()).wantStatus("key as a bearer token", 200)
}

func TestUnsignedWebhooksAreLimitedPerSender(t *testing.T) {
	w := newWorld(t)
	address := w.webhook("open", "")
	post := func(from string) *response {
		return w.send("POST", hooks+address, `{"title":"x"}`, "From: "+from)
	}
	for range 10 {
		post("192.0.2.1:1").mustStatus("request within the limit", 202)
	}
	escaped := fmt.Sprintf("%%%x%s", address[0], address[1:])
	w.send("POST", hooks+escaped, `{"title":"x"}`).wantStatus("escaped address beyond the limit", 429)
	post("192.0.2.1:1").wantStatus("request beyond the limit", 429)
	post("192.0.2.2:1").wantStatus("request of another sender", 202)
}

// TestNetworksAroundAreLimited has a stranger use another network of one /48 each time, of which there are 65,536.
func TestNetworksAroundAreLimited(t *testing.T) {
	t.Parallel()
	now := time.Now()
	l := newLimiter(DefaultLimits(), func() time.Time { return now }, nil)
	var s streams
	s.count = map[streamHolder]int{}
	missing := func() error { return core.NotFound() }
	of := func(format string, i int) netip.Prefix { return netip.MustParsePrefix(fmt.Sprintf(format, i)) }
	for name, c := range map[string]struct {
		use  func(netip.Prefix) error
		want int // of a network
	}{
		"joins": {func(n netip.Prefix) error { return l.take(http.Header{}, joins, party{network: n}, 1) }, 5},
		"unsigned webhooks": {func(n netip.Prefix) error {
			return l.take(http.Header{}, unsigned, party{id: core.ID{1}, network: n}, 1)
		}, 10},
		"guesses": {func(n netip.Prefix) error {
			if err := l.attempt(guesses, n, missing, rejected); core.IsCode(err, core.CodeRateLimited) {
				return err
			}
			return nil
		}, 30},
		"failed credentials": {func(n netip.Prefix) error { return l.countFailure(party{network: n}) }, 30},
		"streams": {func(n netip.Prefix) error {
			if !s.open(streamHolder{party: party{network: n}}, 100) {
				return errStreams()
			}
			return nil
		}, 100},
	} {
		for format, want := range map[string]int{"2001:db8:1:%x::/64": 10 * c.want, "203.0.113.%d/32": 10 * c.want} {
			got := 0
			for i := range 20 * c.want {
				if c.use(of(format, i%256)) == nil {
					got++
				}
			}
			check.Equal(t, name+" of "+format, got, want)
		}
		if err := c.use(netip.MustParsePrefix("198.51.100.1/32")); err != nil {
			t.Errorf("%s of another network: %v", name, err)
		}
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
			t.Errorf("address of %s, forwarded for %q: got %s, want %s", c.peer, c.forwarded, got, c.want)
		}
	}
}
