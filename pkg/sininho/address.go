package sininho

import (
	"strings"

	"github.com/sininho/sininho/pkg/rules"
)

// Address identifies a channel by the slugs of its publisher and of the channel itself, in the form
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
		"must have the form publisher/channel, each in lower-case letters, digits and single hyphens, "+
			"such as demo/novidades; got "+quote(text))
}

// IsSlug reports whether s can be a slug: lower-case letters and digits, in words joined by single
// hyphens, at most 63 characters.
func IsSlug(s string) bool { return rules.IsSlug(s) }
