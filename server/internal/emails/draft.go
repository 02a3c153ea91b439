package emails

import (
	"bytes"
	_ "embed"
	html "html/template"
	text "text/template"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/mail"
)

var (
	//go:embed draft.html
	draftHTML string
	//go:embed draft.txt
	draftText string

	htmlTemplate = html.Must(html.New("draft.html").Parse(draftHTML))
	textTemplate = text.Must(text.New("draft.txt").Parse(draftText))
)

// draft is an email in one language. It holds no text that a stranger chose but a plain name in its face, because
// anyone can have emails sent to another person's address.
type draft struct {
	Face            face
	To              string
	Language        core.Language
	Subject         string
	Paragraphs      []string
	Code            string // shown large, or empty
	Action, URL     string
	Share, Shared   string // a link to share, and the words before it
	Foot            string
	Leave, LeaveURL string // to unsubscribe
}

// message renders the draft as text and as HTML.
func (d draft) message(id core.ID) (mail.Message, error) {
	var plain, rich bytes.Buffer
	if err := textTemplate.Execute(&plain, d); err != nil {
		return mail.Message{}, err
	}
	if err := htmlTemplate.Execute(&rich, d); err != nil {
		return mail.Message{}, err
	}
	return mail.Message{ID: id, To: d.To, Subject: d.Subject, Text: plain.String(), HTML: rich.String(),
		Unsubscribe: d.LeaveURL}, nil
}
