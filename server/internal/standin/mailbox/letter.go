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

// Letter is an accepted email.
type Letter struct {
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
func parse(raw []byte) (l Letter, err error) {
	m, err := mail.ReadMessage(bytes.NewReader(raw))
	if err != nil {
		return l, err
	}
	l.Headers = m.Header
	if l.Subject, err = new(mime.WordDecoder).DecodeHeader(m.Header.Get("Subject")); err != nil {
		return l, err
	}
	return l, l.part(textproto.MIMEHeader(m.Header), m.Body)
}

func (l *Letter) part(h textproto.MIMEHeader, body io.Reader) error {
	media, params, err := mime.ParseMediaType(h.Get("Content-Type"))
	if err != nil {
		return err
	}
	if strings.HasPrefix(media, "multipart/") {
		return l.parts(multipart.NewReader(body, params["boundary"]))
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
		l.Text = text
	case "text/html":
		l.HTML = text
	}
	return err
}

func (l *Letter) parts(r *multipart.Reader) error {
	for {
		p, err := r.NextRawPart()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if err := l.part(p.Header, p); err != nil {
			return err
		}
	}
}

// isFor reports whether the email went to an address. An empty address matches every email.
func (l Letter) isFor(to string) bool {
	return to == "" || slices.ContainsFunc(l.To, func(each string) bool { return strings.EqualFold(each, to) })
}
