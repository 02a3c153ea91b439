package postgres

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"github.com/sininho/sininho/server/internal/core"
)

type subscriptionRow struct {
	ChannelID     core.ID
	ChannelSlug   string
	ChannelName   string
	ChannelIcon   string
	PublisherSlug string
	Bell          core.Bell
	MutedUntil    *time.Time
	FollowedAt    time.Time
	UnreadCount   int64
}

func (r subscriptionRow) subscription() core.Subscription {
	return core.Subscription{
		Channel: core.ChannelRef{ID: r.ChannelID, PublisherSlug: r.PublisherSlug, Slug: r.ChannelSlug, Name: r.ChannelName, Icon: r.ChannelIcon},
		Bell:    r.Bell, MutedUntil: r.MutedUntil, FollowedAt: r.FollowedAt, UnreadCount: r.UnreadCount,
	}
}

const subscriptions = `
	select c.id as channel_id, c.slug as channel_slug, c.name as channel_name, coalesce(c.icon, '') as channel_icon,
	       p.slug as publisher_slug, s.bell, s.muted_until, s.followed_at, ` + unread + ` as unread_count
	from subscriptions s
	join channels c on c.id = s.channel_id
	join publishers p on p.id = c.publisher_id
	` + receiptsByChannel + `
	where s.subscriber_id = ?`

// unread counts what is unread in subscription s. Publications are numbered without gaps within a channel, so what came
// after the last one read is a difference and not a count; only what is exceptional is counted: what is hidden of it,
// what has no number yet, and (in d) what has a receipt.
const unread = `(
	coalesce((select max(n.ordinal) from notifications n where n.channel_id = s.channel_id and n.ordinal is not null), 0) - s.read_ordinal
	- (select count(*) from notifications n where n.channel_id = s.channel_id and n.ordinal > s.read_ordinal and not n.visible)
	+ (select count(*) from notifications n where n.channel_id = s.channel_id and n.pending and n.visible and n.ordinal is null)
	+ coalesce(d.difference, 0))`

// receiptsByChannel joins, as d, by how much a subscriber's receipts change what is unread in each channel: what was
// marked unread again, less what was read or archived on its own.
const receiptsByChannel = `
	left join (
		select r.subscriber_id, n.channel_id, sum(case
			when coalesce(n.ordinal <= t.read_ordinal, false) then case when not r.read and r.archived_at is null then 1 else 0 end
			when r.read or r.archived_at is not null then -1 else 0 end)::bigint as difference
		from receipts r
		join notifications n on n.id = r.notification_id and n.visible
		join subscriptions t on t.subscriber_id = r.subscriber_id and t.channel_id = n.channel_id
		group by r.subscriber_id, n.channel_id) d on d.subscriber_id = s.subscriber_id and d.channel_id = s.channel_id`

// unreadCount counts what is unread for subscriber $1.
const unreadCount = `select coalesce(sum(` + unread + `), 0)::bigint from subscriptions s ` + receiptsByChannel + ` where s.subscriber_id = $1`

// channelUnread counts what is unread in the list of a channel, which has what was archived too. $1 is the
// subscriber and $2 the channel; there is no row unless the subscriber follows the channel.
const channelUnread = `
	select ` + unread + ` + (
		select count(*) from receipts r join notifications n on n.id = r.notification_id and n.visible
		where r.subscriber_id = s.subscriber_id and n.channel_id = s.channel_id and r.archived_at is not null and not ` + IsRead + `)
	from subscriptions s ` + receiptsByChannel + ` where s.subscriber_id = $1 and s.channel_id = $2`

func subscription(ctx context.Context, db bun.IDB, subscriberID, channelID core.ID) (core.Subscription, error) {
	var r subscriptionRow
	err := db.NewRaw(subscriptions+" and s.channel_id = ?", subscriberID, channelID).Scan(ctx, &r)
	if err != nil {
		return core.Subscription{}, Error(err)
	}
	return r.subscription(), nil
}

// Subscribe implements core.SubscriptionStore. Whoever follows anew has nothing unread; following twice changes nothing.
func (s *Store) Subscribe(ctx context.Context, subscriberID, channelID core.ID, now time.Time) (sub core.Subscription, err error) {
	err = s.tx(ctx, func(ctx context.Context, tx Tx) error {
		// Whoever deletes the channel at the same time waits, and then finds the subscription.
		var demonstration bool
		err := tx.NewRaw("select demonstration from channels where id = ? and deleted_at is null for share", channelID).Scan(ctx, &demonstration)
		if err == nil && demonstration {
			err = core.ErrDemonstrationFollowed()
		}
		if err != nil {
			return err
		}
		var made bool
		err = tx.NewRaw(`
			insert into subscriptions as s (subscriber_id, channel_id, bell, followed_at, read_ordinal, read_at)
			select ?, ?, b.bell_default, ?::timestamptz, 0, ?::timestamptz from subscribers b where b.id = ?
			on conflict (subscriber_id, channel_id) do update set bell = s.bell returning xmax = 0`, // locks what is there
			subscriberID, channelID, now, now, subscriberID).Scan(ctx, &made)
		if err != nil {
			return err
		}
		if made {
			if err := countSubscriber(ctx, tx, channelID, 1); err != nil {
				return err
			}
			if err := readAll(ctx, tx, subscriberID, &channelID, now); err != nil {
				return err
			}
		}
		sub, err = subscription(ctx, tx, subscriberID, channelID)
		return err
	})
	return sub, err
}

func countSubscriber(ctx context.Context, tx Tx, channelID core.ID, by int) error {
	_, err := tx.NewRaw(`
		insert into channel_counts as k (channel_id, stripe, subscribers) values (?, ?, ?)
		on conflict (channel_id, stripe) do update set subscribers = k.subscribers + excluded.subscribers`, channelID, Stripe(), by).Exec(ctx)
	return err
}

// Unsubscribe implements core.SubscriptionStore.
func (s *Store) Unsubscribe(ctx context.Context, subscriberID, channelID core.ID, now time.Time) error {
	return s.tx(ctx, func(ctx context.Context, tx Tx) error {
		if err := tx.NewRaw("select id from channels where id = ? and deleted_at is null", channelID).Scan(ctx, new(core.ID)); err != nil {
			return err
		}
		res, err := tx.NewRaw("delete from subscriptions where subscriber_id = ? and channel_id = ?", subscriberID, channelID).Exec(ctx)
		if err != nil {
			return err
		}
		if n, err := res.RowsAffected(); err != nil || n == 0 {
			return err
		}
		if err := suppressHeld(ctx, tx, subscriberID, channelID, now); err != nil {
			return err
		}
		return countSubscriber(ctx, tx, channelID, -1)
	})
}

// UpdateSubscription implements core.SubscriptionStore.
func (s *Store) UpdateSubscription(ctx context.Context, subscriberID, channelID core.ID, p core.SubscriptionPatch) (core.Subscription, error) {
	_, err := s.db.NewRaw(`
		update subscriptions set bell = coalesce(?, bell), muted_until = case when ? then ?::timestamptz else muted_until end
		where subscriber_id = ? and channel_id = ?`, p.Bell, p.MutedUntil.Set, p.MutedUntil.Value, subscriberID, channelID).Exec(ctx)
	if err != nil {
		return core.Subscription{}, Error(err)
	}
	return subscription(ctx, s.db, subscriberID, channelID)
}

// Subscriptions implements core.SubscriptionStore.
func (s *Store) Subscriptions(ctx context.Context, subscriberID core.ID, page core.Page) ([]core.Subscription, int64, error) {
	var rows []subscriptionRow
	err := s.db.NewRaw(subscriptions+" order by lower(c.name), c.id"+limit(page), subscriberID).Scan(ctx, &rows)
	if err != nil {
		return nil, 0, Error(err)
	}
	data := make([]core.Subscription, len(rows))
	for i, r := range rows {
		data[i] = r.subscription()
	}
	total, err := s.total(ctx, page, len(data), "subscriptions where subscriber_id = ?", subscriberID)
	return data, total, err
}

// FollowedChannels answers the ids of the channels that the subscriber of a session or access token follows;
// CodeUnauthenticated when it has ended.
func (s *Store) FollowedChannels(ctx context.Context, credentialID core.ID) ([]core.ID, error) {
	var ids []*core.ID
	err := s.db.NewRaw(`
		select s.channel_id from (
			select subscriber_id from sessions where id = ?
			union all
			select subscriber_id from access_tokens where id = ? and revoked_at is null) x
		left join subscriptions s using (subscriber_id)`, credentialID, credentialID).Scan(ctx, &ids)
	if err != nil {
		return nil, Error(err)
	}
	if len(ids) == 0 {
		return nil, core.ErrSessionEnded()
	}
	followed := make([]core.ID, 0, len(ids))
	for _, id := range ids {
		if id != nil { // who follows nothing has one row without a channel
			followed = append(followed, *id)
		}
	}
	return followed, nil
}
