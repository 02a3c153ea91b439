package httpapi

import (
	"strings"
	"testing"
)

func TestUntrustedProxyIsLoggedOnce(t *testing.T) {
	const trusted, stranger = "From: 10.0.0.1:1", "From: 192.0.2.9:1"
	for name, c := range map[string]struct {
		header []string
		want   int
	}{
		"no proxy":            {[]string{stranger}, 0},
		"trusted proxy":       {[]string{trusted, "X-Forwarded-For: 198.51.100.1"}, 0},
		"proxy":               {[]string{stranger, "X-Forwarded-For: 198.51.100.1"}, 1},
		"proxy of RFC 7239":   {[]string{stranger, "Forwarded: for=198.51.100.1"}, 1},
		"another's hop first": {[]string{"From: 192.0.2.10:1", "X-Forwarded-For: 10.0.0.1"}, 1},
	} {
		w := newWorld(t)
		for range 3 {
			w.send("GET", "/api/v1/channels", "", c.header...)
		}
		if got := strings.Count(w.log.String(), "TRUSTED_PROXIES"); got != c.want {
			t.Errorf("%s: mentions of TRUSTED_PROXIES: got %d, want %d: %s", name, got, c.want, w.log)
		}
		address := strings.TrimSuffix(strings.TrimPrefix(c.header[0], "From: "), ":1")
		if c.want > 0 && !strings.Contains(w.log.String(), "sender="+address) {
			t.Errorf("%s: log without the sender %s: %s", name, address, w.log)
		}
	}
}
