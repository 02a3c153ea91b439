package pushservice

import (
	"crypto/rand"
	"io"
	"net/http"
	"net/url"
	"path"
	"strconv"
	"strings"
)

// registration identifies one subscription of a device. Chromium finds its page by the subtype.
type registration struct {
	device       uint64
	app, subtype string
	sender       string // the application's key, or a number
}

// register gives a subscription the last segment of its endpoint, or deletes the subscription.
func (s *Service) register(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, maxBody)
	if err := r.ParseForm(); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	id, ok := s.authenticate(r)
	if !ok {
		_, _ = io.WriteString(w, "Error=AUTHENTICATION_FAILED")
		return
	}
	asked := registration{id, r.PostForm.Get("app"), r.PostForm.Get("X-subtype"), r.PostForm.Get("sender")}
	if r.PostForm.Get("delete") == "true" {
		s.unregister(asked)
		_, _ = io.WriteString(w, "token="+url.QueryEscape(asked.app))
		return
	}
	if asked.app == "" || asked.sender == "" {
		_, _ = io.WriteString(w, "Error=INVALID_PARAMETERS")
		return
	}
	_, _ = io.WriteString(w, "token="+s.endpointOf(asked))
}

// authenticate checks a header "AidLogin number:secret".
func (s *Service) authenticate(r *http.Request) (device uint64, ok bool) {
	login, ok := strings.CutPrefix(r.Header.Get("Authorization"), "AidLogin ")
	number, word, ok2 := strings.Cut(login, ":")
	id, err1 := strconv.ParseUint(number, 10, 64)
	secret, err2 := strconv.ParseUint(word, 10, 64)
	return id, ok && ok2 && err1 == nil && err2 == nil && s.device(id, secret) != nil
}

// endpointOf returns the same segment for the same registration, until that is deleted.
func (s *Service) endpointOf(asked registration) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	for token, known := range s.registrations {
		if known == asked {
			return token
		}
	}
	token := rand.Text()
	s.registrations[token] = asked
	return token
}

// unregister deletes one registration, or all of its page if no sender or * is given.
func (s *Service) unregister(asked registration) {
	every := asked.sender == "" || asked.sender == "*"
	s.mu.Lock()
	defer s.mu.Unlock()
	for token, known := range s.registrations {
		if known.device == asked.device && known.subtype == asked.subtype && (every || known.sender == asked.sender) {
			delete(s.registrations, token)
		}
	}
}

// find returns the registration of an endpoint, and its device.
func (s *Service) find(endpoint string) (registration, *device, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, ok := s.registrations[path.Base(endpoint)]
	if !ok {
		return r, nil, ErrGone
	}
	return r, s.devices[r.device], nil
}
