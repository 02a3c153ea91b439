package main

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/sininho/sininho/pkg/rules"
	"github.com/sininho/sininho/pkg/sininho"
)

const (
	noSubject = "(sem assunto)"
	ellipsis  = "…"
)

// messages converts a commit to notifications: one or, if the message is longer than a body may be,
// numbered parts whose joined bodies are the message.
func messages(c commit, link string) (inputs []sininho.PublishInput, exact bool) {
	text, exact := c.text()
	parts := split(text, sininho.MaxBody)
	for i, part := range parts {
		id, suffix := c.hash, ""
		if len(parts) > 1 {
			suffix = fmt.Sprintf(" (%d/%d)", i+1, len(parts))
		}
		if i > 0 {
			id += "/" + strconv.Itoa(i+1)
		}
		inputs = append(inputs, sininho.PublishInput{
			Title: title(text, suffix), Body: part, ExternalID: id,
			Link: strings.ReplaceAll(link, "{hash}", c.hash), Data: data(c),
		})
	}
	return inputs, exact
}

func data(c commit) map[string]string {
	values := map[string]string{"hash": c.hash}
	if c.author != "" {
		values["author"] = cut(clean(c.author), sininho.MaxDataValue)
	}
	if !c.at.IsZero() {
		values["date"] = c.at.Format(time.RFC3339)
	}
	if c.parents > 1 {
		values["parents"] = strconv.Itoa(c.parents)
	}
	return values
}

func title(message, suffix string) string {
	text := subject(message)
	if rules.IsBlank(text) {
		text = noSubject // a title must be visible
	}
	return cut(text, sininho.MaxTitle-utf8.RuneCountInString(suffix)) + suffix
}

// cut shortens text to at most limit characters, ending with an ellipsis if it was shortened.
func cut(text string, limit int) string {
	if utf8.RuneCountInString(text) <= limit {
		return text
	}
	runes := []rune(text)
	end := limit - 1
	for end > 0 && joins(runes, end) {
		end--
	}
	if end == 0 {
		end = limit - 1
	}
	return strings.TrimRight(string(runes[:end]), " ") + ellipsis
}

// lookBack is how far before the limit to look for a better place to split, in characters.
const lookBack = 2000

// split splits text into parts of at most limit characters, after a line end if one is near, and if
// possible never inside what is displayed as one character. An empty text is one empty part.
func split(text string, limit int) []string {
	runes := []rune(text)
	if len(runes) <= limit {
		return []string{text}
	}
	var parts []string
	for len(runes) > limit {
		end := splitAt(runes, limit)
		parts = append(parts, string(runes[:end]))
		runes = runes[end:]
	}
	return append(parts, string(runes))
}

func splitAt(runes []rune, limit int) int {
	lowest := max(1, limit-min(lookBack, limit/2))
	for end := limit; end > lowest; end-- {
		if runes[end-1] == '\n' {
			return end
		}
	}
	for end := limit; end > lowest; end-- {
		if !joins(runes, end) {
			return end
		}
	}
	return limit
}

// joins reports whether the characters before and after i are displayed as one: a letter and its
// accent, the parts of an emoji, two halves of a flag, CR LF.
func joins(runes []rune, i int) bool {
	if i <= 0 || i >= len(runes) {
		return false
	}
	before, after := runes[i-1], runes[i]
	const joiner = 0x200d
	switch {
	case before == joiner || after == joiner, unicode.Is(unicode.M, after):
		return true
	case 0x1f3fb <= after && after <= 0x1f3ff: // skin tones
		return true
	case isFlagHalf(before) && isFlagHalf(after):
		return true
	}
	return before == '\r' && after == '\n'
}

func isFlagHalf(r rune) bool { return 0x1f1e6 <= r && r <= 0x1f1ff }
