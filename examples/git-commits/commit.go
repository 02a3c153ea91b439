package main

import (
	"bytes"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/sininho/sininho/pkg/mend"
	"github.com/sininho/sininho/pkg/rules"
)

// commit is a commit as stored by git.
type commit struct {
	hash     string
	author   string
	at       time.Time
	parents  int
	encoding string
	// message is the whole message, byte for byte.
	message []byte
}

// parseCommit parses a commit object: header lines, a blank line, the message.
func parseCommit(hash string, object []byte) commit {
	c := commit{hash: hash}
	header, message, _ := bytes.Cut(object, []byte("\n\n"))
	c.message = message
	for line := range strings.Lines(string(header)) {
		name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		switch name {
		case "parent":
			c.parents++
		case "author":
			c.author, c.at = parseAuthor(value)
		case "encoding":
			c.encoding = value
		}
	}
	return c
}

// parseAuthor parses `Name <mail> seconds zone`. It leaves the mail address out, because a feed is public.
func parseAuthor(value string) (name string, at time.Time) {
	open, end := strings.Index(value, "<"), strings.LastIndex(value, ">")
	if open < 0 || end < open {
		return value, time.Time{}
	}
	fields := strings.Fields(value[end+1:])
	if len(fields) == 2 {
		if seconds, err := strconv.ParseInt(fields[0], 10, 64); err == nil {
			at = time.Unix(seconds, 0).In(parseZone(fields[1]))
		}
	}
	return strings.TrimSpace(value[:open]), at
}

func parseZone(text string) *time.Location {
	at, err := time.Parse("-0700", text)
	if err != nil {
		return time.UTC
	}
	return at.Location()
}

func (c commit) isUTF8() bool {
	switch strings.ToLower(c.encoding) {
	case "", "utf-8", "utf8":
		return true
	}
	return false
}

// text returns the message in a publishable form, and whether that equals every byte of it: invalid
// UTF-8 and NUL are replaced with U+FFFD, and what else no notification may contain is removed.
func (c commit) text() (text string, exact bool) {
	text = string(c.message)
	if utf8.Valid(c.message) && !strings.ContainsFunc(text, rules.IsProseControl) {
		return text, true
	}
	text, _ = mend.Prose(clean(text))
	return text, false
}

func clean(text string) string {
	var b strings.Builder
	for _, r := range text { // yields U+FFFD for each byte that is not UTF-8
		if r == 0 {
			r = utf8.RuneError
		}
		b.WriteRune(r)
	}
	return b.String()
}

// subject returns the first paragraph on one line, as git shows it.
func subject(message string) string {
	var lines []string
	for line := range strings.Lines(message) {
		line = strings.TrimSpace(line)
		if line == "" && len(lines) > 0 {
			break
		}
		if line != "" {
			lines = append(lines, line)
		}
	}
	return line(strings.Join(lines, " "))
}

// line removes what a title must not contain: control and direction characters.
func line(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case rules.IsDirection(r):
			return -1
		case rules.IsControl(r):
			return ' '
		}
		return r
	}, text)
}
