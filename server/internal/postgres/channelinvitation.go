package postgres

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"github.com/sininho/sininho/server/internal/core"
)

type channelInvitationRow struct {
	bun.BaseModel `bun:"table:channel_invitations,alias:i"`

	ID         core.ID    `bun:"id,pk"`
	ChannelID  core.ID    `bun:"channel_id"`
	SecretHash []byte     `bun:"secret_hash"`
	Approval   bool       `bun:"approval"`
	MaxUses    *int32     `bun:"max_uses"`
	Uses       int32      `bun:"uses"`
	Email      string     `bun:"email,nullzero"`
	CreatedAt  time.Time  `bun:"created_at"`
	ExpiresAt  *time.Time `bun:"expires_at"`
	RevokedAt  *time.Time `bun:"revoked_at"`
}

func (r channelInvitationRow) invitation() core.ChannelInvitation {
	return core.ChannelInvitation{ID: r.ID, ChannelID: r.ChannelID, Approval: r.Approval, MaxUses: r.MaxUses,
		Uses: r.Uses, ExpiresAt: r.ExpiresAt, Email: r.Email, CreatedAt: r.CreatedAt}
}

// ChannelInvitations implements core.ChannelInvitationStore.
func (s *Store) ChannelInvitations(
	ctx context.Context, channelID core.ID, page core.Page,
) ([]core.ChannelInvitation, int64, error) {
	q := s.db.NewSelect().Model((*channelInvitationRow)(nil)).Where("i.channel_id = ?", channelID).
		Where("i.revoked_at is null").Order("i.created_at desc", "i.id desc")
	return list(ctx, q, page, channelInvitationRow.invitation)
}

// CreateChannelInvitation implements core.ChannelInvitationStore, except that it calls email, in the transaction, for
// an invitation that is to be emailed.
func (s *Store) CreateChannelInvitation(ctx context.Context, inv core.ChannelInvitation, hash []byte,
	by core.ChannelInviter, key core.Idempotency, email func(ctx context.Context, tx Tx, id core.ID) error,
) (core.ChannelInvitation, core.Creation, error) {
	var creation core.Creation
	err := s.tx(ctx, func(ctx context.Context, tx Tx) (err error) {
		creation, err = Once(ctx, tx, key, &inv, func() (core.Creation, error) {
			if inv.Email != "" {
				if err := lockInviter(ctx, tx, inv.ChannelID, by); err != nil {
					return 0, err
				}
			}
			channel, err := lockChannel(ctx, tx, inv.ChannelID, nil)
			if err == nil && channel.Visibility != core.Private {
				err = core.ErrNotPrivate()
			}
			if err != nil {
				return 0, err
			}
			row := channelInvitationRow{ID: inv.ID, ChannelID: inv.ChannelID, SecretHash: hash, Approval: inv.Approval,
				MaxUses: inv.MaxUses, Email: inv.Email, CreatedAt: inv.CreatedAt, ExpiresAt: inv.ExpiresAt}
			if _, err := tx.NewInsert().Model(&row).Exec(ctx); err != nil {
				return 0, Error(err)
			}
			theirs := tx.NewSelect().Model((*channelInvitationRow)(nil)).
				Where("i.channel_id = ?", inv.ChannelID).Where("i.revoked_at is null")
			if err := s.checkCap(ctx, tx, core.CapInvitations, inv.ChannelID, theirs); err != nil {
				return 0, err
			}
			if inv.Email != "" {
				if err := s.emailInvitation(ctx, tx, channel.PublisherID, inv, by, email); err != nil {
					return 0, err
				}
			}
			return core.Created, auditChannel(ctx, tx, inv.ChannelID,
				core.AuditEntry{ObjectID: inv.ID, Object: channel.Slug})
		})
		return err
	})
	return inv, creation, err
}

// lockInviter locks who invites, then the publisher of the channel, whose invitations are counted, and the channel. It
// fails with CodeForbidden when either is suspended.
func lockInviter(ctx context.Context, tx Tx, channelID core.ID, by core.ChannelInviter) error {
	if by.SubscriberID != (core.ID{}) {
		if err := lockPerson(ctx, tx, by.SubscriberID); err != nil {
			return err
		}
	}
	channel := channelRow{ID: channelID}
	if err := tx.NewSelect().Model(&channel).Column("publisher_id").WherePK().Scan(ctx); err != nil {
		return err
	}
	if _, err := lockPublisher(ctx, tx, channel.PublisherID, nil); err != nil {
		return err
	}
	if err := lockActive(ctx, tx, core.SuspendablePublisher, channel.PublisherID); err != nil {
		return err
	}
	return lockActive(ctx, tx, core.SuspendableChannel, channelID)
}

// emailInvitation counts an invitation with an address, and calls email if the address may get one.
func (s *Store) emailInvitation(ctx context.Context, tx Tx, publisherID core.ID, inv core.ChannelInvitation,
	by core.ChannelInviter, email func(ctx context.Context, tx Tx, id core.ID) error,
) error {
	due, err := countInvitation(ctx, tx, invitationTimeRow{ObjectID: inv.ChannelID, Email: inv.Email,
		PublisherID: publisherID, InviterID: by.SubscriberID, InvitedAt: inv.CreatedAt}, by.PerDay)
	if err != nil || !due {
		return err
	}
	if err := s.countStranger(ctx, tx, inv.CreatedAt); err != nil {
		return err
	}
	return email(ctx, tx, inv.ID)
}

// RevokeChannelInvitation implements core.ChannelInvitationStore.
func (s *Store) RevokeChannelInvitation(ctx context.Context, channelID, id core.ID, now time.Time) error {
	return s.tx(ctx, func(ctx context.Context, tx Tx) error {
		channel, err := lockChannel(ctx, tx, channelID, nil)
		if err != nil {
			return err
		}
		row := channelInvitationRow{ID: id}
		err = affected(tx.NewUpdate().Model(&row).Set("revoked_at = coalesce(i.revoked_at, ?)", now).WherePK().
			Where("i.channel_id = ?", channelID).Exec(ctx))
		if err != nil {
			return err
		}
		return auditChannel(ctx, tx, channelID, core.AuditEntry{ObjectID: id, Object: channel.Slug})
	})
}

// ChannelInvitationBySecret implements core.ChannelInvitationStore.
func (s *Store) ChannelInvitationBySecret(
	ctx context.Context, hash []byte, subscriberID *core.ID, now time.Time,
) (core.ReceivedChannelInvitation, error) {
	return receivedInvitation(ctx, s.db, hash, subscriberID, now, "")
}

// ChannelInvitation returns an invitation that nobody has used. It fails with CodeNotFound as ChannelInvitationBySecret
// does.
func (s *Store) ChannelInvitation(
	ctx context.Context, id core.ID, now time.Time,
) (core.ReceivedChannelInvitation, error) {
	return invitationWhere(ctx, s.db, "i.id = ?", id, nil, now, "")
}

// receivedInvitation finds an open invitation, or one that the person has accepted, and may lock it.
func receivedInvitation(
	ctx context.Context, db bun.IDB, hash []byte, subscriberID *core.ID, now time.Time, lock string,
) (inv core.ReceivedChannelInvitation, err error) {
	return invitationWhere(ctx, db, "i.secret_hash = ?", hash, subscriberID, now, lock)
}

func invitationWhere(
	ctx context.Context, db bun.IDB, where string, arg any, subscriberID *core.ID, now time.Time, lock string,
) (inv core.ReceivedChannelInvitation, err error) {
	var r channelInvitationRow
	q := db.NewSelect().Model(&r).Where(where, arg).Where("i.revoked_at is null")
	if lock != "" {
		q = q.For(lock)
	}
	if err := q.Scan(ctx); err != nil {
		return inv, Error(err)
	}
	inv.ChannelInvitation = r.invitation()
	if inv.Channel, err = channelByID(ctx, db, r.ChannelID, subscriberID); err != nil {
		return inv, err
	}
	if !inv.Channel.Private || inv.Channel.Suspended {
		return inv, core.NotFound()
	}
	if subscriberID != nil {
		if inv.State, err = memberState(ctx, db, inv, *subscriberID); err != nil {
			return inv, err
		}
	}
	if inv.State == "" && !inv.IsOpen(now) {
		return inv, core.NotFound()
	}
	return inv, nil
}

// memberState returns what a person is to a private channel. It fails with CodeNotFound when they were removed from it,
// or refused, after the invitation was made.
func memberState(
	ctx context.Context, db bun.IDB, inv core.ReceivedChannelInvitation, subscriberID core.ID,
) (core.ChannelMemberState, error) {
	if *inv.Channel.Following {
		return core.MemberJoined, nil
	}
	row := channelRequestRow{ChannelID: inv.ChannelID, SubscriberID: subscriberID}
	err := db.NewSelect().Model(&row).WherePK().Scan(ctx)
	switch {
	case core.IsCode(Error(err), core.CodeNotFound):
		return "", nil
	case err != nil:
		return "", err
	case row.RequestedAt != nil:
		return core.MemberRequested, nil
	case !inv.CreatedAt.After(*row.RefusedAt):
		return "", core.NotFound()
	default:
		return "", nil
	}
}

// AcceptChannelInvitation implements core.ChannelInvitationStore. The invitation is locked, so that it is not used more
// often than it may be, and before it the channel, as by whoever deletes that.
func (s *Store) AcceptChannelInvitation(
	ctx context.Context, hash []byte, subscriberID core.ID, now time.Time,
) (inv core.ReceivedChannelInvitation, err error) {
	err = s.tx(ctx, func(ctx context.Context, tx Tx) error {
		var channelID core.ID
		err := tx.NewSelect().Table("channels").ColumnExpr("channels.id").
			Join("join channel_invitations i on i.channel_id = channels.id").Where("i.secret_hash = ?", hash).
			For("share of channels").Scan(ctx, &channelID)
		if err != nil {
			return Error(err)
		}
		inv, err = receivedInvitation(ctx, tx, hash, &subscriberID, now, "no key update")
		if err != nil || inv.State == core.MemberJoined || inv.State == core.MemberRequested && inv.Approval {
			return err
		}
		if inv.Approval {
			return s.requestToJoin(ctx, tx, &inv, subscriberID, now)
		}
		if !inv.IsOpen(now) {
			return core.NotFound()
		}
		if _, err := s.subscribe(ctx, tx, subscriberID, inv.ChannelID, true, now); err != nil {
			return err
		}
		request := channelRequestRow{ChannelID: channelID, SubscriberID: subscriberID}
		if _, err := tx.NewDelete().Model(&request).WherePK().Exec(ctx); err != nil {
			return err
		}
		inv.State = core.MemberJoined
		return useInvitation(ctx, tx, inv.ID)
	})
	return inv, err
}

// requestToJoin stores that a person asks to join a channel.
func (s *Store) requestToJoin(
	ctx context.Context, tx Tx, inv *core.ReceivedChannelInvitation, subscriberID core.ID, now time.Time,
) error {
	row := channelRequestRow{ChannelID: inv.ChannelID, SubscriberID: subscriberID, RequestedAt: &now}
	if err := putRequest(ctx, tx, row); err != nil {
		return err
	}
	theirs := tx.NewSelect().Model((*channelRequestRow)(nil)).Where("m.channel_id = ?", inv.ChannelID).
		Where("m.requested_at is not null")
	if err := s.checkCap(ctx, tx, core.CapRequests, inv.ChannelID, theirs); err != nil {
		return err
	}
	inv.State = core.MemberRequested
	return useInvitation(ctx, tx, inv.ID)
}

func useInvitation(ctx context.Context, tx Tx, id core.ID) error {
	_, err := tx.NewUpdate().Model((*channelInvitationRow)(nil)).Set("uses = i.uses + 1").Where("i.id = ?", id).
		Exec(ctx)
	return err
}
