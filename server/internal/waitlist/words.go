package waitlist

import (
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/emails"
)

// words writes the emails in one language, without links.
type words interface {
	confirmation() emails.Draft
	position(place, waiting int64) emails.Draft
	invitation() emails.Draft
	// account tells a person with an account that they need not wait.
	account() emails.Draft
}

var languages = core.Translate[words](portuguese{}, brazilian{}, english{})
