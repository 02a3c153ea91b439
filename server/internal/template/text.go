package template

import (
	"regexp"
	"strings"

	"github.com/sininho/sininho/pkg/mend"
)

var emptyLines = regexp.MustCompile(`\n\s*\n\s*\n`)

// body returns s without the empty lines that tags leave behind.
func body(s string) string {
	return strings.TrimSpace(emptyLines.ReplaceAllString(strings.ReplaceAll(s, "\r\n", "\n"), "\n\n"))
}

var plainID = regexp.MustCompile(`^[A-Za-z0-9._:-]{1,100}$`)

// eventID returns an id that can be part of a URL path. Any other text is replaced by its hash.
func eventID(s string) string {
	s = mend.Line(s)
	if s == "" || plainID.MatchString(s) {
		return s
	}
	return mend.Digest(s)
}
