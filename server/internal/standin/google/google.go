package google

import (
	"net"
	"net/http"
	"net/url"
	"time"
)

// Config says which application may sign people in.
type Config struct {
	ClientID, ClientSecret string
	// RedirectURI tells whether the application may be answered at an address. Whatever it says, only absolute http and
	// https addresses without a fragment are. Nil allows those of this machine.
	RedirectURI func(string) bool
}

const (
	codeLife  = time.Minute
	tokenLife = time.Hour
)

// Google is a stand-in. It has no goroutine of its own, and needs no closing.
type Google struct {
	config Config
	codes  *vault[grant]
	tokens *vault[person]
	mux    *http.ServeMux
}

// New makes a stand-in that nobody has signed in at.
func New(c Config) *Google {
	if c.RedirectURI == nil {
		c.RedirectURI = onThisMachine
	}
	g := &Google{config: c, codes: newVault[grant]("4/0A", codeLife), tokens: newVault[person]("ya29.", tokenLife), mux: http.NewServeMux()}
	g.mux.HandleFunc("GET /authorize", g.authorize)
	g.mux.HandleFunc("POST /token", g.token)
	g.mux.HandleFunc("GET /userinfo", g.userinfo)
	return g
}

// Handler answers GET /authorize, POST /token and GET /userinfo.
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
