package command

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"
	"text/tabwriter"
	"time"
	"unicode"
	"unicode/utf16"

	"github.com/sininho/sininho/pkg/rules"
	"github.com/sininho/sininho/pkg/sininho"
)

// visible makes foreign text safe for a terminal: it replaces control characters, which could move
// the cursor or forge output, and invisible ones with visible symbols. Line ends and tabs stay.
func visible(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case r < ' ':
			return 0x2400 + r
		case r == 0x7f:
			return 0x2421
		case deceives(r):
			return unicode.ReplacementChar
		}
		return r
	}, text)
}

// deceives reports whether r is a control character, or a format character that is drawn as nothing, so that texts that
// differ look the same. Joiners stay, which scripts and emoji need, and so do the signs of Arabic, which are drawn.
func deceives(r rune) bool {
	return rules.IsControl(r) ||
		unicode.Is(unicode.Cf, r) && !unicode.In(r, unicode.Join_Control, unicode.Prepended_Concatenation_Mark)
}

// oneLine is visible for text on a single line.
func oneLine(text string) string {
	return visible(strings.NewReplacer("\r\n", " ", "\n", " ", "\t", " ").Replace(text))
}

// writeJSON writes a value as a line of JSON, or the results of the --jq expression.
func (s *session) writeJSON(value any) error {
	if s.jq != nil {
		return s.writeQueried(value)
	}
	var line bytes.Buffer
	encoder := json.NewEncoder(&line)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return err
	}
	return s.writeLine(bytes.TrimSpace(line.Bytes()))
}

// writeLine writes a line of JSON. It escapes the control and invisible characters in strings, which could forge the
// output of a terminal and which the encoders leave from U+007F on.
func (s *session) writeLine(line []byte) error {
	var b strings.Builder
	for _, r := range string(line) {
		if deceives(r) {
			for _, unit := range utf16.Encode([]rune{r}) {
				fmt.Fprintf(&b, `\u%04x`, unit)
			}
			continue
		}
		b.WriteRune(r)
	}
	_, err := io.WriteString(s.out, b.String()+"\n")
	return err
}

// writeTable aligns rows under a heading.
func (s *session) writeTable(heading string, rows [][]string) error {
	t := tabwriter.NewWriter(s.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, s.bold(heading))
	for _, row := range rows {
		fmt.Fprintln(t, strings.Join(row, "\t"))
	}
	return t.Flush()
}

// writeList writes a list, at most limit items unless limit is 0: as a table, or as one line of
// JSON per item while they arrive. For an empty list it writes the message empty to stderr.
func writeList[T any](
	s *session, list iter.Seq2[T, error], limit int, empty, heading string, row func(T) []string,
) error {
	var rows [][]string
	for item, err := range list {
		if err != nil {
			return err
		}
		if s.json {
			if err := s.writeJSON(item); err != nil {
				return quiet(s, err)
			}
		}
		rows = append(rows, row(item))
		if len(rows) == limit {
			break
		}
	}
	switch {
	case s.json:
		return nil
	case len(rows) == 0:
		s.talk("%s", empty)
		return nil
	}
	return quiet(s, s.writeTable(heading, rows))
}

// writeSecret writes only the secret to stdout, so that it can be piped, or with --json all of value. The message
// for the user goes to stderr. of names the thing that the secret belongs to.
func (s *session) writeSecret(value any, secret, of, message string) error {
	if s.json {
		return quiet(s, s.writeJSON(value))
	}
	if secret == "" {
		s.talk("sininho: nothing was done: this idempotency key was used before, and the secret of %s\n"+
			"is not shown again. If it was lost, rotate it.", of)
		return errReported
	}
	s.talk("%s", message)
	_, err := fmt.Fprintln(s.out, secret)
	return quiet(s, err)
}

// quiet drops the error if the reader of stdout has closed it.
func quiet(s *session, err error) error {
	if s.out.broken() {
		return nil
	}
	if query, isQuery := errors.AsType[*queryError](err); isQuery {
		return query
	}
	if err != nil {
		return fmt.Errorf("writing: %w", err)
	}
	return nil
}

// writeFields writes the non-empty values as aligned lines of `name: value`.
func (s *session) writeFields(pairs [][2]string) error {
	t := tabwriter.NewWriter(s.out, 0, 0, 2, ' ', 0)
	for _, pair := range pairs {
		if pair[1] != "" {
			fmt.Fprintf(t, "%s:\t%s\n", pair[0], oneLine(pair[1]))
		}
	}
	return t.Flush()
}

func moment(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Local().Format("2006-01-02 15:04")
}

// linkOf returns the notification's link, or the address of the feed if the link must not be opened.
func (s *session) linkOf(n *sininho.Notification) string {
	origin := serverName(s.origin())
	if n.Link == "" || rules.MayOpen(n.Link, origin) {
		return n.Link
	}
	return origin + "/feed?notification=" + n.ID
}

// writeNotification writes a notification for people: a line, the indented body and the link.
func (s *session) writeNotification(n *sininho.Notification, remark string) error {
	b := &strings.Builder{}
	mark := ""
	if n.Importance == sininho.Important {
		mark = "! "
	}
	fmt.Fprintf(b, "%s  %s%s", moment(n.PublishedAt), mark, s.bold(oneLine(n.Title)))
	if remark != "" {
		b.WriteString("  (" + remark + ")")
	}
	b.WriteString("\n")
	for line := range strings.Lines(strings.TrimRight(n.Body, "\r\n")) {
		b.WriteString(strings.TrimRight("    "+visible(strings.TrimRight(line, "\r\n")), " ") + "\n")
	}
	if n.Link != "" {
		b.WriteString("    " + oneLine(s.linkOf(n)) + "\n")
	}
	_, err := io.WriteString(s.out, b.String())
	return err
}
