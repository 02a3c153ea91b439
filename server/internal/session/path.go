package session

import (
	"net/url"
	"strings"
)

const maxPath = 500 // so that the cookie of one sign-in stays within 4,096 bytes

// safePath is the path of this server to return to, or "/" where it would lead elsewhere.
func safePath(path string) string {
	if !strings.HasPrefix(path, "/") || strings.HasPrefix(path, "//") || len(path) > maxPath {
		return "/"
	}
	for _, c := range []byte(path) {
		if c <= ' ' || c > '~' || c == '\\' { // browsers read \ as / and leave out what cannot be seen
			return "/"
		}
	}
	if _, err := url.Parse(path); err != nil {
		return "/"
	}
	return path
}

// landing is where a sign-in ends: whoever is new begins with the onboarding, unless something else was asked for.
func landing(path string, onboarded bool) string {
	if !onboarded && (path == "/" || path == "/feed") {
		return "/onboarding"
	}
	return path
}

// Why a sign-in failed, for the page /login.
const (
	failedState       = "state"       // not begun by this browser, finished before, or too long ago
	failedDenied      = "denied"      // by the person or by Google
	failedUnavailable = "unavailable" // something did not answer
	failedUninvited   = "uninvited"   // new, and not invited where only those may sign up
)

// failure is the page that says why signing in failed and offers to try again for the same path, with the same invitation.
func failure(why, path, invitation string) string {
	query := url.Values{}
	page, err := url.Parse(path)
	if err == nil && page.Path == "/login" {
		query = page.Query() // it was the page itself that asked, and knows where to go
	} else if path != "/" {
		query.Set("redirect", path)
	}
	if invitation != "" && why != failedUninvited {
		query.Set("invitation", invitation)
	}
	query.Set("error", why)
	return "/login?" + query.Encode()
}

const (
	maxInvitation = 64
	tokenAlphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_"
)

// safeInvitation is an invitation's token, or nothing where it cannot be one.
func safeInvitation(token string) string {
	if len(token) > maxInvitation || strings.ContainsFunc(token, func(r rune) bool { return !strings.ContainsRune(tokenAlphabet, r) }) {
		return ""
	}
	return token
}
