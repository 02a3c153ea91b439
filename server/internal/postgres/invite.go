package postgres

import (
	"context"

	"github.com/sininho/sininho/server/internal/core"
)

// Invite implements core.MembershipInvitationStore, except that it calls email, in the transaction, for an invitation
// that is to be emailed. It locks the inviter before the publisher, as DeleteSubscriber does.
func (s *Store) Invite(ctx context.Context, inv core.MembershipInvitation, perDay int, key core.Idempotency,
	email func(ctx context.Context, tx Tx, id core.ID) error,
) (stored core.MembershipInvitation, creation core.Creation, err error) {
	err = s.tx(ctx, func(ctx context.Context, tx Tx) error {
		creation, err = Once(ctx, tx, key, &stored, func() (core.Creation, error) {
			if err := mayInvite(ctx, tx, inv); err != nil {
				return 0, err
			}
			due, err := countInvitation(ctx, tx, invitationTimeRow{ObjectID: inv.PublisherID, Email: inv.Email,
				PublisherID: inv.PublisherID, InviterID: inv.InvitedBy.ID, InvitedAt: inv.InvitedAt}, perDay)
			if err != nil {
				return 0, err
			}
			creation, declined, err := putInvitation(ctx, tx, &inv)
			if err == nil && due && !declined {
				if err = s.countStranger(ctx, tx, inv.InvitedAt); err == nil {
					err = email(ctx, tx, inv.ID)
				}
			}
			if err != nil {
				return 0, err
			}
			var r membershipInvitationRow
			err = selectInvitations(tx).Model(&r).Where("i.id = ?", inv.ID).Scan(ctx)
			if err != nil {
				return 0, Error(err)
			}
			stored = r.at(inv.InvitedAt)(r)
			return creation, auditInvitation(ctx, tx, r)
		})
		return err
	})
	return stored, creation, err
}

// mayInvite locks the inviter and the publisher. It fails unless the inviter owns the publisher, when the publisher is
// suspended, and when a member has the address and the role.
func mayInvite(ctx context.Context, tx Tx, inv core.MembershipInvitation) error {
	if err := lockPerson(ctx, tx, inv.InvitedBy.ID); err != nil { // against other invitations by the same person
		return err
	}
	if _, err := lockPublisher(ctx, tx, inv.PublisherID, nil); err != nil {
		return err
	}
	if err := lockActive(ctx, tx, core.SuspendablePublisher, inv.PublisherID); err != nil {
		return err
	}
	owner, err := member(ctx, tx, inv.PublisherID, inv.InvitedBy.ID)
	if err == nil && owner.Role != core.RoleOwner {
		err = core.NotFound() // since the caller was checked
	}
	if err != nil {
		return err
	}
	m, err := memberByEmail(ctx, tx, inv.PublisherID, inv.Email)
	switch {
	case core.IsCode(err, core.CodeNotFound):
		return nil
	case err == nil && (m.Role == core.RoleOwner || m.Role == inv.Role):
		return core.ErrAlreadyMember()
	default:
		return err
	}
}

// putInvitation stores an invitation, or renews the one to the same address and sets inv.ID to its id. An invitation to
// another role has another id, so that nobody accepts a role that they have not seen. It reports whether the address
// has declined one of the publisher.
func putInvitation(
	ctx context.Context, tx Tx, inv *core.MembershipInvitation,
) (creation core.Creation, declined bool, err error) {
	var before membershipInvitationRow
	err = Error(tx.NewSelect().Model(&before).Where("i.publisher_id = ?", inv.PublisherID).
		Where("i.email = ?", inv.Email).Scan(ctx))
	if err != nil && !core.IsCode(err, core.CodeNotFound) {
		return 0, false, err
	}
	if before.pending(inv.InvitedAt) {
		creation = core.Existing
	}
	row := membershipInvitationRow{ID: inv.ID, PublisherID: inv.PublisherID, Email: inv.Email, Role: inv.Role,
		State: inv.State, InvitedBy: inv.InvitedBy.ID, InvitedAt: inv.InvitedAt, ExpiresAt: inv.ExpiresAt}
	_, err = tx.NewInsert().Model(&row).On("conflict (publisher_id, email) do update").
		Set("id = case when i.role = excluded.role then i.id else excluded.id end").
		Set("role = excluded.role").Set("state = excluded.state").Set("invited_by = excluded.invited_by").
		Set("answered_by = null").Set("invited_at = excluded.invited_at").Set("expires_at = excluded.expires_at").
		Returning("id, declined_at").Exec(ctx)
	inv.ID = row.ID
	return creation, row.DeclinedAt != nil, Error(err)
}
