package servertest_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/sininho/sininho/server/internal/dev"
	"github.com/sininho/sininho/server/lab/check"
	"github.com/sininho/sininho/server/lab/servertest"
)

// TestForgedForwardedFor pretends with every request to come from somewhere else: it counts against the address that it
// comes from, which is also the one that is recorded.
func TestForgedForwardedFor(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.With("LIMIT_FAILED_CREDENTIALS", "3"), func(c *dev.Config) { c.LimitsOff = false })
	ana := s.SignIn(t, "ana@example.com")
	forge := func(req *http.Request, i int) *http.Request {
		from := fmt.Sprintf("198.51.100.%d", i)
		for _, name := range []string{"X-Forwarded-For", "X-Real-IP", "True-Client-IP", "CF-Connecting-IP", "X-Client-IP"} {
			req.Header.Set(name, from)
		}
		req.Header.Set("Forwarded", "for="+from)
		return req
	}
	for i := range 5 {
		want := http.StatusUnauthorized
		if i >= 3 {
			want = http.StatusTooManyRequests
		}
		call(t, forge(ana.Request(http.MethodGet, "/subscribers/me", nil), i), fmt.Sprintf("snh_live_%d", i), want, nil)
	}
	call(t, forge(ana.Request(http.MethodPost, "/publishers", object{"slug": "eletrico", "name": "Elétrico"}), 9), "", 201, nil)
	var log page[auditEntry]
	ana.Do(http.MethodGet, "/publishers/eletrico/audit-log", nil, 200, &log)
	check.Equal(t, "network in the audit log", log.Data[0].Network, "127.0.0.1")
	check.Equal(t, "network of the session", sessions(t, ana).Data[0].Network, "127.0.0.1")
}
