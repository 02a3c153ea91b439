package fcm

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"net/http"
	"sync/atomic"
)

// Subscription is a browser's push subscription as its web SDK registered it.
type Subscription struct {
	// Endpoint is the address at the push service.
	Endpoint string
	// P256dh and Auth are the browser's keys, in base64url.
	P256dh, Auth string
}

// ErrGone is returned by Config.Deliver when the subscription no longer exists. The sender then gets UNREGISTERED.
var ErrGone = errors.New("fcm stand-in: the subscription is gone")

// Config configures a stand-in. The zero value uses the defaults and delivers to no browser.
type Config struct {
	// ProjectID is the project that the service account may send for. Empty means sininho-dev.
	ProjectID string
	// Credentials is the service account's JSON of an earlier stand-in. Its key is reused, so that clients with the
	// file or an access token keep working. Empty creates a new key.
	Credentials []byte
	// Deliver passes an accepted message on to the browser that registered for it. Any error but ErrGone becomes
	// INTERNAL. Nil delivers nothing.
	Deliver func(ctx context.Context, to Subscription, payload []byte) error
	// Keep is the minimum number of accepted messages that are kept; older ones are dropped. Zero keeps a million.
	Keep int
}

const (
	defaultProject = "sininho-dev"
	defaultKeep    = 1_000_000
)

// Server is a stand-in. It has no goroutines of its own and need not be closed.
type Server struct {
	project   string
	account   account
	proven    atomic.Pointer[proof]
	deliver   func(context.Context, Subscription, []byte) error
	instance  string // distinguishes the message ids of this run from those of others
	ids       atomic.Uint64
	templates templates
	sent      sentLog
	faults    faults
	stats     stats
	browsers  browsers
	mux       *http.ServeMux
}

// New creates a stand-in. It fails if Credentials are not a service account's.
func New(c Config) (*Server, error) {
	acc, err := newAccount(c.Credentials)
	if err != nil {
		return nil, err
	}
	var instance [6]byte
	_, _ = rand.Read(instance[:]) // never fails
	s := &Server{project: c.ProjectID, account: acc, deliver: c.Deliver, instance: hex.EncodeToString(instance[:])}
	if s.project == "" {
		s.project = defaultProject
	}
	s.sent.keep = c.Keep
	if s.sent.keep <= 0 {
		s.sent.keep = defaultKeep
	}
	s.routes()
	return s, nil
}

// Handler serves all endpoints. Mount it at the root.
func (s *Server) Handler() http.Handler { return s.mux }

func (s *Server) routes() {
	s.mux = http.NewServeMux()
	s.mux.HandleFunc("POST /token", s.issueToken)
	s.mux.HandleFunc("POST /v1/projects/{project}/messages:send", s.send)

	s.mux.HandleFunc("GET /sent", s.listSent)
	s.mux.HandleFunc("DELETE /sent", s.clearSent)
	s.mux.HandleFunc("GET /stats", s.showStats)
	s.mux.HandleFunc("DELETE /stats", s.clearStats)
	s.mux.HandleFunc("GET /faults", s.listFaults)
	s.mux.HandleFunc("POST /faults", s.addFaults)
	s.mux.HandleFunc("DELETE /faults", s.clearFaults)

	web := func(pattern string, h http.HandlerFunc) { s.mux.HandleFunc(pattern, allowBrowsers(h)) }
	web("POST /v1/projects/{project}/installations", s.createInstallation)
	web("DELETE /v1/projects/{project}/installations/{fid}", s.deleteInstallation)
	web("POST /v1/projects/{project}/installations/{fid}/authTokens:generate", s.generateAuthToken)
	web("POST /v1/projects/{project}/registrations", s.createRegistration)
	web("DELETE /v1/projects/{project}/registrations/{fid}", s.deleteRegistration)
	web("OPTIONS /v1/", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
}
