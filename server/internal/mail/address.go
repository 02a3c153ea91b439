package mail

import (
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/net/idna"

	"github.com/sininho/sininho/pkg/rules"
)

// address is a mail server as SMTP_URL names it.
type address struct {
	host           string
	port           int
	tlsFirst       bool // TLS from the first byte, instead of STARTTLS
	user, password string
	hasLogin       bool
}

const (
	submission  = 587
	submissions = 465
)

// tlsPorts are those whose use of TLS is known, whatever the scheme says: true begins with it, false upgrades to it.
var tlsPorts = map[int]bool{submissions: true, 2465: true, 25: false, submission: false, 2525: false, 2587: false}

var (
	errURL      = errors.New("is not an address such as smtp://user:password@host:587 or smtps://host:465")
	errPercent  = errors.New("has a % that may be an escape or itself: write %25 for each % of the user and password")
	errPassword = errors.New("has a user but no password, as in smtp://user:password@host:587; a : in the user is %3A")
	hostAndPort = regexp.MustCompile(`^(\[[0-9a-fA-F:.]+\]|[^\s/?#:\[\]]+)(?::([0-9]+))?/?$`)
)

// CheckURL returns an error if the address of a mail server is invalid, or does not fit the mode.
func CheckURL(smtpURL string, mode TLSMode) error {
	a, err := parseAddress(smtpURL)
	if err != nil {
		return err
	}
	if mode == TLSOff && a.tlsFirst {
		return fmt.Errorf("begins with TLS on port %d, which SMTP_TLS=off excludes", a.port)
	}
	return nil
}

// parseAddress parses an SMTP_URL. Passwords are often pasted as they are, so the last @ begins the host, the first :
// ends the user, and only a percent sign can be ambiguous.
func parseAddress(s string) (a address, err error) {
	scheme, rest, ok := strings.Cut(s, "://")
	scheme = strings.ToLower(scheme)
	if !ok || scheme != "smtp" && scheme != "smtps" {
		return a, errURL
	}
	if i := strings.LastIndexByte(rest, '@'); i >= 0 {
		if err := a.login(rest[:i]); err != nil {
			return a, err
		}
		rest = rest[i+1:]
	}
	parts := hostAndPort.FindStringSubmatch(rest)
	if parts == nil {
		return a, errURL
	}
	if a.host, err = host(parts[1]); err != nil {
		return a, err
	}
	a.tlsFirst, a.port = scheme == "smtps", submission
	if a.tlsFirst {
		a.port = submissions
	}
	if parts[2] == "" {
		return a, nil
	}
	if a.port, err = strconv.Atoi(parts[2]); err != nil || a.port < 1 || a.port > 65535 {
		return a, fmt.Errorf("has the port %s, which is not one of 1 to 65535", parts[2])
	}
	if first, known := tlsPorts[a.port]; known {
		a.tlsFirst = first
	}
	return a, nil
}

// login parses user:password.
func (a *address) login(s string) (err error) {
	user, password, ok := strings.Cut(s, ":")
	if !ok || user == "" || password == "" {
		return errPassword
	}
	a.hasLogin = true
	if a.user, err = unescape(user); err != nil {
		return err
	}
	a.password, err = unescape(password)
	return err
}

// unescape decodes percent-encoding. A text in which no % can be an escape means itself.
func unescape(s string) (string, error) {
	decoded, err := url.PathUnescape(s)
	if err == nil {
		return decoded, nil
	}
	if escape.MatchString(s) {
		return "", errPercent
	}
	return s, nil
}

var escape = regexp.MustCompile(`%[0-9a-fA-F]{2}`)

// host returns a host as it is dialled: an address without brackets, or a name in ASCII.
func host(s string) (string, error) {
	if ip, ok := strings.CutPrefix(s, "["); ok {
		if _, err := netip.ParseAddr(strings.TrimSuffix(ip, "]")); err != nil {
			return "", errURL
		}
		return strings.TrimSuffix(ip, "]"), nil
	}
	name, err := idna.Lookup.ToASCII(s)
	if err != nil && !isASCII(s) {
		return "", errURL
	}
	if err != nil { // such as mail_relay, which is a name in many networks of containers
		name = s
	}
	if strings.ContainsAny(name, "%\\\"<>^`{|}") {
		return "", errURL
	}
	return name, nil
}

func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r > '~' })
}

func (a address) isLoopback() bool { return rules.IsLoopback(a.host) }
