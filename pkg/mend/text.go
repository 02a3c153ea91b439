package mend

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/sininho/sininho/pkg/rules"
)

// escapes matches the control sequences of terminals: of colours and cursors, of titles and links, and the short ones.
// A sequence that does not end loses only its beginning.
var escapes = regexp.MustCompile("(?:\x1b\\[|\u009b)[0-?]*[ -/]*[@-~]" +
	"|\x1b[\\]PX^_][^\x07\x1b\n]*(?:\x07|\x1b\\\\)" + "|\x1b[ -/]*[0-~]")

// breaks are the spellings of a line break.
var breaks = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\v", "\n", "\f", "\n",
	"\u0085", "\n", "\u2028", "\n", "\u2029", "\n")

// Line returns a text as one line without control sequences, control and direction characters.
func Line(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case rules.IsDirection(r):
			return -1
		case rules.IsControl(r):
			return ' '
		}
		return r
	}, withoutEscapes(s))
	return strings.Join(strings.Fields(s), " ")
}

// Prose returns a text of several lines without control sequences, and without control and direction characters other
// than line breaks and tabs. reason says what was removed; another spelling of line breaks is no reason.
func Prose(s string) (text, reason string) {
	text = withoutEscapes(s)
	if strings.ContainsFunc(text, rules.IsControl) {
		text = strings.Map(func(r rune) rune {
			if rules.IsProseControl(r) {
				return -1
			}
			return r
		}, breaks.Replace(text))
	}
	if n := utf8.RuneCountInString(breaks.Replace(s)) - utf8.RuneCountInString(text); n > 0 {
		reason = "had " + number(n, "character") + " of terminal control or text direction, removed"
	}
	return text, reason
}

func withoutEscapes(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	if strings.ContainsAny(s, "\x1b\u009b") {
		s = escapes.ReplaceAllString(s, "")
	}
	return s
}

// CutLine cuts a line to limit characters, after a word if possible.
func CutLine(line string, limit int) string {
	r := []rune(line)
	if len(r) <= limit {
		return line
	}
	cut := string(r[:limit-1])
	if r[limit-1] != ' ' {
		if i := strings.LastIndexByte(cut, ' '); i > len(cut)/2 {
			cut = cut[:i]
		}
	}
	return strings.TrimRight(cut, " ") + "…"
}

// cutEnd cuts the end of a text, so that limit characters are left.
func cutEnd(s string, limit int) string {
	return strings.TrimRight(string([]rune(s)[:limit-1]), " \n\t") + "…"
}

// cutStart cuts the beginning of a text, after a line if possible, and says how much there was. skipped characters were
// cut before.
func cutStart(s string, limit, skipped int) string {
	const room = 60 // for the line that says so
	r := []rune(s)
	kept := string(r[max(0, len(r)-limit+room):])
	if i := strings.IndexByte(kept, '\n'); i >= 0 && i < len(kept)/4 {
		kept = kept[i+1:]
	}
	return fmt.Sprintf("[… %s cut …]\n", number(len(r)-utf8.RuneCountInString(kept)+skipped, "character")) + kept
}

// number writes a number with its noun.
func number(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return grouped(n) + " " + noun
}

// grouped writes a number with commas between thousands.
func grouped(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

func shortened(from, to int) string {
	return fmt.Sprintf("was cut from %s to %s characters", grouped(from), grouped(to))
}
