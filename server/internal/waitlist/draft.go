package waitlist

import (
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/emails"
)

// draft returns the email that the status of an entry calls for.
func (s *Emails) draft(e Entry, waiting int64) emails.Draft {
	language := core.LanguageOf(e.Locale)
	words, token := languages.In(language), s.tokens.entry(e.ID)
	var d emails.Draft
	switch e.Status {
	case Unconfirmed:
		d = words.confirmation()
		d.URL = s.links.entry(token)
	case Waiting:
		d = words.position(e.Position, waiting)
		d.URL, d.Share = s.links.entry(token), s.links.referral(e.ReferralCode)
	case Invited:
		d = words.invitation()
		d.URL = s.links.invitation(s.tokens.invitation(e.ID))
	default:
		return s.account(e.Locale)
	}
	d.Language, d.LeaveURL = language, s.links.leave(token)
	return d
}

// account returns the email to a person with an account.
func (s *Emails) account(locale string) emails.Draft {
	language := core.LanguageOf(locale)
	d := languages.In(language).account()
	d.Language, d.URL = language, s.links.login()
	return d
}
