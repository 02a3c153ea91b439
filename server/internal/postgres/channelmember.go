package postgres

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"github.com/sininho/sininho/server/internal/core"
)

type channelRequestRow struct {
	bun.BaseModel `bun:"table:channel_requests,alias:m"`

	ChannelID    core.ID    `bun:"channel_id,pk"`
	SubscriberID core.ID    `bun:"subscriber_id,pk"`
	RequestedAt  *time.Time `bun:"requested_at"`
	RefusedAt    *time.Time `bun:"refused_at"`
}

// IsFollower reports whether a person follows a channel.
func (s *Store) IsFollower(ctx context.Context, channelID, subscriberID core.ID) (follows bool, err error) {
	err = s.db.hotRow(ctx, `select exists (select from subscriptions where subscriber_id = $1 and channel_id = $2)`,
		subscriberID, channelID).Scan(&follows)
	return follows, Error(err)
}

// ChannelMembers implements core.ChannelMemberStore.
func (s *Store) ChannelMembers(
	ctx context.Context, channelID core.ID, state core.ChannelMemberState, page core.Page,
) ([]core.ChannelMember, int64, error) {
	if err := checkPrivate(ctx, s.db, channelID); err != nil {
		return nil, 0, err
	}
	table, since := "subscriptions", "followed_at"
	if state == core.MemberRequested {
		table, since = "channel_requests", "requested_at"
	}
	type row struct {
		ID    core.ID   `bun:"id"`
		Name  string    `bun:"name"`
		Since time.Time `bun:"since"`
	}
	q := s.db.NewSelect().Model((*row)(nil)).ModelTableExpr("? as m", bun.Ident(table)).
		ColumnExpr("p.id, p.name, m.? as since", bun.Ident(since)).
		Join("join subscribers p on p.id = m.subscriber_id").Where("m.channel_id = ?", channelID).
		Where("m.? is not null", bun.Ident(since)).OrderExpr("m.? desc, p.id", bun.Ident(since))
	return list(ctx, q, page, func(r row) core.ChannelMember {
		return core.ChannelMember{ID: r.ID, Name: r.Name, State: state, Since: r.Since}
	})
}

// checkPrivate fails with CodeConflict unless a channel is private.
func checkPrivate(ctx context.Context, db bun.IDB, channelID core.ID) error {
	r := channelRow{ID: channelID}
	err := db.NewSelect().Model(&r).Column("visibility").WherePK().Where("deleted_at is null").Scan(ctx)
	if err == nil && r.Visibility != core.Private {
		err = core.ErrNotPrivate()
	}
	return Error(err)
}

// ApproveChannelMember implements core.ChannelMemberStore.
func (s *Store) ApproveChannelMember(
	ctx context.Context, channelID, subscriberID core.ID, now time.Time,
) (m core.ChannelMember, err error) {
	err = s.tx(ctx, func(ctx context.Context, tx Tx) error {
		entry, err := lockMembership(ctx, tx, channelID, subscriberID)
		if err != nil {
			return err
		}
		asked, err := deleteRequest(ctx, tx, channelID, subscriberID)
		if err != nil {
			return err
		}
		sub, err := s.subscribe(ctx, tx, subscriberID, channelID, asked, now)
		if err != nil {
			return err
		}
		m = core.ChannelMember{ID: subscriberID, Name: entry.Object, State: core.MemberJoined, Since: sub.FollowedAt}
		return audit(ctx, tx, entry)
	})
	return m, err
}

// RemoveChannelMember implements core.ChannelMemberStore.
func (s *Store) RemoveChannelMember(ctx context.Context, channelID, subscriberID core.ID, now time.Time) error {
	return s.tx(ctx, func(ctx context.Context, tx Tx) error {
		entry, err := lockMembership(ctx, tx, channelID, subscriberID)
		if err != nil {
			return err
		}
		asked, err := deleteRequest(ctx, tx, channelID, subscriberID)
		if err != nil {
			return err
		}
		err = unsubscribe(ctx, tx, subscriberID, channelID, now)
		if core.IsCode(err, core.CodeNotFound) { // not a member
			if !asked {
				return nil
			}
			err = nil
		}
		if err != nil {
			return err
		}
		if err := putRequest(ctx, tx, channelRequestRow{
			ChannelID: channelID, SubscriberID: subscriberID, RefusedAt: &now}); err != nil {
			return err
		}
		return audit(ctx, tx, entry)
	})
}

// lockMembership locks a private channel, so that it is not changed, and then a person, so that they are not deleted:
// in the order in which others do, and before what belongs to both. It returns the entry that a change is to have in
// the audit log. It fails with CodeConflict unless the channel is private, but not when there is no such person.
func lockMembership(ctx context.Context, tx Tx, channelID, subscriberID core.ID) (entry core.AuditEntry, err error) {
	c, p := channelRow{ID: channelID}, subscriberRow{ID: subscriberID}
	err = tx.NewSelect().Model(&c).Column("visibility", "publisher_id", "slug").WherePK().Where("deleted_at is null").
		For("share").Scan(ctx)
	if err == nil && c.Visibility != core.Private {
		err = core.ErrNotPrivate()
	}
	if err == nil {
		err = tx.NewSelect().Model(&p).Column("name").WherePK().For("key share").Scan(ctx)
		if core.IsCode(Error(err), core.CodeNotFound) {
			err = nil
		}
	}
	return core.AuditEntry{PublisherID: c.PublisherID, ObjectID: subscriberID, Object: p.Name,
		Detail: map[string]string{"channel": c.Slug}}, Error(err)
}

// deleteRequest deletes a request to join a channel, and reports whether there was one.
func deleteRequest(ctx context.Context, tx Tx, channelID, subscriberID core.ID) (asked bool, err error) {
	row := channelRequestRow{ChannelID: channelID, SubscriberID: subscriberID}
	err = affected(tx.NewDelete().Model(&row).WherePK().Where("m.requested_at is not null").Exec(ctx))
	if core.IsCode(err, core.CodeNotFound) {
		return false, nil
	}
	return err == nil, err
}

func putRequest(ctx context.Context, tx Tx, row channelRequestRow) error {
	_, err := tx.NewInsert().Model(&row).On("conflict (channel_id, subscriber_id) do update").
		Set("requested_at = excluded.requested_at").Set("refused_at = excluded.refused_at").Exec(ctx)
	return err
}
