package webui

import (
	"strings"
	"unicode"

	"github.com/sininho/sininho/pkg/rules"
)

// maxDescription is the length of a description in characters, about as much as search engines and previews show.
const maxDescription = 200

// excerpt returns a text on one line, cut after a word if it is long.
func excerpt(text string) string {
	runes := []rune(oneLine(text))
	if len(runes) <= maxDescription {
		return string(runes)
	}
	runes = runes[:maxDescription-1] // and the ellipsis
	if end := lastSpace(runes); end > len(runes)/2 {
		runes = runes[:end]
	}
	return strings.TrimRightFunc(string(runes), isJoin) + "…"
}

// lastSpace returns where the last space is, or -1.
func lastSpace(runes []rune) int {
	for i := len(runes) - 1; i >= 0; i-- {
		if runes[i] == ' ' {
			return i
		}
	}
	return -1
}

// isJoin reports whether r makes no sense before an ellipsis: punctuation, or part of a character that was cut.
func isJoin(r rune) bool {
	return unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf, unicode.Zs) || strings.ContainsRune(",;:–—-", r)
}

// oneLine replaces line breaks and other white space by single spaces, and removes what would change the direction of
// the text around it.
func oneLine(text string) string {
	return strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		switch {
		case rules.IsDirection(r):
			return -1
		case rules.IsControl(r):
			return ' '
		default:
			return r
		}
	}, text)), " ")
}
