package postgres

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"github.com/sininho/sininho/server/internal/core"
)

type subscriptionRow struct {
	bun.BaseModel `bun:"table:subscriptions,alias:s"`

	SubscriberID core.ID    `bun:"subscriber_id,pk"`
	ChannelID    core.ID    `bun:"channel_id,pk"`
	Bell         core.Bell  `bun:"bell"`
	MutedUntil   *time.Time `bun:"muted_until"`
	FollowedAt   time.Time  `bun:"followed_at"`
	ReadOrdinal  int64      `bun:"read_ordinal"`
	ReadAt       time.Time  `bun:"read_at"`
	channelRefRow
	UnreadCount int64 `bun:"unread_count,scanonly"`
}

func (r subscriptionRow) subscription() core.Subscription {
	return core.Subscription{Channel: r.ref(r.ChannelID), Bell: r.Bell, MutedUntil: r.MutedUntil,
		FollowedAt: r.FollowedAt, UnreadCount: r.UnreadCount}
}

// listedSubscription is a subscription on a page, with the position of the stream that the page has.
type listedSubscription struct {
	subscriptionRow `bun:",extend"`

	Position int64 `bun:"position,scanonly"`
}

// selectSubscriptions selects the subscriptions of one subscriber.
func selectSubscriptions(db bun.IDB, subscriberID core.ID) *bun.SelectQuery {
	return db.NewSelect().Model((*subscriptionRow)(nil)).ColumnExpr("?TableColumns").
		ColumnExpr(channelRefColumns).ColumnExpr(unread+" as unread_count").
		Join("join channels c on c.id = s.channel_id").Join("join publishers p on p.id = c.publisher_id").
		Join(receiptsByChannel).Where("s.subscriber_id = ?", subscriberID)
}

type formerSubscriptionRow struct {
	bun.BaseModel `bun:"table:former_subscriptions,alias:s"`

	ChannelID  core.ID    `bun:"channel_id,pk"`
	Bell       core.Bell  `bun:"bell"`
	MutedUntil *time.Time `bun:"muted_until"`
	ReadAt     time.Time  `bun:"read_at"`
	EndedAt    time.Time  `bun:"ended_at"`
	channelRefRow
}

func (r formerSubscriptionRow) former() core.FormerSubscription {
	return core.FormerSubscription{Channel: r.ref(r.ChannelID), Bell: r.Bell, MutedUntil: r.MutedUntil,
		ReadAt: r.ReadAt, UnfollowedAt: r.EndedAt}
}

// selectFormerSubscriptions selects what is kept of the channels that one subscriber has unfollowed. Private ones no
// longer exist for them.
func selectFormerSubscriptions(db bun.IDB, subscriberID core.ID) *bun.SelectQuery {
	return db.NewSelect().Model((*formerSubscriptionRow)(nil)).ColumnExpr("?TableColumns").
		ColumnExpr(channelRefColumns).
		Join("join channels c on c.id = s.channel_id").Join("join publishers p on p.id = c.publisher_id").
		Where("s.subscriber_id = ?", subscriberID).Where("c.visibility <> ?", core.Private)
}

// unread counts the unread notifications of subscription s to channel c, with d of receiptsByChannel. It is 0 while the
// channel is suspended.
const unread = `coalesce((
		select ` + unreadPublications + ` + coalesce(d.difference, 0) from channel_heads h
		where h.channel_id = s.channel_id and not c.suspended), 0)`

// receiptsByChannel joins, as d, the difference that a subscriber's receipts make to the unread count of each channel.
const receiptsByChannel = `
	left join (
		select r.subscriber_id, n.channel_id, sum(` + unreadDifference + `)::bigint as difference` +
	fromExceptions + `
		group by r.subscriber_id, n.channel_id) d on d.subscriber_id = s.subscriber_id and d.channel_id = s.channel_id`

func subscription(ctx context.Context, db bun.IDB, subscriberID, channelID core.ID) (core.Subscription, error) {
	var r subscriptionRow
	err := selectSubscriptions(db, subscriberID).Model(&r).Where("s.channel_id = ?", channelID).Scan(ctx)
	return r.subscription(), Error(err)
}

// Subscribe implements core.SubscriptionStore. Nothing of a channel is unread when its following first begins;
// following it twice changes nothing. It is one statement, because many people do it at the same time.
func (s *Store) Subscribe(ctx context.Context, subscriberID, channelID core.ID, now time.Time) (
	core.Subscription, error) {
	return s.subscribe(ctx, s.db, subscriberID, channelID, false, now)
}

// subscribe is Subscribe, for somebody who may be invited to a private channel.
func (s *Store) subscribe(
	ctx context.Context, db querier, subscriberID, channelID core.ID, invited bool, now time.Time,
) (core.Subscription, error) {
	var rows []followedRow
	for len(rows) == 0 {
		var err error
		rows, err = Hot[followedRow](ctx, db, follow, subscriberID, channelID, now, stripe(),
			s.Caps[core.CapSubscriptions], now.Add(-core.FormerSubscriptionsKept), invited)
		if err == nil && len(rows) == 0 { // unfollowed meanwhile, if nothing else prevents it
			err = s.notFollowable(ctx, db, subscriberID, channelID, invited)
		}
		if err != nil {
			return core.Subscription{}, Error(err)
		}
	}
	if rows[0].Restored { // the statement does not see what it has restored
		restored, err := subscription(ctx, db, subscriberID, channelID)
		if !core.IsCode(err, core.CodeNotFound) { // it may have been unfollowed again
			return restored, err
		}
	}
	return rows[0].subscription(), nil
}

// followedRow is a subscription that was asked for.
type followedRow struct {
	subscriptionRow
	Restored bool
}

// follow makes subscriber $1 follow channel $2, at $3, counts them in stripe $4, and returns the subscription. It has
// no row when the channel cannot be followed, or would be one more than $5; of requests at the same time, a few may
// exceed that. Deleting the channel or the account at the same time waits, and then deletes the subscription too.
// Unfollowing it at the same time leaves no row either: the statement does not see what was kept then, and is repeated.
// Somebody who has followed it since $6 has again what they had; otherwise what they had read one by one no longer
// counts. A private channel can be followed by those who follow it already or, if $7 is true, are invited.
const follow = `
	with channel as materialized (
		select id from channels where id = $2 and deleted_at is null and not demonstration and not suspended
			and (visibility <> 'private' or $7::boolean or exists (
				select from subscriptions where subscriber_id = $1 and channel_id = $2))
		for share
	), person as materialized (
		select id, bell_default from subscribers where id = $1 for key share
	), kept as materialized (
		select * from former_subscriptions
		where subscriber_id = $1 and channel_id = $2 and ended_at >= $6::timestamptz
	), already as materialized (
		select from subscriptions
		where subscriber_id = (select id from person) and channel_id = (select id from channel) for key share
	), followed as (
		insert into subscriptions as s
			(subscriber_id, channel_id, bell, muted_until, followed_at, read_at, read_ordinal)
		select p.id, c.id, coalesce(k.bell, p.bell_default), k.muted_until, $3::timestamptz,
			coalesce(k.read_at, $3::timestamptz),
			coalesce(k.read_ordinal, (select ordinal from channel_heads where channel_id = c.id), 0)
		from channel c cross join person p left join kept k on true
		where case when exists (select from subscriptions where subscriber_id = $1 and channel_id = $2)
			then exists (select from already)
			else (select count(*) from subscriptions where subscriber_id = $1) < $5 end
		on conflict (subscriber_id, channel_id) do update set bell = s.bell
		returning *, xmax = 0 as is_new
	), restored as (
		delete from former_subscriptions
		where subscriber_id = $1 and channel_id = $2 and exists (select from followed where is_new)
	), counted as (
		insert into channel_counts as k (channel_id, stripe, subscribers)
		select channel_id, $4::integer, 1 from followed where is_new
		on conflict (channel_id, stripe) do update set subscribers = k.subscribers + excluded.subscribers
	), passed as (
		update receipts r set read = null, read_at = case when r.read then r.read_at else $3::timestamptz end
		where r.subscriber_id = $1 and ` + isException + ` and r.read is not null
			and exists (select from followed where is_new) and not exists (select from kept)
			and (select n.channel_id from notifications n where n.id = r.notification_id) = $2
	)
	select s.subscriber_id, s.channel_id, s.bell, s.muted_until, s.followed_at, s.read_ordinal, s.read_at,
		` + channelRefColumns + `, ` + unread + ` as unread_count, s.is_new and exists (select from kept) as restored
	from followed s join channels c on c.id = s.channel_id join publishers p on p.id = c.publisher_id` +
	receiptsByChannel + `
	where s.subscriber_id = $1 and s.channel_id = $2`

// notFollowable returns why a subscriber cannot follow a channel, or nil if they can.
func (s *Store) notFollowable(
	ctx context.Context, db bun.IDB, subscriberID, channelID core.ID, invited bool,
) error {
	r := channelRow{ID: channelID}
	err := db.NewSelect().Model(&r).WherePK().Where("deleted_at is null").Scan(ctx)
	switch {
	case err == nil && r.Visibility == core.Private && !invited:
		err = core.NotFound()
	case err == nil && r.Suspended:
		err = core.ErrHidden()
	case err == nil && r.Demonstration:
		err = core.ErrDemonstrationFollowed()
	}
	if err != nil {
		return err
	}
	has, err := db.NewSelect().Model((*subscriptionRow)(nil)).Where("subscriber_id = ?", subscriberID).Count(ctx)
	if err == nil && int(has) >= s.Caps[core.CapSubscriptions] {
		return s.Caps.Err(core.CapSubscriptions)
	}
	if err != nil {
		return err
	}
	exists, err := db.NewSelect().Table("subscribers").Where("id = ?", subscriberID).Exists(ctx)
	if err == nil && !exists {
		err = core.NotFound() // the account was deleted meanwhile
	}
	return err
}

// Unsubscribe implements core.SubscriptionStore.
func (s *Store) Unsubscribe(ctx context.Context, subscriberID, channelID core.ID, now time.Time) error {
	return s.tx(ctx, func(ctx context.Context, tx Tx) error {
		return unsubscribe(ctx, tx, subscriberID, channelID, now)
	})
}

func unsubscribe(ctx context.Context, tx Tx, subscriberID, channelID core.ID, now time.Time) error {
	exists, err := tx.NewSelect().Table("channels").Where("id = ?", channelID).Where("deleted_at is null").
		Where("visibility <> ? or exists (select from subscriptions where subscriber_id = ? and channel_id = ?)",
			core.Private, subscriberID, channelID).Exists(ctx)
	if err != nil {
		return err
	}
	if !exists {
		return core.NotFound()
	}
	// Raw, because what is deleted is stored. The person is locked first, as in follow, so that this does not wait
	// for a deletion of the account that waits for it.
	res, err := tx.NewRaw(`
		with person as materialized (
			select id from subscribers where id = ?0 for key share
		), ended as (
			delete from subscriptions where subscriber_id = (select id from person) and channel_id = ?1 returning *
		)
		insert into former_subscriptions as f
			(subscriber_id, channel_id, bell, muted_until, read_at, read_ordinal, ended_at)
		select subscriber_id, channel_id, bell, muted_until, read_at, read_ordinal, ?2 from ended
		on conflict (subscriber_id, channel_id) do update set bell = excluded.bell,
			muted_until = excluded.muted_until, read_at = excluded.read_at, read_ordinal = excluded.read_ordinal,
			ended_at = excluded.ended_at`, subscriberID, channelID, now).Exec(ctx)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return err
	}
	if err := suppressHeld(ctx, tx, subscriberID, channelID); err != nil {
		return err
	}
	return addSubscribers(ctx, tx, channelID, -1)
}

// UpdateSubscription implements core.SubscriptionStore.
func (s *Store) UpdateSubscription(ctx context.Context, subscriberID, channelID core.ID, p core.SubscriptionPatch) (
	core.Subscription, error) {
	r := subscriptionRow{SubscriberID: subscriberID, ChannelID: channelID}
	q := s.db.NewUpdate().Model(&r).Set("bell = coalesce(?, bell)", p.Bell)
	if p.MutedUntil.Set {
		q = q.Set("muted_until = ?", p.MutedUntil.Value)
	}
	// The person is locked first, as in follow: a digest refers to them.
	q = q.Where("subscriber_id = (select id from subscribers where id = ? for key share)", subscriberID)
	if _, err := q.WherePK().Exec(ctx); err != nil {
		return core.Subscription{}, Error(err)
	}
	return subscription(ctx, s.db, subscriberID, channelID)
}

// Subscriptions implements core.SubscriptionStore. The statement that counts reads the position too, because a
// notification may be published between two statements.
func (s *Store) Subscriptions(
	ctx context.Context, subscriberID core.ID, page core.Page,
) (p core.SubscriptionPage, err error) {
	err = s.readPage(ctx, func(ctx context.Context, db *DB, bytes int) (cut bool, err error) {
		q := selectSubscriptions(db, subscriberID).ColumnExpr("(" + streamPosition + ") as position").
			OrderExpr("lower(c.name), c.id")
		p.Data, p.Total, cut, err = listWithin(ctx, q, page, bytes, func(r listedSubscription) core.Subscription {
			p.Position = r.Position
			return r.subscription()
		})
		if err == nil && len(p.Data) == 0 {
			err = db.hotRow(ctx, streamPosition).Scan(&p.Position)
		}
		return cut, err
	})
	return p, err
}

// FollowedChannels returns the ids of the channels that the subscriber of a session or access token follows. It fails
// with CodeUnauthenticated when the session or token has ended, or the account is suspended.
func (s *Store) FollowedChannels(ctx context.Context, credentialID core.ID) ([]core.ID, error) {
	var ids []core.ID
	// Raw, because one statement finds the subscriber of either credential, and whether there is one at all.
	err := s.db.NewRaw(`
		select s.channel_id from (
			select subscriber_id from sessions where id = ?0
			union all
			select subscriber_id from access_tokens where id = ?0 and revoked_at is null and expires_at > now()) x
		join subscribers p on p.id = x.subscriber_id and p.suspended_at is null
		left join subscriptions s on s.subscriber_id = p.id`, credentialID).Scan(ctx, &ids)
	if err != nil {
		return nil, Error(err)
	}
	if len(ids) == 0 {
		return nil, core.ErrSessionEnded()
	}
	followed := make([]core.ID, 0, len(ids))
	for _, id := range ids {
		if id != (core.ID{}) { // a subscriber who follows nothing has one row without a channel
			followed = append(followed, id)
		}
	}
	return followed, nil
}
