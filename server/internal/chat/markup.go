package chat

import (
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// held stands for a part of a text whose characters are no markup, such as an address.
const held = "\uE000"

// hold replaces what matches by held, calls plain for the text of each match, and returns a function that puts these
// texts into the result.
func hold(pattern *regexp.Regexp, s string, plain func(groups []string) string) (string, func(string) string) {
	s = strings.ReplaceAll(s, held, "")
	var texts []string
	s = pattern.ReplaceAllStringFunc(s, func(match string) string {
		texts = append(texts, strings.ReplaceAll(plain(pattern.FindStringSubmatch(match)), held, ""))
		return held
	})
	return s, func(s string) string {
		var b strings.Builder
		for _, text := range texts {
			before, after, _ := strings.Cut(s, held)
			b.WriteString(before + text)
			s = after
		}
		b.WriteString(s)
		return b.String()
	}
}

// strip removes pairs of a marker around text within a line. Markers of one character count only at the edges of
// words, as in Slack and Discord: snake_case and 2*3*4 have none.
func strip(s, marker string) string {
	if !strings.Contains(s, marker) {
		return s
	}
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		lines[i] = stripLine(line, marker)
	}
	return strings.Join(lines, "\n")
}

func stripLine(line, marker string) string {
	var b strings.Builder
	for from := 0; ; {
		start := markerAt(line, marker, from, opens)
		if start < 0 {
			b.WriteString(line[from:])
			return b.String()
		}
		inner := start + len(marker)
		end := markerAt(line, marker, inner+1, closes)
		if end < 0 { // and then there is none for a later one either
			b.WriteString(line[from:])
			return b.String()
		}
		b.WriteString(line[from:start] + line[inner:end])
		from = end + len(marker)
	}
}

// markerAt returns the place of the next marker that is of a kind, or -1.
func markerAt(line, marker string, from int, is func(before, after rune, atEdge bool) bool) int {
	for from < len(line) {
		i := strings.Index(line[from:], marker)
		if i < 0 {
			return -1
		}
		at := from + i
		before, _ := utf8.DecodeLastRuneInString(line[:at])
		after, _ := utf8.DecodeRuneInString(line[at+len(marker):])
		if is(before, after, len(marker) == 1) {
			return at
		}
		from = at + len(marker)
	}
	return -1
}

// opens and closes get utf8.RuneError for the start and the end of a line.
func opens(before, after rune, atEdge bool) bool {
	return after != utf8.RuneError && !unicode.IsSpace(after) && (!atEdge || !isWord(before))
}

func closes(before, after rune, atEdge bool) bool {
	return !unicode.IsSpace(before) && (!atEdge || !isWord(after))
}

func isWord(r rune) bool { return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r)) }

var entities = strings.NewReplacer("&lt;", "<", "&gt;", ">", "&amp;", "&")

// slackMarkup matches code, links, mentions and dates: https://docs.slack.dev/messaging/formatting-message-text.
var slackMarkup = regexp.MustCompile("(?s)```(.*?)```|`([^`\\n]+)`|" +
	`<((?:https?://|mailto:|tel:|[@#!])[^<>|\n]*)(?:\|([^<>]*))?>|(https?://[^\s<>|]+)`)

// mrkdwn returns the text of Slack's markup.
func (w *writer) mrkdwn(s string) string {
	s, restore := hold(slackMarkup, s, func(groups []string) string {
		block, code, target, label, bare := groups[1], groups[2], groups[3], groups[4], groups[5]
		switch {
		case bare != "":
			return w.linked("", entities.Replace(bare))
		case target == "":
			return strings.Trim(block, "\n") + code
		case strings.ContainsAny(target[:1], "@#!"):
			return mention(target, label)
		default:
			address := entities.Replace(target)
			return w.linked(label, strings.TrimPrefix(strings.TrimPrefix(address, "mailto:"), "tel:"))
		}
	})
	for _, marker := range []string{"*", "_", "~"} {
		s = strip(s, marker)
	}
	return entities.Replace(restore(s))
}

// mention returns the text of a mention or a date. Whom Slack would ring, and the ids of people and channels, say
// nothing to readers.
func mention(target, label string) string {
	switch {
	case strings.HasPrefix(target, "!date^"):
		return label
	case label != "" && strings.HasPrefix(label, target[:1]) || strings.HasPrefix(target, "!subteam^"):
		return label
	case label != "" && target[0] != '!':
		return target[:1] + label
	default: // <!channel>, or an id
		return ""
	}
}

// discordMarkup matches escapes, code, links, mentions, emoji and times:
// https://discord.com/developers/docs/reference#message-formatting.
var discordMarkup = regexp.MustCompile("(?s)\\\\([\\\\*_~|`>#\\[\\]()<-])|" +
	"```(?:[A-Za-z0-9+#.-]*\\n)?(.*?)```|`([^`\\n]+)`|" +
	`\[([^\[\]\n]+)\]\(<?(https?://[^\s<>()]+)>?(?: "[^"\n]*")?\)|<(https?://[^\s<>]+)>|(https?://[^\s<>]+)|` +
	`<(?:@[!&]?|#)\d+>|<a?(:\w+:)\d+>|<t:(-?\d{1,12})(?::[a-zA-Z])?>`)

var headings = regexp.MustCompile(`(?m)^(?:#{1,3}|-#) `)

// markdown returns the text of Discord's markup.
func (w *writer) markdown(s string) string {
	s, restore := hold(discordMarkup, s, func(groups []string) string {
		escaped, block, code, label, address := groups[1], groups[2], groups[3], groups[4], groups[5]
		quiet, bare, emoji, at := groups[6], groups[7], groups[8], groups[9]
		switch {
		case address != "":
			return w.linked(label, address)
		case quiet+bare != "":
			return w.linked("", quiet+bare)
		case at != "":
			seconds, _ := strconv.ParseInt(at, 10, 64) // only digits match
			return time.Unix(seconds, 0).UTC().Format("2006-01-02 15:04 UTC")
		default:
			return escaped + strings.Trim(block, "\n") + code + emoji
		}
	})
	s = headings.ReplaceAllString(s, "")
	for _, marker := range []string{"**", "__", "~~", "||", "*", "_"} {
		s = strip(s, marker)
	}
	return restore(s)
}
