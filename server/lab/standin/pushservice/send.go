package pushservice

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"time"
)

// The origins of the endpoints that Chrome, and Chromium that Google has not built, make of their registrations.
const (
	ChromeOrigin   = "https://fcm.googleapis.com"
	chromiumOrigin = "https://jmt17.google.com"
)

// refusal is the response to a push that is not accepted.
type refusal struct {
	status int
	reason string
}

// send handles POST /push/{id} and POST /fcm/send/{id}: a push of a sender that identifies itself (RFC 8030, 8292).
func (s *Service) send(w http.ResponseWriter, r *http.Request) {
	if s.fail(w, r) {
		return
	}
	accepted, refusal := s.accept(r)
	if refusal != nil {
		http.Error(w, refusal.reason, refusal.status)
		return
	}
	s.sent.add(accepted)
	w.Header().Set("Location", s.URL()+"/messages/"+strconv.FormatInt(accepted.Seq, 10))
	w.WriteHeader(http.StatusCreated)
}

// accept checks a push and delivers it.
func (s *Service) accept(r *http.Request) (Sent, *refusal) {
	m := Sent{At: time.Now(), Endpoint: r.PathValue("id"), Urgency: r.Header.Get("Urgency"),
		Topic: r.Header.Get("Topic")}
	key, err := checkVAPID(r.Header.Get("Authorization"), []string{s.URL(), ChromeOrigin, chromiumOrigin}, m.At)
	if err != nil {
		return m, &refusal{http.StatusUnauthorized, err.Error()}
	}
	if refusal := m.readHeader(r.Header); refusal != nil {
		return m, refusal
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, maxMessage+1))
	if err != nil {
		return m, &refusal{http.StatusBadRequest, err.Error()}
	}
	if m.Size = len(body); m.Size > maxMessage {
		return m, &refusal{http.StatusRequestEntityTooLarge, "the message has more than 4096 bytes"}
	}
	if refusal := s.pass(&m, key, body); refusal != nil {
		return m, refusal
	}
	return m, nil
}

var topicForm = regexp.MustCompile(`^[A-Za-z0-9_-]{0,32}$`)

func (m *Sent) readHeader(h http.Header) *refusal {
	var err error
	if m.TTL, err = strconv.Atoi(h.Get("TTL")); err != nil || m.TTL < 0 {
		return &refusal{http.StatusBadRequest, "TTL must be a number of seconds"}
	}
	if !topicForm.MatchString(m.Topic) {
		return &refusal{http.StatusBadRequest, "Topic must be at most 32 characters of base64url"}
	}
	if c := h.Get("Content-Encoding"); c != "aes128gcm" {
		return &refusal{http.StatusBadRequest, "Content-Encoding must be aes128gcm, not " + strconv.Quote(c)}
	}
	return nil
}

// pass delivers a message: to a browser, or to one that exists here only.
func (s *Service) pass(m *Sent, key string, body []byte) *refusal {
	s.mu.Lock()
	own := s.own[m.Endpoint]
	s.mu.Unlock()
	const otherKey = "the subscription belongs to another applicationServerKey"
	if own != nil {
		if own.sender != "" && own.sender != key {
			return &refusal{http.StatusForbidden, otherKey}
		}
		text, err := open(own.key, own.auth, body)
		if err != nil {
			return &refusal{http.StatusBadRequest, "the message cannot be decrypted: " + err.Error()}
		}
		if !json.Valid(text) {
			return &refusal{http.StatusBadRequest, "the message is no JSON"}
		}
		m.Message = text
		return nil
	}
	to, d, err := s.find(m.Endpoint)
	if errors.Is(err, ErrGone) {
		return &refusal{http.StatusGone, "no browser has this subscription"}
	}
	if to.sender != key {
		return &refusal{http.StatusForbidden, otherKey}
	}
	st := newStanza(to, body)
	st.topic = m.Topic
	d.push(st)
	return nil
}
