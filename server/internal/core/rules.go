package core

import (
	"net/netip"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"
)

// LinkRules says which addresses publishers may give.
type LinkRules struct {
	// AllowLoopback lets http://localhost and its like through, for development.
	AllowLoopback bool
}

const maxLink = 2048

func (r LinkRules) ok(s string) bool {
	u, err := url.Parse(s)
	if err != nil || u.Host == "" || u.User != nil || len(s) > maxLink || strings.ContainsAny(s, " \t\r\n\"<>\\") {
		return false
	}
	return u.Scheme == "https" || r.AllowLoopback && u.Scheme == "http" && isLoopback(u.Hostname())
}

func isLoopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}

func (f *faults) link(pointer, s string, rules LinkRules) {
	if s != "" && !rules.ok(s) {
		f.add(pointer, "link", Text{"is not an https address", "não é um endereço https"})
	}
}

// text refuses what no text may hold and a database cannot keep.
func (f *faults) text(pointer, s string) {
	if strings.ContainsRune(s, 0) || !utf8.ValidString(s) {
		f.add(pointer, "text", Text{"holds a NUL or is not UTF-8", "contém um NUL ou não é UTF-8"})
	}
}

// line wants some text that can be seen.
func (f *faults) line(pointer, s string) {
	f.text(pointer, s)
	if !strings.ContainsFunc(s, visible) {
		f.add(pointer, "blank", Text{"is blank", "está em branco"})
	}
}

// CheckName answers the faults of a name that stands beside others.
func CheckName(pointer, s string) []FieldError {
	var f faults
	f.name(pointer, s)
	return f
}

// name is a line that stands beside others: it neither breaks nor turns round what follows.
func (f *faults) name(pointer, s string) {
	f.line(pointer, s)
	if strings.ContainsFunc(s, visible) && strings.ContainsFunc(s, breaksOut) {
		f.add(pointer, "text", Text{"holds a line break or another control character", "contém uma mudança de linha ou outro carácter de controlo"})
	}
}

func breaksOut(r rune) bool {
	return unicode.IsControl(r) && r != 0 || r >= '\u2028' && r <= '\u202e' || r >= '\u2066' && r <= '\u2069'
}

// blanks are letters and symbols by Unicode's categories, and yet show nothing: Hangul fillers and the empty Braille cell.
const blanks = "\u115f\u1160\u3164\uffa0\u2800"

func visible(r rune) bool {
	return unicode.In(r, unicode.L, unicode.N, unicode.P, unicode.S) && !strings.ContainsRune(blanks, r)
}

func (f *faults) length(pointer, s string, limit int) {
	if n := utf8.RuneCountInString(s); n > limit {
		f.add(pointer, "too_long", tooLong(n, limit))
	}
}
