package emails

import (
	"context"

	"github.com/sininho/sininho/server/internal/core"
)

// Waitlist finds the people on the waiting list.
type Waitlist interface {
	// EmailPlace returns the place of an entry. It fails with CodeNotFound when the person has left.
	EmailPlace(ctx context.Context, id core.ID) (Place, error)
}

// Place is what emails say to a person on the waiting list.
type Place struct {
	Kind              Kind // of the email that their status calls for
	To, Locale        string
	Position, Waiting int64
	URL               string // where the email leads
	ReferralURL       string // to share
	LeaveURL          string
}

// place writes an email to a person on the waiting list, unless their status calls for another one.
func (s *Sender) place(ctx context.Context, e Email) (draft, error) {
	p, err := s.Waitlist.EmailPlace(ctx, e.About)
	if err != nil || p.Kind != e.Kind {
		return draft{}, err
	}
	language := core.LanguageOf(p.Locale)
	words := languages.In(language)
	var d draft
	switch e.Kind {
	case Confirmation:
		d = words.confirmation()
	case Position:
		d = words.position(p.Position, p.Waiting)
		d.Share = p.ReferralURL
	case Invitation:
		d = words.invitation()
	default:
		return s.hasAccount(p.To, p.Locale), nil
	}
	d.To, d.Language, d.URL, d.LeaveURL = p.To, language, p.URL, p.LeaveURL
	return d, nil
}

// account writes to a person with an account, who need not wait.
func (s *Sender) account(ctx context.Context, e Email) (draft, error) {
	person, err := s.Facts.Subscriber(ctx, e.About)
	return s.hasAccount(person.Email, person.Locale), err
}

func (s *Sender) hasAccount(to, locale string) draft {
	language := core.LanguageOf(locale)
	d := languages.In(language).account()
	d.To, d.Language, d.URL = to, language, s.PublicURL+"/login"
	return d
}
