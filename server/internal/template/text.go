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

// line makes one line of a text, without controls.
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

// title is a line of at most so many characters, cut after a word.
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

// body is a text of at most so many characters, without the empty lines that tags leave behind.
func body(s string) string {
	s = strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\x00", "")
	s = strings.TrimSpace(emptyLines.ReplaceAllString(s, "\n\n"))
	if utf8.RuneCountInString(s) <= core.MaxBody {
		return s
	}
	return string([]rune(s)[:core.MaxBody-1]) + "…"
}

// importance is important only for that very word.
func importance(s string) core.Importance {
	if strings.TrimSpace(s) == string(core.Important) {
		return core.Important
	}
	return core.Normal
}

// externalID is a line that can be kept as an id; a longer one is replaced by its hash, and so still tells things apart.
func externalID(s string) string {
	s = line(s)
	if utf8.RuneCountInString(s) > core.MaxExternalID {
		return digest(s)
	}
	return s
}

var plainID = regexp.MustCompile(`^[A-Za-z0-9._:-]{1,100}$`)

// eventID is an id that can stand in an address: what is no plain one is replaced by its hash.
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
