package sininho

import (
	"net/url"
	"strings"
)

const waitlistEntries = "/waitlist/entries/"

// safePath is a request's path with no credential in it: the token of an emailed link stands
// in the paths of the waiting list.
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
