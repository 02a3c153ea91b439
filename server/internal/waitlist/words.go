package waitlist

import (
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/mail"
)

// words writes the emails in one language, without links.
type words interface {
	confirmation() mail.Draft
	position(place, waiting int64) mail.Draft
	invitation() mail.Draft
	// account tells a person with an account that they need not wait.
	account() mail.Draft
}

var languages = core.Translate[words](portuguese{}, brazilian{}, english{})
