package sininho

import "strings"

// Address identifies a channel by its publisher's slug and its own. It is written
// `publisher/channel`, for example demo/novidades.
type Address struct {
	Publisher string
	Channel   string
}

// String returns the address as publisher/channel.
func (a Address) String() string { return a.Publisher + "/" + a.Channel }

// ParseAddress parses publisher/channel. It fails with an [*InputError] that describes the form of an address.
func ParseAddress(text string) (Address, error) {
	publisher, channel, _ := strings.Cut(text, "/")
	if IsSlug(publisher) && IsSlug(channel) {
		return Address{Publisher: publisher, Channel: channel}, nil
	}
	return Address{}, inputFault("channel", "invalid_address",
		"must be written publisher/channel, each in lower-case letters, digits and single hyphens, as demo/novidades; got "+quote(text))
}

const maxSlug = 63

// IsSlug reports whether s can be a slug: lower-case letters and digits, in words joined by single
// hyphens, at most 63 characters.
func IsSlug(s string) bool {
	if s == "" || len(s) > maxSlug || strings.Contains(s, "--") || s[0] == '-' || s[len(s)-1] == '-' {
		return false
	}
	for _, r := range s {
		if (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '-' {
			return false
		}
	}
	return true
}
