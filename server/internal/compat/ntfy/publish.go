package ntfy

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"

	"github.com/sininho/sininho/pkg/api"
	"github.com/sininho/sininho/server/internal/compat"
)

// maxBody is how many bytes of a text are read. A notification has at most 20,000 characters.
const maxBody = 128 << 10

// publish publishes a text, with everything else in headers and the query.
func (s *server) publish(w http.ResponseWriter, r *http.Request) error {
	p, err := fromParams(r)
	if err != nil {
		return err
	}
	t, err := p.prepare(s.Now())
	if err != nil {
		return err
	}
	image := ""
	if r.Method != http.MethodGet { // a GET has no body
		if image, err = s.readBody(r, t, &p); err != nil {
			return err
		}
	}
	return s.send(w, r, t, p, image)
}

// readBody reads the message, or uploads the picture that is in its place and returns its address.
func (s *server) readBody(r *http.Request, t topic, p *publication) (image string, err error) {
	start, err := io.ReadAll(io.LimitReader(r.Body, maxBody+1))
	if err != nil {
		return "", errRequest.because("the body ended early")
	}
	isFile := p.Attach == "" && (p.Filename != "" || !utf8.Valid(start)) || len(start) > maxBody
	switch {
	case len(start) == 0:
		return "", nil
	case isFile && strings.HasPrefix(http.DetectContentType(start), "image/"):
		return s.upload(r, t, io.MultiReader(bytes.NewReader(start), r.Body), http.DetectContentType(start))
	case isFile:
		return "", errAttachments.because("only pictures can be attached; of a text at most 128 KiB are taken")
	}
	p.Message = strings.TrimSpace(string(start))
	return "", nil
}

// upload stores a picture.
func (s *server) upload(r *http.Request, t topic, file io.Reader, media string) (address string, err error) {
	var picture api.Picture
	_, err = s.API.Do(r, compat.Call{Method: http.MethodPost, Path: "/publishers/" + t.publisher + "/pictures",
		Header: http.Header{"Content-Type": {media}}, Body: file}, &picture)
	return picture.URL, err
}

// publishJSON publishes what is all in a body in JSON.
func (s *server) publishJSON(w http.ResponseWriter, r *http.Request) error {
	body, err := compat.ReadBody(w, r, maxBody)
	if err != nil {
		return err
	}
	p, err := fromJSON(body)
	if err != nil {
		return err
	}
	t, err := p.prepare(s.Now())
	if err != nil {
		return err
	}
	return s.send(w, r, t, p, "")
}

// send publishes, or corrects the message of the same sequence, and responds with the message.
func (s *server) send(w http.ResponseWriter, r *http.Request, t topic, p publication, image string) error {
	members := p.members()
	if image != "" {
		members["image"] = image
	}
	created := map[string]any{}
	for name, value := range members {
		if value != nil {
			created[name] = value
		}
	}
	if p.at != nil {
		created["scheduledAt"] = p.at.UTC()
	}
	if p.Sequence != "" {
		created["externalId"] = p.Sequence
	}
	if _, err := uuid.Parse(p.Sequence); err == nil { // of a message that began without a sequence
		if n, ok, err := s.correct(r, t, p.Sequence, members); ok || err != nil {
			return respond(w, t, n, err)
		}
	}
	n, status, err := s.create(r, t, created)
	if err == nil && status == http.StatusOK && p.Sequence != "" { // there was one of this sequence
		n, err = s.update(r, t, n, members, created)
	}
	return respond(w, t, n, err)
}

func respond(w http.ResponseWriter, t topic, n api.Notification, err error) error {
	if err != nil {
		return err
	}
	return writeJSON(w, newMessage(t, n))
}

func (s *server) create(r *http.Request, t topic, members map[string]any) (n api.Notification, status int, err error) {
	status, err = s.API.Do(r,
		compat.Call{Method: http.MethodPost, Path: t.path() + "/notifications", Body: members}, &n)
	return n, status, err
}

// update corrects the message of a sequence. One that was deleted cannot come back, so another one is published, which
// is not of the sequence.
func (s *server) update(
	r *http.Request, t topic, n api.Notification, members, created map[string]any,
) (api.Notification, error) {
	if at, ok := created["scheduledAt"]; ok && n.PublishedAt == nil {
		members["scheduledAt"] = at
	}
	corrected, ok, err := s.correct(r, t, n.ID.String(), members)
	if ok || err != nil {
		return corrected, err
	}
	delete(created, "externalId")
	n, _, err = s.create(r, t, created)
	return n, err
}

// correct corrects a message, also one that was cleared. It returns false for one that is not there.
func (s *server) correct(
	r *http.Request, t topic, id string, members map[string]any,
) (n api.Notification, ok bool, err error) {
	members["expiresAt"] = nil
	status, err := s.API.Do(r, compat.Call{Method: http.MethodPatch, Path: t.path() + "/notifications/" + id,
		Body: members}, &n)
	if status == http.StatusNotFound {
		return n, false, nil
	}
	return n, err == nil, err
}
