package core

import (
	"net/netip"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/sininho/sininho/pkg/rules"
)

// LinkRules determines which URLs publishers may use.
type LinkRules struct {
	// AllowLoopback allows http URLs of this machine, such as http://localhost, for development.
	AllowLoopback bool
	// Origin is the server's own origin. Notifications may link to only a few of its pages.
	Origin string
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

func (f *faults) link(pointer, s string, links LinkRules) {
	if s != "" && !links.ok(s) {
		f.add(pointer, "link", Text{"is not an https address", "não é um endereço https"})
	}
}

// destination checks the link that a notification opens.
func (f *faults) destination(pointer, s string, links LinkRules) {
	f.link(pointer, s, links)
	if s != "" && links.ok(s) && !rules.MayOpen(s, links.Origin) {
		f.add(pointer, "own_origin", Text{"leads to a page of this server that is neither the feed nor a channel",
			"leva a uma página deste servidor que não é o feed nem um canal"})
	}
}

// text rejects a NUL or invalid UTF-8, neither of which the database can store.
func (f *faults) text(pointer, s string) {
	if strings.ContainsRune(s, 0) || !utf8.ValidString(s) {
		f.add(pointer, "text", Text{"holds a NUL or is not UTF-8", "contém um NUL ou não é UTF-8"})
	}
}

// line rejects a text without visible characters.
func (f *faults) line(pointer, s string) {
	f.text(pointer, s)
	if rules.IsBlank(s) {
		f.add(pointer, "blank", Text{"is blank", "está em branco"})
	}
}

// CheckName returns the faults of a name, which is shown on one line next to other text.
func CheckName(pointer, s string) []FieldError {
	var f faults
	f.name(pointer, s)
	return f
}

// name checks a name or title, which is shown on one line next to other text.
func (f *faults) name(pointer, s string) {
	before := len(*f)
	if f.line(pointer, s); len(*f) == before && rules.HasControls(s) {
		f.add(pointer, "text", Text{"holds a line break, or another control or direction character",
			"contém uma mudança de linha, ou outro carácter de controlo ou de direção"})
	}
}

func (f *faults) length(pointer, s string, limit int) {
	if n := utf8.RuneCountInString(s); n > limit {
		f.add(pointer, "too_long", tooLong(n, limit))
	}
}
