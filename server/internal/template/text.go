package template

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/sininho/sininho/pkg/rules"
	"github.com/sininho/sininho/server/internal/core"
)

// line returns s as one line without control and direction characters.
func line(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case rules.IsDirection(r):
			return -1
		case rules.IsControl(r):
			return ' '
		}
		return r
	}, s)
	return strings.Join(strings.Fields(s), " ")
}

// title returns s as a line of at most core.MaxTitle characters, cut after a word if possible.
func title(s string) string {
	r := []rune(line(s))
	if len(r) <= core.MaxTitle {
		return string(r)
	}
	cut := string(r[:core.MaxTitle-1])
	if r[core.MaxTitle-1] != ' ' {
		if i := strings.LastIndexByte(cut, ' '); i > len(cut)/2 {
			cut = cut[:i]
		}
	}
	return strings.TrimRight(cut, " ") + "…"
}

var emptyLines = regexp.MustCompile(`\n\s*\n\s*\n`)

// body returns s with at most core.MaxBody characters, and without the empty lines that tags leave behind.
func body(s string) string {
	s = strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\x00", "")
	s = strings.TrimSpace(emptyLines.ReplaceAllString(s, "\n\n"))
	if utf8.RuneCountInString(s) <= core.MaxBody {
		return s
	}
	return string([]rune(s)[:core.MaxBody-1]) + "…"
}

// importance returns core.Important for that word, with or without surrounding white space, and core.Normal for any
// other text.
func importance(s string) core.Importance {
	if strings.TrimSpace(s) == string(core.Important) {
		return core.Important
	}
	return core.Normal
}

// externalID returns s as a line that can be stored as an id. A line that is too long is replaced by its hash, which
// still distinguishes it from others.
func externalID(s string) string {
	s = line(s)
	if utf8.RuneCountInString(s) > core.MaxExternalID {
		return digest(s)
	}
	return s
}

var plainID = regexp.MustCompile(`^[A-Za-z0-9._:-]{1,100}$`)

// eventID returns an id that can be part of a URL path. Any other text is replaced by its hash.
func eventID(s string) string {
	s = line(s)
	if s == "" || plainID.MatchString(s) {
		return s
	}
	return digest(s)
}

func digest(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:16])
}
