package emails

import (
	"context"

	"github.com/sininho/sininho/server/internal/core"
)

// membership writes a membership invitation, unless it has ended or its publisher is suspended. It names the publisher
// by its slug, which cannot be a sentence or an address of another site.
func (s *Sender) membership(ctx context.Context, e Email) (draft, error) {
	inv, err := s.Facts.MembershipInvitation(ctx, e.About, s.Now())
	if err != nil || inv.State != core.InvitationPending || inv.Publisher.Suspension != nil {
		return draft{}, err
	}
	var inviter core.ID
	if inv.InvitedBy != nil {
		inviter = inv.InvitedBy.ID
	}
	locale, err := s.Facts.InvitationLocale(ctx, inv.Email, inviter)
	if err != nil {
		return draft{}, err
	}
	language := core.LanguageOf(locale)
	d := languages.In(language).membership(inv.Publisher.Slug, inv.Role, inv.ExpiresAt.UTC())
	d.To, d.Language, d.URL = inv.Email, language, core.InvitationsPage(s.PublicURL)
	return d, nil
}
