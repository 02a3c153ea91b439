package pushservice

import (
	"crypto/ecdh"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
)

// Subscription is the result of a browser's PushManager.subscribe.
type Subscription struct {
	// Endpoint is the address at the push service. Its last segment identifies the registration.
	Endpoint string
	// P256dh and Auth are the browser's keys, in base64.
	P256dh, Auth string
}

// ErrGone reports that no browser has the subscription's endpoint, or no longer has it.
var ErrGone = errors.New("push service: the endpoint is not registered")

// ownBrowser is a browser that exists here only: its pushes are decrypted and can be read at /sent.
type ownBrowser struct {
	key    *ecdh.PrivateKey
	auth   []byte
	sender string // the sender's public key; "" for any
}

// Subscribe returns a subscription of a browser that exists here only. sender is the public key of who may push to it,
// or "" for anyone.
func (s *Service) Subscribe(sender string) (Subscription, error) {
	key, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		return Subscription{}, err
	}
	auth := make([]byte, 16)
	_, _ = rand.Read(auth) // never fails
	id := rand.Text()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.own[id] = &ownBrowser{key: key, auth: auth, sender: sender}
	encode := base64.RawURLEncoding.EncodeToString
	return Subscription{Endpoint: s.URL() + "/push/" + id, P256dh: encode(key.PublicKey().Bytes()),
		Auth: encode(auth)}, nil
}

// subscribe handles POST /subscriptions: it responds as PushSubscription.toJSON does.
func (s *Service) subscribe(w http.ResponseWriter, r *http.Request) {
	made, err := s.Subscribe(r.URL.Query().Get("applicationServerKey"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	writeJSON(w, http.StatusCreated, map[string]any{"endpoint": made.Endpoint,
		"keys": map[string]string{"p256dh": made.P256dh, "auth": made.Auth}})
}

// unsubscribe handles DELETE /push/{id}.
func (s *Service) unsubscribe(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.own, r.PathValue("id"))
	w.WriteHeader(http.StatusNoContent)
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	lines := json.NewEncoder(w)
	lines.SetEscapeHTML(false)
	_ = lines.Encode(v)
}
