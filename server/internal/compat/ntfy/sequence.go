package ntfy

import (
	"net/http"
	"net/url"
	"time"

	"github.com/google/uuid"

	"github.com/sininho/sininho/pkg/api"
	"github.com/sininho/sininho/server/internal/compat"
)

// withdraw removes the message of a sequence, or cancels it before it is published.
func (s *server) withdraw(w http.ResponseWriter, r *http.Request) error {
	t, n, err := s.find(r)
	if err != nil {
		return err
	}
	_, err = s.API.Do(r, compat.Call{Method: http.MethodDelete, Path: t.path() + "/notifications/" + n.ID.String()},
		nil)
	if err != nil {
		return err
	}
	return writeJSON(w, s.sequenceEvent(eventDelete, t, n))
}

// clear has the message of a sequence leave devices and feeds. Who has read it is theirs to say, so it expires.
func (s *server) clear(w http.ResponseWriter, r *http.Request) error {
	t, n, err := s.find(r)
	if err != nil {
		return err
	}
	soon := s.Now().Add(time.Second).UTC()
	_, err = s.API.Do(r, compat.Call{Method: http.MethodPatch, Path: t.path() + "/notifications/" + n.ID.String(),
		Body: map[string]any{"expiresAt": soon}}, nil)
	if err != nil {
		return err
	}
	return writeJSON(w, s.sequenceEvent(eventClear, t, n))
}

func (s *server) sequenceEvent(kind string, t topic, n api.Notification) message {
	return message{ID: n.ID.String(), Time: s.Now().Unix(), Event: kind, Topic: t.String(),
		SequenceID: sequenceOf(n)}
}

// sequenceOf returns the id by which a message is updated: that of its sequence, or its own.
func sequenceOf(n api.Notification) string {
	if n.ExternalID != nil {
		return *n.ExternalID
	}
	return n.ID.String()
}

// find returns the message of the sequence that a request names, which may be the id of a message.
func (s *server) find(r *http.Request) (t topic, n api.Notification, err error) {
	if t, err = parseTopic(r.PathValue("topic")); err != nil {
		return t, n, err
	}
	sequence := r.PathValue("sequence")
	if _, err := uuid.Parse(sequence); err == nil {
		_, err := s.API.Do(r, compat.Call{Method: http.MethodGet, Path: t.path() + "/notifications/" + sequence}, &n)
		return t, n, err
	}
	var page api.NotificationPage
	_, err = s.API.Do(r, compat.Call{Method: http.MethodGet, Path: t.path() + "/notifications",
		Query: url.Values{"externalId": {sequence}}}, &page)
	if err == nil && len(page.Data) == 0 {
		err = errNotFound.because("there is no message of this sequence, or not for this credential")
	}
	if err != nil {
		return t, n, err
	}
	return t, page.Data[0], nil
}
