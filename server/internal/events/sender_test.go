package events_test

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sininho/sininho/pkg/webhook"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/events"
	"github.com/sininho/sininho/server/lab/dnstest"
)

var began = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// sender is an events.Sender with its own secret.
type sender struct {
	*events.Sender
	secret  string
	secrets core.EventSecrets
}

func newSender(t *testing.T, c events.Config) *sender {
	t.Helper()
	var err error
	if c.Sealer, err = core.NewSealer(core.NewSecretKey()); err != nil {
		t.Fatalf("make the sealer: %v", err)
	}
	if c.Timeout == 0 {
		c.Timeout = 10 * time.Second
	}
	c.Now = func() time.Time { return began }
	s := &sender{Sender: events.New(c), secret: webhook.NewSecret()}
	s.secrets.Sealed = c.Sealer.Seal([]byte(s.secret))
	return s
}

func (s *sender) send(t *testing.T, address string) core.EventAttempt {
	t.Helper()
	d := core.NewEventDelivery(core.NewID(), core.NewID(),
		core.Event{Type: core.EventTest, Timestamp: began, Data: core.EventData{Publisher: "vila"}})
	return s.Send(t.Context(), core.EventEndpoint{URL: address}, s.secrets, d)
}

func receiver(t *testing.T, respond http.HandlerFunc) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(respond)
	t.Cleanup(s.Close)
	return s
}

var loopback = events.Config{Rules: core.EventRules{AllowLoopback: true}}

func TestSend(t *testing.T) {
	t.Parallel()
	s := newSender(t, loopback)
	old := webhook.NewSecret()
	s.secrets.PreviousSealed, s.secrets.PreviousUntil = s.Sealer.Seal([]byte(old)), new(began.Add(time.Hour))
	var header http.Header
	var body []byte
	r := receiver(t, func(w http.ResponseWriter, r *http.Request) {
		header = r.Header
		body, _ = io.ReadAll(r.Body)
		w.WriteHeader(http.StatusAccepted)
		_, _ = w.Write([]byte("obrigado"))
	})
	a := s.send(t, r.URL)
	if !a.Delivered() || a.Status != 202 || a.Error != "" {
		t.Errorf("attempt: got %+v, want it delivered with status 202", a)
	}
	if a.Response != "obrigado" {
		t.Errorf("stored response: got %q, want obrigado", a.Response)
	}
	if !a.At.Equal(began) || a.Duration <= 0 {
		t.Errorf("attempt: got %s at %s, want a duration above zero at %s", a.Duration, a.At, began)
	}
	for name, want := range map[string]string{"Content-Type": "application/json", "User-Agent": "Sininho"} {
		if got := header.Get(name); got != want {
			t.Errorf("request header %s: got %q, want %q", name, got, want)
		}
	}
	if want := `{"type":"test","timestamp":"2026-03-01T12:00:00Z","data":{"publisher":"vila"}}`; string(body) != want {
		t.Errorf("request body: got %s, want %s", body, want)
	}
	clock := webhook.WithClock(func() time.Time { return began })
	for what, secret := range map[string]string{"the new secret": s.secret, "the old secret": old} {
		if _, err := webhook.Verify(header, body, []string{secret}, clock); err != nil {
			t.Errorf("verify with %s: %v", what, err)
		}
	}
	s.secrets.PreviousUntil = &began
	s.send(t, r.URL)
	if _, err := webhook.Verify(header, body, []string{old}, clock); err == nil {
		t.Error("verify with the expired old secret: got no error, want one")
	}
}

func TestResponses(t *testing.T) {
	t.Parallel()
	s := newSender(t, loopback)
	long := strings.Repeat("ã", 3*core.MaxEventResponse)
	for name, c := range map[string]struct {
		respond    http.HandlerFunc
		status     int
		text       string
		retryAfter time.Duration
	}{
		"empty": {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(204) }, 204, "", 0},
		"long": {
			func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(long)) }, 200,
			long[:2*core.MaxEventResponse], 0,
		},
		"not text": {
			func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("a\x00b\xffc")) }, 200,
			"a\uFFFDb\uFFFDc", 0,
		},
		"in seconds": {
			func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Retry-After", "120"); w.WriteHeader(503) },
			503, "", 2 * time.Minute,
		},
		"by date": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", began.Add(time.Hour).Format(http.TimeFormat))
			w.WriteHeader(429)
		}, 429, "", time.Hour},
		"in the past": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", began.Add(-time.Hour).Format(http.TimeFormat))
			w.WriteHeader(429)
		}, 429, "", 0},
		"nonsense": {
			func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Retry-After", "-5"); w.WriteHeader(500) },
			500, "", 0,
		},
	} {
		a := s.send(t, receiver(t, c.respond).URL)
		if a.Status != c.status || a.Error != "" {
			t.Errorf("%s: got status %d and error %q, want %d and none", name, a.Status, a.Error, c.status)
		}
		if a.Response != c.text {
			t.Errorf("%s: got a response of %d bytes, want %d: %.100q", name, len(a.Response), len(c.text), a.Response)
		}
		if a.RetryAfter != c.retryAfter {
			t.Errorf("%s: got retry after %s, want %s", name, a.RetryAfter, c.retryAfter)
		}
	}
}

func TestRedirectsAreNotFollowed(t *testing.T) {
	t.Parallel()
	s := newSender(t, loopback)
	var reached atomic.Int32
	elsewhere := receiver(t, func(http.ResponseWriter, *http.Request) { reached.Add(1) })
	for _, to := range []string{elsewhere.URL, "http://169.254.169.254/latest/meta-data", "http://10.0.0.1/"} {
		for _, status := range []int{301, 302, 303, 307, 308} {
			a := s.send(t, receiver(t,
				func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, to, status) }).URL)
			if a.Delivered() || a.Status != status || !strings.Contains(a.Error, "redirect") {
				t.Errorf("redirect %d to %s: got %+v, want it refused", status, to, a)
			}
		}
	}
	if reached.Load() > 0 {
		t.Errorf("requests to the redirect's target: got %d, want 0", reached.Load())
	}
}

// noAddress is the error of a name or an address that is not public.
const noAddress = "it has no public address"

func TestOnlyPublicAddressesAreDialled(t *testing.T) {
	t.Parallel()
	s := newSender(t, events.Config{})
	var reached atomic.Int32
	here := receiver(t, func(http.ResponseWriter, *http.Request) { reached.Add(1) })
	_, port, _ := net.SplitHostPort(here.Listener.Addr().String())
	for _, address := range []string{
		here.URL, "http://localhost:" + port, "https://localhost/", "https://127.0.0.1/", "https://[::1]/",
		"https://0.0.0.0/", "https://[::]/", "https://10.0.0.1/", "https://172.16.0.1/", "https://192.168.0.1/",
		"https://169.254.169.254/", "https://100.64.0.1/", "https://224.0.0.1/", "https://[fd00::1]/",
		"https://[fe80::1]/", "https://[ff02::1]/", "https://[::ffff:127.0.0.1]/", "https://[::ffff:10.0.0.1]/",
		"https://[2002:7f00:1::]/", "https://[64:ff9b::7f00:1]/", "https://1.1.1.1:22/", "http://1.1.1.1/",
		"https://2130706433/", "https://0x7f.1/",
	} {
		a := s.send(t, address)
		if a.Delivered() || a.Status != 0 {
			t.Errorf("send to %s: got %+v, want no response", address, a)
		}
		if a.Error != noAddress {
			t.Errorf("send to %s: got error %q, want %q", address, a.Error, noAddress)
		}
	}
	if reached.Load() > 0 {
		t.Errorf("requests to this machine: got %d, want 0", reached.Load())
	}
	s = newSender(t, loopback)
	if a := s.send(t, "https://10.0.0.1/"); a.Error != noAddress {
		t.Errorf("send to a private address with loopback allowed: got %+v, want it refused", a)
	}
}

// TestNames resolves names to addresses that are not public. It also sets a proxy, which must receive no request.
func TestNames(t *testing.T) {
	var asked atomic.Int32
	proxy := receiver(t, func(http.ResponseWriter, *http.Request) { asked.Add(1) })
	t.Setenv("HTTPS_PROXY", proxy.URL)
	t.Setenv("HTTP_PROXY", proxy.URL)
	for _, address := range []string{
		"127.0.0.1", "10.0.0.1", "169.254.169.254", "192.168.1.1", "100.64.0.1", "0.0.0.0",
	} {
		s := newSender(t, events.Config{Resolver: dnstest.Resolver(t, netip.MustParseAddr(address))})
		a := s.send(t, "https://hooks.example.com/")
		if a.Error != noAddress {
			t.Errorf("send to a name of %s: got error %q, want %q", address, a.Error, noAddress)
		}
	}
	// A name that does not exist must look the same: otherwise the names of this server's network could be guessed.
	s := newSender(t, events.Config{Resolver: dnstest.Resolver(t, netip.Addr{})})
	if a := s.send(t, "https://hooks.example.com/"); a.Error != noAddress {
		t.Errorf("send to a name without addresses: got error %q, want %q", a.Error, noAddress)
	}
	if asked.Load() > 0 {
		t.Errorf("requests to the proxy: got %d, want 0", asked.Load())
	}
}

func TestStatuses(t *testing.T) {
	t.Parallel()
	s := newSender(t, loopback)
	for _, status := range []string{"099", "101", "999"} {
		a := s.send(t, receiver(t, func(w http.ResponseWriter, _ *http.Request) {
			conn, _, err := http.NewResponseController(w).Hijack()
			if err != nil {
				t.Errorf("hijack: %v", err)
				return
			}
			_, _ = io.WriteString(conn, "HTTP/1.1 "+status+" x\r\nContent-Length: 1\r\n\r\nx")
			_ = conn.Close()
		}).URL)
		if a.Delivered() || strings.Contains(a.Error, "invalid status") != (status != "999") {
			t.Errorf("response with status %s: got %+v, want it failed", status, a)
		}
	}
}

// TestSlowResponses delays the sender in every possible way and checks that it gives up in time.
func TestSlowResponses(t *testing.T) {
	t.Parallel()
	c := loopback
	c.Timeout = 3 * time.Second // enough for the beginning of a response on a busy machine
	s := newSender(t, c)
	silent := receiver(t, func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		<-r.Context().Done()
	})
	a := s.send(t, silent.URL)
	if a.Delivered() || a.Status != 0 || a.Error != "it took too long to respond" {
		t.Errorf("send without a response: got %+v, want a timeout", a)
	}
	if a.Duration > time.Minute {
		t.Errorf("send without a response: took %s, want less than a minute", a.Duration)
	}
	trickle := receiver(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write([]byte("a"))
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	})
	if a := s.send(t, trickle.URL); !a.Delivered() || a.Response != "a" || a.Duration > time.Minute {
		t.Errorf("send with an endless response: got %+v, want it delivered within a minute", a)
	}
}

func TestEndlessResponses(t *testing.T) {
	t.Parallel()
	c := loopback
	c.Timeout = 2 * time.Minute
	s := newSender(t, c)
	flood := receiver(t, func(w http.ResponseWriter, _ *http.Request) {
		for {
			if _, err := w.Write([]byte(strings.Repeat("x", 10_000))); err != nil {
				return
			}
		}
	})
	if a := s.send(t, flood.URL); !a.Delivered() || len(a.Response) != core.MaxEventResponse {
		t.Errorf("send with a flood of text: got status %d, %q, %d bytes; want it delivered with %d",
			a.Status, a.Error, len(a.Response), core.MaxEventResponse)
	}
	for what, endless := range map[string]string{
		"header": "HTTP/1.1 200 OK\r\nx: ", "status": "HTTP/1.1 200 ",
		"interim response": "HTTP/1.1 103 Early Hints\r\n\r\n", "nonsense": "\x00",
	} {
		a := s.send(t, raw(t, endless))
		if a.Delivered() || a.Status != 0 || a.Error == "" {
			t.Errorf("send with an endless %s: got %+v, want it failed", what, a)
		}
		if a.Duration > time.Minute {
			t.Errorf("send with an endless %s: took %s, want less than a minute", what, a.Duration)
		}
	}
}

// raw serves the beginning and then repeats its last part endlessly.
func raw(t *testing.T, beginning string) string {
	t.Helper()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatalf("listen: %v", err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		defer conn.Close() // the sender ends the exchange
		more := "xxxxxxxxxxxxxxxx"
		if strings.HasSuffix(beginning, "\r\n\r\n") {
			more = beginning
		}
		for _, err = conn.Write([]byte(beginning)); err == nil; _, err = conn.Write([]byte(more)) {
		}
	}()
	return "http://" + l.Addr().String()
}
