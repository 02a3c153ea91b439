package openid

import (
	"encoding/json"
	"net/http"
	"sync"
)

// Fault is how the provider lies or fails. A text replaces the right value.
type Fault struct {
	Nonce          string `json:"nonce"`          // of ID tokens
	Audience       string `json:"audience"`       // of ID tokens
	Issuer         string `json:"issuer"`         // of ID tokens
	Subject        string `json:"subject"`        // in ID tokens and user infos
	InfoSubject    string `json:"infoSubject"`    // in user infos alone
	Email          string `json:"email"`          // in ID tokens and user infos; "none" leaves it out
	EmailVerified  any    `json:"emailVerified"`  // likewise; "none" leaves it out
	InfoVerified   any    `json:"infoVerified"`   // in user infos alone
	DomainVerified any    `json:"domainVerified"` // xms_edov
	Tenant         string `json:"tenant"`         // of ID tokens, of a provider of several organizations
	Algorithm      string `json:"algorithm"`      // of ID tokens: "ES256"
	LateSeconds    int    `json:"lateSeconds"`    // since the expiry of ID tokens
	Minimal        bool   `json:"minimal"`        // no user info, nor anything optional in the discovery
	Slash          bool   `json:"slash"`          // at the end of the issuer
	Expired        bool   `json:"expired"`        // ID tokens that expired in 2000
	Signature      string `json:"signature"`      // of ID tokens: "none", or "foreign" by a key that is not the provider's
	ResponseIssuer string `json:"responseIssuer"` // in the address at which the browser comes back
	Emailless      bool   `json:"emailless"`      // ID tokens with no more than the subject
	Down           bool   `json:"down"`           // 503 for everything
}

// faults holds the fault in force.
type faults struct {
	mu    sync.Mutex
	fault Fault
}

func (f *faults) current() Fault {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.fault
}

// setFault sets the fault in the body, or none.
func (g *Provider) setFault(w http.ResponseWriter, r *http.Request) {
	var f Fault
	if r.Method == http.MethodPost {
		d := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody))
		d.DisallowUnknownFields()
		if err := d.Decode(&f); err != nil {
			writeJSON(w, http.StatusBadRequest, map[string]string{"detail": err.Error()})
			return
		}
	}
	g.faults.mu.Lock()
	defer g.faults.mu.Unlock()
	g.faults.fault = f
	w.WriteHeader(http.StatusNoContent)
}
