package postgres

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"github.com/sininho/sininho/server/internal/core"
)

// ReceivedInvitations implements core.MembershipInvitationStore. Those of suspended publishers show up when the
// suspension ends.
func (s *Store) ReceivedInvitations(
	ctx context.Context, subscriberID core.ID, page core.Page, now time.Time,
) ([]core.ReceivedInvitation, int64, error) {
	q := selectInvitations(s.db).Where(toAddressOf, subscriberID).
		Where("i.state = ?", core.InvitationPending).Where("i.expires_at > ?", now).
		Where("not exists (select from publishers p where p.id = i.publisher_id and p.suspended_at is not null)")
	invitations, total, err := list(ctx, q, page, membershipInvitationRow{}.at(now))
	if err != nil {
		return nil, 0, err
	}
	data, err := withPublishers(ctx, s.db, subscriberID, invitations)
	return data, total, err
}

// exportInvitations returns the invitations to a person's address, and those that they answered.
func exportInvitations(
	ctx context.Context, tx Tx, id core.ID, now time.Time,
) ([]core.ReceivedInvitation, error) {
	q := selectInvitations(tx).Where("("+toAddressOf+" or i.answered_by = ?)", id, id)
	invitations, err := all(ctx, q, membershipInvitationRow{}.at(now))
	if err != nil {
		return nil, err
	}
	return withPublishers(ctx, tx, id, invitations)
}

// withPublishers adds the publishers of invitations, with the reader's role. It leaves out those that were deleted
// meanwhile.
func withPublishers(
	ctx context.Context, db bun.IDB, reader core.ID, invitations []core.MembershipInvitation,
) ([]core.ReceivedInvitation, error) {
	out := []core.ReceivedInvitation{}
	if len(invitations) == 0 {
		return out, nil
	}
	ids := make([]core.ID, len(invitations))
	for i, inv := range invitations {
		ids[i] = inv.PublisherID
	}
	publishers, err := all(ctx, selectPublishers(db, &reader).Where("p.id = any (?::uuid[])", UUIDs(ids)),
		publisherRow.publisher)
	if err != nil {
		return nil, err
	}
	byID := map[core.ID]core.Publisher{}
	for _, p := range publishers {
		byID[p.ID] = p
	}
	for _, inv := range invitations {
		if p, ok := byID[inv.PublisherID]; ok {
			out = append(out, core.ReceivedInvitation{MembershipInvitation: inv, Publisher: p})
		}
	}
	return out, nil
}

// AcceptInvitation implements core.MembershipInvitationStore.
func (s *Store) AcceptInvitation(
	ctx context.Context, subscriberID, id core.ID, now time.Time,
) (p core.Publisher, err error) {
	err = s.tx(ctx, func(ctx context.Context, tx Tx) error {
		r, err := lockReceived(ctx, tx, subscriberID, id)
		if err != nil {
			return err
		}
		m, err := member(ctx, tx, r.PublisherID, subscriberID)
		isMember := err == nil
		switch {
		case err != nil && !core.IsCode(err, core.CodeNotFound):
			return err
		case r.State == core.InvitationAccepted && isMember: // a repeated request
		case !r.pending(now):
			return core.ErrInvitationEnded()
		default:
			err := lockActive(ctx, tx, core.SuspendablePublisher, r.PublisherID)
			if core.IsCode(err, core.CodeForbidden) {
				return core.ErrHidden() // only members may know the reason
			} else if err != nil {
				return err
			}
			before := m.Role
			if m.Role, err = join(ctx, tx, r, before, subscriberID, now); err != nil {
				return err
			}
			if m.Role == core.RoleOwner && before != core.RoleOwner {
				if err := s.checkOwned(ctx, tx, subscriberID); err != nil {
					return err
				}
			}
			if m, err = member(ctx, tx, r.PublisherID, subscriberID); err != nil {
				return err
			}
			if err := audit(ctx, tx, memberEntry(r.PublisherID, m)); err != nil {
				return err
			}
		}
		p, err = publisherWhere(ctx, tx, "p.id = ?", r.PublisherID)
		p.Role = m.Role
		return err
	})
	return p, err
}

// join makes a person with a role, or with none, a member, and returns their role. An owner stays one.
func join(
	ctx context.Context, tx Tx, r membershipInvitationRow, role core.Role, subscriberID core.ID, now time.Time,
) (core.Role, error) {
	if role != core.RoleOwner {
		role = r.Role
	}
	m := memberRow{PublisherID: r.PublisherID, SubscriberID: subscriberID, Role: role, CreatedAt: now}
	_, err := tx.NewInsert().Model(&m).On("conflict (publisher_id, subscriber_id) do update").
		Set("role = excluded.role").Exec(ctx)
	if err != nil {
		return "", Error(err)
	}
	r.AnsweredBy, r.DeclinedAt = subscriberID, nil
	return role, setInvitationState(ctx, tx, r, core.InvitationAccepted)
}

// DeclineInvitation implements core.MembershipInvitationStore.
func (s *Store) DeclineInvitation(ctx context.Context, subscriberID, id core.ID, now time.Time) error {
	return s.tx(ctx, func(ctx context.Context, tx Tx) error {
		r, err := lockReceived(ctx, tx, subscriberID, id)
		if err != nil {
			return err
		}
		switch {
		case r.State == core.InvitationDeclined: // a repeated request
			return nil
		case !r.pending(now):
			return core.ErrInvitationEnded()
		}
		r.AnsweredBy, r.DeclinedAt = subscriberID, &now
		return setInvitationState(ctx, tx, r, core.InvitationDeclined)
	})
}

// lockReceived returns an invitation to the person's address, or that they answered, and keeps others from changing it
// and the publisher's members. It locks the person before the publisher, as DeleteSubscriber does.
func lockReceived(ctx context.Context, tx Tx, subscriberID, id core.ID) (r membershipInvitationRow, err error) {
	person := subscriberRow{ID: subscriberID}
	if err := tx.NewSelect().Model(&person).Column("id").WherePK().For("key share").Scan(ctx); err != nil {
		return r, err
	}
	find := func() error {
		return tx.NewSelect().Model(&r).Where("i.id = ?", id).
			Where("("+toAddressOf+" or i.answered_by = ?)", subscriberID, subscriberID).Scan(ctx)
	}
	if err := find(); err != nil {
		return r, err
	}
	if _, err := lockPublisher(ctx, tx, r.PublisherID, nil); err != nil {
		return r, err
	}
	return r, find() // it may have changed before the lock
}
