package openid

import (
	"net"
	"net/http"
	"net/url"
	"time"
)

// Config describes the provider and the application that may sign people in.
type Config struct {
	// Name is shown on the page. Each name is another provider, which knows people by other subjects.
	Name                   string
	ClientID, ClientSecret string
	// RedirectURI reports whether the browser may be redirected to an address. In any case the address must be
	// absolute, http or https, and without a fragment. Nil allows the addresses of this machine.
	RedirectURI func(string) bool
}

const (
	codeLife  = time.Minute
	tokenLife = time.Hour
)

// Provider is a stand-in. It has no goroutines of its own and need not be closed.
type Provider struct {
	config Config
	codes  *vault[grant]
	tokens *vault[person]
	keys   *keys
	faults faults
	mux    *http.ServeMux
}

// New creates a stand-in without any sign-ins.
func New(c Config) *Provider {
	if c.RedirectURI == nil {
		c.RedirectURI = onThisMachine
	}
	g := &Provider{
		config: c, codes: newVault[grant]("4/0A", codeLife), tokens: newVault[person]("ya29.", tokenLife),
		keys: &keys{}, mux: http.NewServeMux(),
	}
	for pattern, handle := range map[string]http.HandlerFunc{
		"GET /.well-known/openid-configuration":             g.discover,
		"GET /common/v2.0/.well-known/openid-configuration": g.discover,
		"GET /jwks": g.jwks, "GET /authorize": g.authorize,
		"POST /token": g.token, "GET /userinfo": g.userinfo,
	} {
		g.mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			if g.faults.current().Down {
				w.WriteHeader(http.StatusServiceUnavailable)
				return
			}
			handle(w, r)
		})
	}
	g.mux.HandleFunc("POST /keys", g.rotate)
	g.mux.HandleFunc("POST /faults", g.setFault)
	g.mux.HandleFunc("DELETE /faults", g.setFault)
	return g
}

// Handler serves the provider. Its issuer is the address that it is asked at.
func (g *Provider) Handler() http.Handler { return g.mux }

// issuer returns the address at which a request reached the provider.
func issuer(r *http.Request) string { return "http://" + r.Host }

func (g *Provider) allowsRedirect(address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Fragment != "" || u.Scheme != "http" && u.Scheme != "https" {
		return false
	}
	return g.config.RedirectURI(address)
}

func onThisMachine(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	ip := net.ParseIP(u.Hostname())
	return u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
}
