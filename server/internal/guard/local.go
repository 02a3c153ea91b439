package guard

import (
	"net"
	"net/http"
	"net/url"

	"github.com/sininho/sininho/pkg/rules"
)

// Local refuses requests for other hosts than this machine, if l listens on loopback. Without it, a page on the web
// whose name is made to resolve to 127.0.0.1 could read what is meant for this machine only.
func Local(l net.Listener, h http.Handler) http.Handler {
	if a, ok := l.Addr().(*net.TCPAddr); !ok || !a.IP.IsLoopback() {
		return h
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if host := (&url.URL{Host: r.Host}).Hostname(); !rules.IsLoopback(host) {
			http.Error(w, "this address responds only to requests for localhost", http.StatusMisdirectedRequest)
			return
		}
		h.ServeHTTP(w, r)
	})
}
