package mailbox

import (
	"bytes"
	"encoding/base64"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/mail"
	"net/textproto"
	"slices"
	"strings"
	"time"
)

// Email is an accepted email.
type Email struct {
	Seq     int64               `json:"seq"` // not reset by a deletion
	At      time.Time           `json:"at"`
	From    string              `json:"from"` // of the envelope, like To
	To      []string            `json:"to"`
	Subject string              `json:"subject"`
	Headers map[string][]string `json:"headers"`
	Text    string              `json:"text"`
	HTML    string              `json:"html"`
}

// parse reads an email: a text, or alternatives of which one is HTML.
func parse(raw []byte) (e Email, err error) {
	m, err := mail.ReadMessage(bytes.NewReader(raw))
	if err != nil {
		return e, err
	}
	e.Headers = m.Header
	if e.Subject, err = new(mime.WordDecoder).DecodeHeader(m.Header.Get("Subject")); err != nil {
		return e, err
	}
	return e, e.part(textproto.MIMEHeader(m.Header), m.Body)
}

func (e *Email) part(h textproto.MIMEHeader, body io.Reader) error {
	media, params, err := mime.ParseMediaType(h.Get("Content-Type"))
	if err != nil {
		return err
	}
	if strings.HasPrefix(media, "multipart/") {
		return e.parts(multipart.NewReader(body, params["boundary"]))
	}
	switch strings.ToLower(h.Get("Content-Transfer-Encoding")) {
	case "quoted-printable":
		body = quotedprintable.NewReader(body)
	case "base64":
		body = base64.NewDecoder(base64.StdEncoding, body)
	}
	b, err := io.ReadAll(body)
	text := strings.ReplaceAll(string(b), "\r\n", "\n")
	switch media {
	case "text/plain":
		e.Text = text
	case "text/html":
		e.HTML = text
	}
	return err
}

func (e *Email) parts(r *multipart.Reader) error {
	for {
		p, err := r.NextRawPart()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if err := e.part(p.Header, p); err != nil {
			return err
		}
	}
}

// isFor reports whether the email went to an address. An empty address matches every email.
func (e Email) isFor(to string) bool {
	return to == "" || slices.ContainsFunc(e.To, func(each string) bool { return strings.EqualFold(each, to) })
}
