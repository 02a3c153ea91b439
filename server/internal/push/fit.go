package push

import (
	"encoding/json"
	"unicode/utf8"

	"github.com/sininho/sininho/server/internal/core"
)

// minBody is the number of bytes of the body that take precedence over pictures and the link.
const minBody = 300

// Fit returns a push whose message has at most limit bytes, as far as possible. It leaves out the image, the icon and
// the link, in this order, where they would leave too little for the text, and cuts the body at a character. measure
// returns the size of the message of a push.
func Fit(p core.Push, limit int, measure func(core.Push) int) core.Push {
	const blank = " " // an empty body may be left out of the message
	body := p.Body
	p.Body = blank
	for _, drop := range []*string{&p.Image, &p.Icon, &p.Link} {
		if measure(p) <= limit-minBody {
			break
		}
		*drop = ""
	}
	p.Body = cut(body, limit-measure(p)+len(blank))
	return p
}

// cut shortens s to at most size bytes as JSON, without the quotes.
func cut(s string, size int) string {
	const ellipsis = "…"
	if inJSON(s) <= size {
		return s
	}
	used, end := len(ellipsis), 0
	for i, r := range s {
		if used += inJSON(string(r)); used > size {
			break
		}
		end = i + utf8.RuneLen(r)
	}
	return s[:end] + ellipsis
}

// inJSON returns the size of a text in JSON, without the quotes.
func inJSON(s string) int {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err) // never: it is text
	}
	return len(b) - len(`""`)
}

// Tag returns the tag of a push. Of several pushes with the same tag a device shows only one. A summary has its own
// tag, so that a revision of a notification does not replace it.
func Tag(p core.Push) string {
	if p.Summary {
		return "summary-" + p.ID
	}
	return p.ID
}
