package fcm

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"net/http"
	"sync/atomic"
)

// Subscription is a push subscription of a browser, as its web SDK registered it.
type Subscription struct {
	// Endpoint is where the browser believes it is pushed through.
	Endpoint string
	// P256dh and Auth are the browser's keys, in base64url.
	P256dh, Auth string
}

// ErrGone is for Config.Deliver to answer when the subscription is no more. The sender then hears UNREGISTERED.
var ErrGone = errors.New("fcm stand-in: the subscription is gone")

// Config says how a stand-in behaves. The zero value is one that keeps to itself.
type Config struct {
	// ProjectID is the project that the service account may send for; empty is sininho-dev.
	ProjectID string
	// Credentials is a service account's JSON that an earlier stand-in made. Its key is used again, so that clients that
	// have the file, or an access token, go on working. Empty makes a new key.
	Credentials []byte
	// Deliver takes an accepted message on to the browser that registered for it. Any error but ErrGone becomes INTERNAL.
	// Nil delivers nothing.
	Deliver func(ctx context.Context, to Subscription, payload []byte) error
	// Keep is how many accepted messages are recorded, at least; older ones are dropped. Zero keeps a million.
	Keep int
}

const (
	defaultProject = "sininho-dev"
	defaultKeep    = 1_000_000
)

// Server is a stand-in. It has no goroutine of its own, and needs no closing.
type Server struct {
	project   string
	account   account
	proven    atomic.Pointer[proof]
	deliver   func(context.Context, Subscription, []byte) error
	instance  string // tells this run's message ids from another's
	ids       atomic.Uint64
	templates templates
	sent      sentLog
	faults    faults
	stats     stats
	browsers  browsers
	mux       *http.ServeMux
}

// New makes a stand-in. It fails if Credentials are no service account's.
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

// Handler answers everything; mount it at the root.
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
	web("PATCH /v1/projects/{project}/registrations/{token}", s.updateRegistration)
	web("DELETE /v1/projects/{project}/registrations/{token}", s.deleteRegistration)
	web("OPTIONS /v1/", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
}
