package emailsignin

import (
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/emails"
)

// words writes the emails in one language, without links.
type words interface {
	// signIn has the code to sign in with.
	signIn(code string) emails.Draft
	// addAddress has the code that adds the address to an account.
	addAddress(code string) emails.Draft
}

var languages = core.Translate[words](portuguese{}, brazilian{}, english{})
