package google

import (
	"net"
	"net/http"
	"net/url"
	"time"
)

// Config describes the application that may sign people in.
type Config struct {
	ClientID, ClientSecret string
	// RedirectURI reports whether the browser may be redirected to an address. In any case the address must be
	// absolute, http or https, and without a fragment. Nil allows the addresses of this machine.
	RedirectURI func(string) bool
}

const (
	codeLife  = time.Minute
	tokenLife = time.Hour
)

// Google is a stand-in. It has no goroutines of its own and need not be closed.
type Google struct {
	config Config
	codes  *vault[grant]
	tokens *vault[person]
	mux    *http.ServeMux
}

// New creates a stand-in without any sign-ins.
func New(c Config) *Google {
	if c.RedirectURI == nil {
		c.RedirectURI = onThisMachine
	}
	g := &Google{
		config: c, codes: newVault[grant]("4/0A", codeLife), tokens: newVault[person]("ya29.", tokenLife),
		mux: http.NewServeMux(),
	}
	g.mux.HandleFunc("GET /authorize", g.authorize)
	g.mux.HandleFunc("POST /token", g.token)
	g.mux.HandleFunc("GET /userinfo", g.userinfo)
	return g
}

// Handler serves GET /authorize, POST /token and GET /userinfo.
func (g *Google) Handler() http.Handler { return g.mux }

func (g *Google) allowsRedirect(address string) bool {
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
