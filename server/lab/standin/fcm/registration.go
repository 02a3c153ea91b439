package fcm

import (
	"encoding/json"
	"net/http"
	"sync"
)

// browsers are the registrations of web clients, by their installation id. A deleted registration is kept as nil,
// because FCM reports it as unregistered.
type browsers struct{ known sync.Map }

func (b *browsers) find(address string) (s *Subscription, known bool) {
	v, known := b.known.Load(address)
	if !known {
		return nil, false
	}
	s, _ = v.(*Subscription)
	return s, true
}

func (b *browsers) put(address string, s *Subscription) { b.known.Store(address, s) }

// registration is the body in which the web SDK sends a subscription.
type registration struct {
	Web struct {
		Endpoint          string `json:"endpoint"`
		P256dh            string `json:"p256dh"`
		Auth              string `json:"auth"`
		Origin            string `json:"origin"`
		ApplicationPubKey string `json:"applicationPubKey"`
	} `json:"web"`
}

func readRegistration(w http.ResponseWriter, r *http.Request) (in registration, fid string, refusal *response) {
	fid, ok := installationOf(r)
	if !ok {
		return in, "", noCredentials
	}
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody)).Decode(&in); err != nil {
		return in, "", invalid("", "Invalid JSON payload received. "+err.Error())
	}
	if in.Web.Endpoint == "" || in.Web.P256dh == "" || in.Web.Auth == "" {
		return in, "", invalid("registration.web",
			"Request contains an invalid argument: endpoint, p256dh and auth are required.")
	}
	return in, fid, nil
}

func (in registration) subscription() *Subscription {
	return &Subscription{Endpoint: in.Web.Endpoint, P256dh: in.Web.P256dh, Auth: in.Web.Auth}
}

// createRegistration registers an installation, and again each week or when its subscription has changed.
func (s *Server) createRegistration(w http.ResponseWriter, r *http.Request) {
	in, fid, refusal := readRegistration(w, r)
	if refusal != nil {
		refusal.write(w)
		return
	}
	s.browsers.put(fid, in.subscription())
	writeJSON(w, http.StatusOK, map[string]string{"name": "projects/" + r.PathValue("project") + "/registrations/" + fid})
}

// deleteRegistration unregisters an installation, and responds the same whether or not it was known.
func (s *Server) deleteRegistration(w http.ResponseWriter, r *http.Request) {
	if _, ok := installationOf(r); !ok {
		noCredentials.write(w)
		return
	}
	s.browsers.put(r.PathValue("fid"), nil)
	writeJSON(w, http.StatusOK, struct{}{})
}
