package session

import (
	"net/url"
	"strings"
)

const maxPath = 500 // keeps the cookie of one sign-in within 4,096 bytes

// safePath returns path if it stays on this server, otherwise "/".
func safePath(path string) string {
	if !strings.HasPrefix(path, "/") || strings.HasPrefix(path, "//") || len(path) > maxPath {
		return "/"
	}
	for _, c := range []byte(path) {
		if c <= ' ' || c > '~' || c == '\\' { // browsers read \ as / and ignore invisible characters
			return "/"
		}
	}
	if _, err := url.Parse(path); err != nil {
		return "/"
	}
	return path
}

// landing returns the page after a sign-in: onboarding for a new subscriber, unless another page was requested.
func landing(path string, onboarded bool) string {
	if !onboarded && (path == "/" || path == "/feed") {
		return "/onboarding"
	}
	return path
}

// Reasons why a sign-in failed, for the page /login. The codes of conflicts, such as known_address, are others.
const (
	failedState       = "state"       // not begun by this browser, already finished, or expired
	failedDenied      = "denied"      // by the person or by the provider
	failedUnavailable = "unavailable" // the provider or the database failed
	failedUninvited   = "uninvited"   // a new person without an invitation where one is required
	failedUnverified  = "unverified"  // the provider does not say that the email address is verified
	failedNoEmail     = "no_email"    // the provider gives no email address
	failedSuspended   = "suspended"   // an operator has suspended the account
	failedUnsaved     = "unsaved"     // the browser follows channels without an account, and nobody asked to save them
	failedFull        = "full"        // the account would follow too many channels, or have too many devices
)

// failure returns the address of the page that shows why signing in failed and offers to retry with the same path and
// invitation.
func failure(why, path, invitation string) string {
	query := url.Values{}
	page, err := url.Parse(path)
	if err == nil && page.Path == "/login" {
		query = page.Query() // signing in began on this page, which keeps its own redirect
	} else if path != "/" {
		query.Set("redirect", path)
	}
	if invitation != "" && why != failedUninvited {
		query.Set("invitation", invitation)
	}
	query.Set("error", why)
	return "/login?" + query.Encode()
}

// withQuery adds a parameter to a path.
func withQuery(path, name, value string) string {
	u, err := url.Parse(path)
	if err != nil {
		return "/"
	}
	query := u.Query()
	query.Set(name, value)
	u.RawQuery = query.Encode()
	return u.String()
}

const (
	maxInvitation = 64
	tokenAlphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_"
)

// safeInvitation returns token if it can be an invitation's token, otherwise "".
func safeInvitation(token string) string {
	if len(token) > maxInvitation ||
		strings.ContainsFunc(token, func(r rune) bool { return !strings.ContainsRune(tokenAlphabet, r) }) {
		return ""
	}
	return token
}
