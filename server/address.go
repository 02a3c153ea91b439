package server

import (
	"net"
	"net/mail"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/sininho/sininho/pkg/rules"
)

// asBrowsersWrite returns an address with its host in lower case and without the default port of its scheme, because it
// is compared with addresses that browsers send.
func asBrowsersWrite(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	u.Host = strings.ToLower(u.Host)
	if port := map[string]string{"http": ":80", "https": ":443"}[u.Scheme]; port != "" {
		u.Host = strings.TrimSuffix(u.Host, port)
	}
	return u.String()
}

// checkAddresses checks the settings that are web addresses.
func (c Config) checkAddresses(p *problems) {
	for name, value := range map[string]string{
		"DEMO_WEBHOOK_URL": c.DemoWebhookURL, "POSTHOG_HOST": c.PostHogHost, "API_BASE_URL": c.APIBaseURL,
		"WAITLIST_API_BASE_URL": c.WaitlistAPIBaseURL, "PUBLIC_URL": c.PublicURL, "FCM_ENDPOINT": c.FCMEndpoint,
		"GOOGLE_AUTH_URL": c.GoogleAuthURL, "GOOGLE_TOKEN_URL": c.GoogleTokenURL,
		"GOOGLE_USERINFO_URL": c.GoogleUserInfoURL,
	} {
		if value != "" && !isHTTP(value) {
			p.add(name, "must be an http or https address")
		}
	}
	if slices.ContainsFunc(c.LinkSchemes, func(s string) bool { return !rules.CheckScheme(s) }) {
		p.add("LINK_SCHEMES", "must be schemes such as ssh,matrix in lower case, "+
			"none of which runs scripts or reads files")
	}
	if c.SupportURL != "" && !isHTTP(c.SupportURL) && !isMailto(c.SupportURL) {
		p.add("SUPPORT_URL", "must be an https address, or one such as mailto:help@example.com")
	}
	if c.SecurityContact != "" && !strings.HasPrefix(c.SecurityContact, "https://") && !isMailto(c.SecurityContact) {
		p.add("SECURITY_CONTACT", "must be an https address, or one such as mailto:security@example.com")
	}
	if isHTTP(c.APIBaseURL) && isHTTP(c.PublicURL) && originOf(c.APIBaseURL) != originOf(c.PublicURL) {
		p.add("API_BASE_URL", "must be at PUBLIC_URL's origin ("+originOf(c.PublicURL)+
			"), the only one that receives the session cookie; leave it unset to follow PUBLIC_URL")
	}
	c.checkPublicURL(p)
}

// checkPublicURL refuses a PUBLIC_URL that is more than an origin, or that browsers do not trust with the session
// cookie and with pushes.
func (c Config) checkPublicURL(p *problems) {
	if !isASCII(c.PublicURL) {
		p.add("PUBLIC_URL", "must be ASCII: write an internationalized host name as xn--…")
	}
	if c.sources["PUBLIC_URL"] == "" && !c.listensHereOnly() {
		p.add("PUBLIC_URL", "is required, unless LISTEN_ADDR is on this machine alone, such as localhost:8080")
	}
	u, err := url.Parse(c.PublicURL)
	if err != nil || !isHTTP(c.PublicURL) {
		return // reported already
	}
	if isASCII(c.PublicURL) && !isHost(u.Hostname()) {
		p.add("PUBLIC_URL", "must have the name or the IP address of a host, such as https://sininho.example.com")
	}
	if !isPort(u.Port()) && u.Port() != "" || strings.HasSuffix(u.Host, ":") {
		p.add("PUBLIC_URL", "must have a port from 1 to 65535, or none")
	}
	if u.Scheme == "http" && !rules.IsLoopback(u.Hostname()) {
		p.add("PUBLIC_URL", "must be an https address, because browsers accept the session cookie and pushes from no "+
			"other; http is for this machine alone, such as http://localhost:8080")
	}
	if *u != (url.URL{Scheme: u.Scheme, Host: u.Host}) {
		p.add("PUBLIC_URL",
			"must be an origin such as https://sininho.example.com, without a path, a query or credentials")
	}
}

// isASCII reports whether an address has nothing but ASCII, and no escapes of other characters.
func isASCII(address string) bool {
	return !strings.ContainsFunc(address, func(r rune) bool { return r > '~' || r == '%' })
}

var label = regexp.MustCompile(`^[0-9A-Za-z_]([0-9A-Za-z_-]{0,61}[0-9A-Za-z_])?$`)

// isHost reports whether a host is an IP address, or a name in the DNS. To browsers, what ends in a number is an
// address.
func isHost(host string) bool {
	if _, err := netip.ParseAddr(host); err == nil {
		return true
	}
	const longest = 253
	labels := strings.Split(strings.TrimSuffix(host, "."), ".")
	isNoLabel := func(s string) bool { return !label.MatchString(s) }
	return len(host) <= longest && !slices.ContainsFunc(labels, isNoLabel) &&
		strings.Trim(labels[len(labels)-1], "0123456789") != ""
}

func isPort(port string) bool {
	n, err := strconv.ParseUint(port, 10, 16)
	return err == nil && n > 0
}

// listensHereOnly reports whether only programs on this machine can connect to the server.
func (c Config) listensHereOnly() bool {
	host, _, err := net.SplitHostPort(c.ListenAddr)
	return err == nil && rules.IsLoopback(host)
}

func isHTTP(address string) bool {
	u, err := url.Parse(address)
	return err == nil && u.Host != "" && (u.Scheme == "http" || u.Scheme == "https")
}

func isMailto(address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "mailto" {
		return false
	}
	to, err := url.PathUnescape(u.Opaque)
	if err != nil {
		return false
	}
	_, err = mail.ParseAddressList(to)
	return err == nil
}

// originOf returns the scheme, host and port of an address returned by asBrowsersWrite.
func originOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Scheme + "://" + u.Host
}

// isDevelopment reports whether PUBLIC_URL is an http address, which only this machine can have.
func (c Config) isDevelopment() bool { return strings.HasPrefix(c.PublicURL, "http://") }
