package core

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// What a plain name has at most: more could be a message, or a telephone number.
const (
	maxPlainName   = 40
	maxPlainDigits = 6
)

// site matches what email programs take for the address of a site: "evil.example", but not "7.º B" or "St. John".
var site = regexp.MustCompile(`[\pL\pN]\.[\pL\pN]{2}`)

// PlainName returns a name that a stranger chose, if an email to somebody else may hold it, and otherwise "": when it
// could be a message, a telephone number or an address that email programs turn into a link.
func PlainName(name string) string {
	digits := 0
	for _, r := range name {
		switch {
		case unicode.IsDigit(r):
			digits++
		case unicode.IsLetter(r), unicode.IsMark(r), strings.ContainsRune(" .,-–'’&()", r):
		default:
			return ""
		}
	}
	if digits > maxPlainDigits || utf8.RuneCountInString(name) > maxPlainName || site.MatchString(name) {
		return ""
	}
	return name
}
