package command

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/urfave/cli/v2"

	"github.com/sininho/sininho/pkg/mend"
	"github.com/sininho/sininho/pkg/sininho"
)

// maxTail is how many bytes are kept of the end of a report that is longer than maxMessage.
const maxTail = 256 << 10

// report is what a program wrote to stdin.
type report struct {
	head    []byte // its beginning, at most maxMessage bytes; all of it if there is no tail
	tail    []byte
	skipped int // bytes between head and tail
}

// readReport reads stdin to its end, however long it is, and keeps its beginning and its end.
func (s *session) readReport(ctx context.Context) (r report, err error) {
	if isTerminal(s.in) {
		s.talk("Reading from the terminal; end with Ctrl-D.")
	}
	if r.head, err = readAll(ctx, s.in, maxMessage-1); err != nil {
		return r, fmt.Errorf("reading stdin: %w", err)
	}
	for full := len(r.head) == maxMessage; full; {
		chunk, err := readAll(ctx, s.in, maxMessage-1)
		if err != nil {
			return r, fmt.Errorf("reading stdin: %w", err)
		}
		full = len(chunk) == maxMessage
		r.tail = append(r.tail, chunk...)
		if cut := len(r.tail) - maxTail; cut > 0 {
			r.skipped += cut
			r.tail = bytes.Clone(r.tail[cut:])
		}
	}
	return r, nil
}

// text decodes the report and returns its beginning and its end, which is empty when the beginning is all of it.
func (r report) text() (head, tail, reason string) {
	head, reason = mend.UTF8(r.head)
	if r.skipped == 0 { // what was read in two parts is one text
		head, reason = mend.UTF8(append(bytes.Clone(r.head), r.tail...))
		return head, "", reason
	}
	start := r.tail
	if bytes.HasPrefix(r.head, []byte("\xff\xfe")) || bytes.HasPrefix(r.head, []byte("\xfe\xff")) {
		start = append(bytes.Clone(r.head[:2]), start[r.skipped%2:]...) // the mark of UTF-16, for the end too
	}
	for len(start) > 0 && !utf8.RuneStart(start[0]) {
		start = start[1:]
	}
	tail, _ = mend.UTF8(start)
	return head, tail, reason
}

// readMended sets the title and the body from a report on stdin, mended so that it can be published. Without a title of
// its own, the first line of the report is the title. What was changed is written to stderr.
func (s *session) readMended(ctx context.Context, in *sininho.PublishInput) error {
	r, err := s.readReport(ctx)
	if err != nil {
		return err
	}
	return s.mendReport(in, "stdin", r)
}

// mendReport sets the title and the body from a report, and names its source in what it writes to stderr.
func (s *session) mendReport(in *sininho.PublishInput, source string, r report) error {
	body, tail, reason := r.text()
	skipped := 0
	if in.Title == "" {
		in.Title, body = mend.SplitTitle(body)
	}
	if tail != "" {
		skipped = utf8.RuneCountInString(body) + r.skipped
		body = tail
	}
	var adjusted mend.Adjustments
	in.Title, in.Body, adjusted = mend.Texts(in.Title, body, mend.Keep{End: true, Skipped: skipped})
	if reason != "" {
		s.talk("sininho: %s %s", source, reason)
	}
	for _, each := range adjusted {
		s.talk("sininho: the %s %s", strings.TrimPrefix(each.Pointer, "#/"), each.Reason)
	}
	if in.Title == "" {
		return errUntitled(source)
	}
	return nil
}

func errUntitled(source string) error {
	return usagef("%s has no title: its first line is the title, the rest the body", source)
}

// setText sets the title and the body from an argument.
func (s *session) setText(c *cli.Context, in *sininho.PublishInput, text string) error {
	if !c.Bool("strict") {
		return s.mendReport(in, "the text", report{head: []byte(text)})
	}
	in.Title, in.Body = mend.SplitTitle(text)
	if in.Title == "" {
		return errUntitled("the text")
	}
	return nil
}

// readPiped reads the body, or with whole both title and body, from stdin.
func (s *session) readPiped(c *cli.Context, in *sininho.PublishInput, whole bool) error {
	switch {
	case !c.Bool("strict"):
		return s.readMended(c.Context, in)
	case whole:
		return s.readMessage(c.Context, in)
	default:
		body, err := s.readStdin(c.Context)
		in.Body = body
		return err
	}
}
