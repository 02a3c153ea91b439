package waitlist

import (
	"context"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/emails"
	"github.com/sininho/sininho/server/internal/postgres"
)

// Places finds the people to whom emails are sent. It implements emails.Waitlist.
type Places struct {
	entry  func(ctx context.Context, id core.ID) (e Entry, waiting int64, err error)
	tokens tokens
	links  links
}

// NewPlaces returns the places in a database. The secret key and the public address are those of Config.
func NewPlaces(db *postgres.DB, secretKey []byte, publicURL string) (*Places, error) {
	tokens, err := newTokens(secretKey)
	entries := &reader{db}
	return &Places{entry: entries.byID, tokens: tokens, links: links{publicURL}}, err
}

var _ emails.Waitlist = (*Places)(nil)

// EmailPlace implements emails.Waitlist.
func (p *Places) EmailPlace(ctx context.Context, id core.ID) (emails.Place, error) {
	e, waiting, err := p.entry(ctx, id)
	if err != nil {
		return emails.Place{}, err
	}
	token := p.tokens.entry(e.ID)
	place := emails.Place{Kind: e.email(), To: e.Email, Locale: e.Locale, Position: e.Position, Waiting: waiting,
		URL: p.links.entry(token), ReferralURL: p.links.referral(e.ReferralCode), LeaveURL: p.links.leave(token)}
	if e.Status == Invited {
		place.URL = p.links.invitation(p.tokens.invitation(e.ID))
	}
	return place, nil
}
