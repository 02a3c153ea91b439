package emails

import (
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

// words writes the emails in one language, without links.
type words interface {
	// signIn has the code to sign in with.
	signIn(code string) draft
	// addAddress has the code that adds the address to an account.
	addAddress(code string) draft
	// membership names the publisher by its slug.
	membership(slug string, role core.Role, expiry time.Time) draft
	// channelInvitation names the channel by its address.
	channelInvitation(address string, approval bool, expiry time.Time) draft
	// publisherRequest names the publisher by its slug, and has the operators' answer to a refused request.
	publisherRequest(slug string, approved bool, answer string) draft
	// The others are to the waiting list.
	confirmation() draft
	position(place, waiting int64) draft
	invitation() draft
	// account tells a person with an account that they need not wait.
	account() draft
}

var languages = core.Translate[words](portuguese{}, brazilian{}, english{})
