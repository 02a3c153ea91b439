package membership

import (
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/emails"
)

// words writes the email in one language, without links. It names the publisher by its slug.
type words interface {
	invitation(slug string, role core.Role, expiry time.Time) emails.Draft
}

var languages = core.Translate[words](portuguese{}, brazilian{}, english{})
