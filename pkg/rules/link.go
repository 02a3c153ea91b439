package rules

import (
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"
)

// MaxLink is the length limit of a link, in bytes.
const MaxLink = 2048

// Links determines which links publishers may use.
type Links struct {
	// AllowLoopback allows http links to this machine, such as http://localhost, for development.
	AllowLoopback bool
	// HTTPPictures allows pictures at http addresses, which the server's picture proxy serves by https.
	HTTPPictures bool
	// Schemes of links that notifications may have besides http, https, mailto and tel, such as ssh.
	Schemes []string
	// AnyScheme leaves the choice of schemes to somebody else, as clients leave it to the server.
	AnyScheme bool
	// Origin is the server's own origin. Notifications may link to only a few of its pages. It may be empty if unknown.
	Origin string
}

// Allow reports whether the link is one to an https page, as those of profiles are.
func (l Links) Allow(link string) bool { return l.parse(link, false) != nil }

// AllowPicture reports whether a picture may have the address.
func (l Links) AllowPicture(address string) bool { return l.parse(address, l.HTTPPictures) != nil }

// parse returns nil when the link is not allowed.
func (l Links) parse(link string, http bool) *url.URL {
	u := parseLink(link)
	if u == nil || u.Host == "" || u.User != nil {
		return nil
	}
	if u.Scheme == "https" || u.Scheme == "http" && (http || l.AllowLoopback && IsLoopback(u.Hostname())) {
		return u
	}
	return nil
}

// parseLink returns nil for a text that is too long for a link, or has characters that must be escaped in one.
func parseLink(link string) *url.URL {
	u, err := url.Parse(link)
	if err != nil || len(link) > MaxLink || !utf8.ValidString(link) || strings.ContainsFunc(link, mustEscape) {
		return nil
	}
	return u
}

// mustEscape reports whether links have a character only in its escaped form.
func mustEscape(r rune) bool { return strings.ContainsRune(" \"<>\\", r) || IsControl(r) }

// IsLoopback reports whether a host name or address is one of this machine.
func IsLoopback(host string) bool {
	address, ok := parseAddr(host)
	return host == "localhost" || ok && address.IsLoopback()
}

// parseAddr is netip.ParseAddr without its error, which is expensive for the many hosts that are names.
func parseAddr(host string) (address netip.Addr, ok bool) {
	if host == "" || !isDigit(host[len(host)-1]) && !strings.Contains(host, ":") {
		return address, false
	}
	address, err := netip.ParseAddr(host)
	return address, err == nil
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// Link rejects a link that is neither empty nor allowed.
func (f *Faults) Link(pointer, link string, links Links) {
	if link != "" && !links.Allow(link) {
		f.Add(pointer, "link", NotLink())
	}
}

// Picture rejects the address of a picture that is neither empty nor allowed.
func (f *Faults) Picture(pointer, address string, links Links) {
	switch {
	case address == "" || links.AllowPicture(address):
	case links.HTTPPictures:
		f.Add(pointer, "link", Text{"must be an https or http address, such as https://example.com/picture.png",
			"tem de ser um endereço https ou http, como https://example.com/imagem.png"})
	default:
		f.Add(pointer, "link", NotLink())
	}
}

// NotLink returns the text for a link that is not allowed.
func NotLink() Text {
	return Text{"must be an https address, such as https://example.com/page",
		"tem de ser um endereço https, como https://example.com/pagina"}
}

// NotDestination returns the text for a link that a notification must not have.
func NotDestination() Text {
	return Text{"must be an https, http, mailto or tel address, such as https://example.com/page",
		"tem de ser um endereço https, http, mailto ou tel, como https://example.com/pagina"}
}

// Destination checks the link that a notification opens.
func (f *Faults) Destination(pointer, link string, links Links) {
	if link == "" {
		return
	}
	switch to := parseLink(link); {
	case to == nil || !links.opens(to):
		f.Add(pointer, "link", NotDestination())
	case !isWeb(to):
	case !links.AllowLoopback && leadsHome(hostOf(to)):
		f.Add(pointer, "loopback", Text{"leads to the machine of whoever opens it",
			"leva à máquina de quem a abre"})
	case !mayOpen(to, links.Origin):
		f.Add(pointer, "own_origin", Text{
			"leads to a page of this server that is neither the feed nor a channel or publisher",
			"leva a uma página deste servidor que não é o feed, nem um canal, nem um publicador"})
	}
}

// opens reports whether a notification may have a link of this scheme, which has what such links need.
func (l Links) opens(to *url.URL) bool {
	switch {
	case isWeb(to):
		return to.Host != "" && to.User == nil
	case isContact(to):
		return true
	case to.Opaque+to.Host+to.Path == "":
		return false
	default:
		return CheckScheme(to.Scheme) && (l.AnyScheme || slices.Contains(l.Schemes, to.Scheme))
	}
}

func isWeb(to *url.URL) bool { return to.Scheme == "https" || to.Scheme == "http" }

// isContact reports whether a link begins an email or a call.
func isContact(to *url.URL) bool {
	return (to.Scheme == "mailto" || to.Scheme == "tel") && to.Opaque != ""
}

var scheme = regexp.MustCompile(`^[a-z][a-z0-9+.-]*$`)

// CheckScheme reports whether links of a scheme can be allowed: not those that run a script, show what they contain, or
// read files.
func CheckScheme(name string) bool {
	return scheme.MatchString(name) && !slices.Contains([]string{
		"javascript",
		"vbscript",
		"livescript",
		"data",
		"blob",
		"file",
		"filesystem",
		"about",
		"view-source",
		"jar",
		"chrome",
	}, name)
}

const slugPattern = `[a-z0-9]+(-[a-z0-9]+)*`

// page matches the web app pages that a notification may link to: the feed, the list of channels, a publisher, a
// channel and a notification.
var page = regexp.MustCompile(
	`^/(feed|channels(/` + slugPattern + `(/` + slugPattern + `(/[0-9a-f-]{36})?)?)?)$`)

// MayOpen reports whether a notification's link may be opened. A link to the origin of the Sininho server
// itself, such as https://sininho.example.com, may lead only to the feed, to channels and to publishers, because other
// pages act on behalf of the reader. Every spelling that browsers accept for that origin counts as that origin.
func MayOpen(link, origin string) bool {
	to, err := url.Parse(link)
	return err == nil && !strings.ContainsAny(link, "\\ \t\r\n") && (isContact(to) || mayOpen(to, origin))
}

// IsPage reports whether a link leads to a web page, not to an email or a call.
func IsPage(link string) bool {
	to, err := url.Parse(link)
	return err == nil && (isWeb(to) || to.Scheme == "")
}

// IsAt reports whether an address is at an origin, in whichever spelling clients accept; the scheme does not matter.
func IsAt(address, origin string) bool {
	to, err := url.Parse(address)
	own, ownErr := url.Parse(origin)
	return err == nil && ownErr == nil && own.Host != "" && hostOf(to) == hostOf(own) && portOf(to) == portOf(own)
}

func mayOpen(to *url.URL, origin string) bool {
	own, err := url.Parse(origin)
	if err != nil {
		return false
	}
	if to = own.ResolveReference(to); to.Host == "" {
		return false
	}
	host, ownHost := hostOf(to), hostOf(own)
	switch {
	case isOddNumber(host):
		return false
	case onLoopback(host) && onLoopback(ownHost):
		if portOf(to) != portOf(own) {
			return true // another program on this machine
		}
	case host != ownHost:
		return true
	}
	same := host == ownHost && to.Scheme == own.Scheme && portOf(to) == portOf(own) && to.User == nil
	return same && page.MatchString(to.EscapedPath())
}

var lookup = idna.New(idna.MapForLookup(), idna.Transitional(false), idna.StrictDomainName(false))

// hostOf returns the host as browsers compare it: lower-case ASCII without a final dot.
func hostOf(u *url.URL) string {
	host := u.Hostname()
	if strings.ContainsFunc(host, isMapped) {
		if mapped, err := lookup.ToASCII(host); err == nil {
			host = mapped
		}
	}
	host = strings.TrimRight(strings.ToLower(host), ".")
	if address, ok := parseAddr(host); ok {
		return address.Unmap().String()
	}
	return host
}

// isMapped reports whether browsers may read a character of a host as another one.
func isMapped(r rune) bool {
	return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '.' && r != '-'
}

// isOddNumber reports whether browsers read the host as an IPv4 address although it is not four decimal numbers.
func isOddNumber(host string) bool {
	last := host[strings.LastIndexByte(host, '.')+1:]
	if last == "" || !isDigit(last[0]) {
		return false
	}
	if _, ok := parseAddr(host); ok {
		return false
	}
	_, hexErr := strconv.ParseUint(last, 0, 64)
	return hexErr == nil || strings.Trim(last, "0123456789") == ""
}

// onLoopback is IsLoopback for hosts as browsers resolve them.
func onLoopback(host string) bool { return IsLoopback(host) || strings.HasSuffix(host, ".localhost") }

// leadsHome reports whether a host is the machine of whoever opens a link to it.
func leadsHome(host string) bool {
	address, ok := parseAddr(host)
	return onLoopback(host) || ok && address.IsUnspecified()
}

// portOf returns the port, or the default port of the scheme if none is given, or -1 for an unknown scheme.
func portOf(u *url.URL) int {
	if u.Port() == "" {
		switch u.Scheme {
		case "https":
			return 443
		case "http":
			return 80
		}
	}
	port, err := strconv.Atoi(u.Port())
	if err != nil {
		return -1
	}
	return port
}
