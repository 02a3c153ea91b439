package sininho

import (
	"net/url"
	"strings"
)

const waitlistEntries = "/waitlist/entries/"

// safePath returns a request's path without credentials: the paths of the waiting list contain the
// token of an emailed link.
func safePath(u *url.URL) string {
	before, entry, found := strings.Cut(u.Path, waitlistEntries)
	token, after, _ := strings.Cut(entry, "/")
	if !found || token == "export" {
		return u.Path
	}
	if after != "" {
		after = "/" + after
	}
	return before + waitlistEntries + "{token}" + after
}
