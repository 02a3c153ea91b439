package httpapi

import (
	"bytes"
	"fmt"
	"log/slog"
	"net/netip"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sininho/sininho/pkg/webhook"
	"github.com/sininho/sininho/server/internal/tracing"
	"github.com/sininho/sininho/server/lab/check"
)

var refusalLine = regexp.MustCompile(`msg="credential refused" credential=(\S+) address=(\S+)`)

// refused returns the kinds and addresses of the lines about refused credentials.
func refused(log string) (lines []string) {
	for _, found := range refusalLine.FindAllStringSubmatch(log, -1) {
		lines = append(lines, found[1]+" "+found[2])
	}
	return lines
}

// TestRefusedCredentialsAreLogged sends a wrong credential of each kind through a proxy that is trusted.
func TestRefusedCredentialsAreLogged(t *testing.T) {
	w := newWorld(t)
	signed := w.webhook("signed", webhook.NewSecret())
	proxy := []string{"From: 10.0.0.1:1", "X-Forwarded-For: 203.0.113.7"}
	for kind, sent := range map[string]struct {
		method, path, body string
		header             []string
	}{
		refusedKey:        {"GET", "/api/v1/channels", "", []string{"Authorization: Bearer snh_live_secret"}},
		refusedSession:    {"GET", "/api/v1/channels", "", []string{"Cookie: __Host-sininho=secret"}},
		refusedWebhook:    {"POST", "/api/v1/webhooks/channels/secret", "{}", nil},
		refusedSignature:  {"POST", "/api/v1/webhooks/channels/" + signed, `{"title":"secret"}`, nil},
		refusedUserCode:   {"GET", "/api/v1/auth/device?userCode=BCDF-GHJM", "", []string{signedIn}},
		refusedDeviceCode: {"POST", "/api/v1/auth/device/token", `{"deviceCode":"secret"}`, nil},
		refusedEmailCode:  {"POST", "/api/v1/auth/email/code", `{"code":"12345678"}`, nil},
		refusedPasskey:    {"POST", "/api/v1/auth/passkeys", `{"credential":{"id":"secret"}}`, nil},
	} {
		w.log.Reset()
		w.send(sent.method, sent.path, sent.body, append(sent.header, proxy...)...)
		check.Equal(t, "lines about a wrong "+kind, refused(w.log.String()), []string{kind + " 203.0.113.7"})
		if strings.Contains(w.log.String(), "secret") {
			t.Errorf("line about a wrong %s: got %s, want it without the credential", kind, w.log)
		}
	}
	w.log.Reset()
	w.send("GET", "/api/v1/channels", "", "Cookie: __Host-sininho=secret")
	w.send("GET", "/api/v1/channels", "")
	w.send("GET", "/api/v1/auth", "", signedIn)
	check.Equal(t, "lines about an ended session that is sent again, none and a good one", refused(w.log.String()), nil)
}

// TestRefusalsAreLimited floods the log from one network. Another network still gets its line, which says how many were
// left out.
func TestRefusalsAreLimited(t *testing.T) {
	now, out := start, bytes.Buffer{}
	f := newRefusals(slog.New(slog.NewTextHandler(&out, nil)), func() time.Time { return now })
	for i := range 10_000 {
		f.add(t.Context(), netip.MustParseAddr(fmt.Sprintf("2001:db8::%x", i)), refusedKey)
	}
	check.Equal(t, "lines about one network", len(refused(out.String())), refusalsAtOnce)
	out.Reset()
	f.add(t.Context(), netip.MustParseAddr("198.51.100.1"), refusedKey)
	check.Equal(t, "lines about another", refused(out.String()), []string{"key 198.51.100.1"})
	if !strings.Contains(out.String(), " omitted=9990\n") {
		t.Errorf("line after a flood: got %s, want omitted=9990", out.String())
	}
	out.Reset()
	for i := range 3000 {
		f.add(t.Context(), netip.AddrFrom4([4]byte{10, 0, byte(i >> 8), byte(i)}), refusedKey)
	}
	check.Equal(t, "lines about many networks", len(refused(out.String())), refusalsOfAll-refusalsAtOnce-1)
	out.Reset()
	now = now.Add(refusalInterval)
	f.add(t.Context(), netip.MustParseAddr("2001:db8::1"), refusedKey)
	check.Equal(t, "lines about the first network later", len(refused(out.String())), 1)
}

// TestFail2banFilter finds the addresses by the filter of the guide, in lines as they are written, with and without the
// timestamp that fail2ban cuts out. It finds none that a request has written.
func TestFail2banFilter(t *testing.T) {
	guide, err := os.ReadFile("../../../docs/operating.md")
	if err != nil {
		t.Fatalf("read the guide: %v", err)
	}
	_, filter, found := strings.Cut(string(guide), "failregex = ")
	filter, _, ended := strings.Cut(filter, "\n\n")
	if !found || !ended {
		t.Fatal("filter in docs/operating.md: got none, want failregex")
	}
	var patterns []*regexp.Regexp
	for line := range strings.Lines(filter) {
		pattern := strings.ReplaceAll(strings.TrimSpace(line), "<HOST>", `(?P<host>[0-9A-Fa-f.:]+)`)
		patterns = append(patterns, regexp.MustCompile(pattern))
	}
	stamp := regexp.MustCompile(`\d{4}-\d\d-\d\dT[^ "]*`)
	hosts := func(log string) (hosts []string) {
		for line := range strings.Lines(log) {
			for _, shown := range []string{strings.TrimSpace(line), stamp.ReplaceAllString(strings.TrimSpace(line), "")} {
				for _, p := range patterns {
					if m := p.FindStringSubmatch(shown); m != nil {
						hosts = append(hosts, m[p.SubexpIndex("host")])
					}
				}
			}
		}
		return hosts
	}
	for format, handler := range map[string]func(*bytes.Buffer) slog.Handler{
		"text": func(b *bytes.Buffer) slog.Handler { return slog.NewTextHandler(b, nil) },
		"json": func(b *bytes.Buffer) slog.Handler { return slog.NewJSONHandler(b, nil) },
	} {
		for _, host := range []string{"203.0.113.7", "2001:db8::7"} {
			var out bytes.Buffer
			log := tracing.NewLogger(handler(&out)).With("part", "api")
			newRefusals(log, time.Now).add(t.Context(), netip.MustParseAddr(host), refusedEmailCode)
			if got := hosts(out.String()); !slices.Equal(got, []string{host, host}) {
				t.Errorf("addresses in %s by the filter: got %q, want %s twice", out.String(), got, host)
			}
			out.Reset()
			log.Warn("x", "path", out.String()+` msg="credential refused" credential=key address=203.0.113.7`,
				"address", "203.0.113.7")
			log.Warn(`credential refused" credential=key address=203.0.113.7 `)
			if got := hosts(out.String()); got != nil {
				t.Errorf("addresses in %s lines that a request has written: got %q, want none", format, got)
			}
		}
	}
}
