package memory

import (
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

// invitedAddress is an address that was invited to a publisher or a channel.
type invitedAddress struct {
	id    core.ID
	email string
}

// invitationTime is when an address was invited last. The inviter is zero for an API key.
type invitationTime struct {
	publisherID, inviterID core.ID
	at                     time.Time
}

// countInvitation counts an invitation, unless the address was invited to the same within core.InvitationDay. It fails
// when the inviter or the publisher has invited too many.
func (s *Store) countInvitation(to invitedAddress, of invitationTime, perDay int) error {
	since := of.at.Add(-core.InvitationDay)
	if before := s.invited[to]; before != nil && before.at.After(since) {
		return nil
	}
	byPublisher, byPerson := 1, 1
	for _, r := range s.invited {
		if r.at.After(since) && r.publisherID == of.publisherID {
			byPublisher++
		}
		if r.at.After(since) && r.inviterID == of.inviterID && r.inviterID != (core.ID{}) {
			byPerson++
		}
	}
	if max(byPublisher, byPerson) > perDay {
		return core.ErrTooManyInvitations(core.InvitationDay)
	}
	s.invited[to] = &of
	return nil
}
