package guard_test

import (
	"net"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/sininho/sininho/server/internal/guard"
	"github.com/sininho/sininho/server/lab/check"
)

// listener is one that listens on an address.
type listener struct {
	net.Listener
	ip net.IP
}

func (l listener) Addr() net.Addr { return &net.TCPAddr{IP: l.ip, Port: 9464} }

func TestLocal(t *testing.T) {
	t.Parallel()
	const refused = http.StatusMisdirectedRequest
	for host, want := range map[string]int{
		"127.0.0.1:9464": http.StatusOK,
		"localhost:9464": http.StatusOK,
		"localhost":      http.StatusOK,
		"[::1]:9464":     http.StatusOK,

		"evil.example:9464":           refused,
		"evil.example":                refused,
		"localhost.evil.example:9464": refused,
		"127.0.0.1.evil.example":      refused,
		"192.0.2.1:9464":              refused,
	} {
		check.Equal(t, "status on loopback for "+host, status(net.IPv4(127, 0, 0, 1), host), want)
		check.Equal(t, "status on all addresses for "+host, status(net.IPv4zero, host), http.StatusOK)
	}
}

// status is that of a request for a host to a server that listens on an address.
func status(on net.IP, host string) int {
	h := guard.Local(listener{ip: on}, http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	r, w := httptest.NewRequest(http.MethodGet, "/", http.NoBody), httptest.NewRecorder()
	r.Host = host
	h.ServeHTTP(w, r)
	return w.Code
}
