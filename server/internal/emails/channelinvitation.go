package emails

import (
	"context"

	"github.com/sininho/sininho/server/internal/core"
)

// toChannel writes an invitation to a private channel, unless it has ended or was used. The text names the channel by
// its address, which cannot be a sentence or an address of another site.
func (s *Sender) toChannel(ctx context.Context, e Email) (draft, error) {
	inv, err := s.Facts.ChannelInvitation(ctx, e.About, s.Now())
	if err != nil {
		return draft{}, err
	}
	d := languages.In(e.Language).channelInvitation(inv.Channel.Address(), inv.Approval, inv.ExpiresAt.UTC())
	d.To, d.Language = inv.Email, e.Language
	d.Face = s.faceOf(inv.Channel.Name, inv.Channel.Address(), inv.Channel.Icon)
	d.URL = core.ChannelInvitationPage(s.PublicURL, s.Invitations.Secret(inv.ID))
	return d, nil
}
