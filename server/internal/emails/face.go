package emails

import (
	"unicode"
	"unicode/utf8"

	"github.com/sininho/sininho/server/internal/core"
)

// face is what stands above the text of an email: the name and picture of what it is about.
type face struct {
	Name    string
	Picture string // where it is loaded from, small; without it Initial is shown
	Initial string
}

// faceOf returns the face of a channel, which a stranger chose. Its address takes the place of a name that could be
// more than a name, and its picture is too small to hold a message.
func (s *Sender) faceOf(name, address, picture string) face {
	f := face{Name: core.PlainName(name), Picture: s.Picture(picture)}
	if f.Name == "" {
		f.Name = address
	}
	first, _ := utf8.DecodeRuneInString(f.Name)
	f.Initial = string(unicode.ToUpper(first))
	return f
}

// appFace returns the face of emails that are about nothing of a publisher's.
func (s *Sender) appFace() face {
	return face{Name: "Sininho", Picture: s.PublicURL + "/icon-192.png"}
}
