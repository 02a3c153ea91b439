package postgres

import (
	"context"
	"time"

	"github.com/uptrace/bun/dialect/pgdialect"

	"github.com/sininho/sininho/server/internal/core"
)

// saving is a transaction that moves what an anonymous subscriber has into an account.
type saving struct {
	Tx
	anonymous, account core.ID
	now                time.Time
}

// SaveAnonymous implements core.AnonymousStore. It locks the anonymous subscriber first, as a deletion does, so that of
// several at the same time one moves everything and the others find nobody.
func (s *Store) SaveAnonymous(ctx context.Context, in core.Saving, now time.Time) (ended []core.ID, err error) {
	err = s.tx(ctx, func(ctx context.Context, tx Tx) error {
		m := saving{tx, in.AnonymousID, in.Session.SubscriberID, now}
		anonymous, account, err := m.lock(ctx)
		if err != nil {
			return err
		}
		if in.New {
			account.keepPreferences(anonymous)
			_, err := tx.NewUpdate().Model(&account).WherePK().
				Column("locale", "timezone", "bell_default", "quiet_start", "quiet_end", "digest_at").Exec(ctx)
			if err != nil {
				return err
			}
		}
		if err := m.moveSubscriptions(ctx); err != nil {
			return err
		}
		if err := m.moveDevices(ctx, in); err != nil {
			return err
		}
		if err := s.checkSaved(ctx, tx, m.account); err != nil {
			return err
		}
		if err := rescheduleHeld(ctx, tx, account.subscriber(), now); err != nil {
			return err
		}
		caller := core.Caller{Kind: core.CallerSubscriber, SubscriberID: m.anonymous}
		_, err = tx.NewDelete().Table("idempotency_keys").Where("caller = ?", caller.Identity()).Exec(ctx)
		if err != nil {
			return err
		}
		_, err = tx.NewDelete().Table("sessions").Where("subscriber_id = ?", m.anonymous).Returning("id").
			Exec(ctx, &ended)
		if err != nil {
			return err
		}
		_, err = tx.NewDelete().Table("subscribers").Where("id = ?", m.anonymous).Exec(ctx)
		return err
	})
	return ended, err
}

// lock locks both people. The account stays open to what others store about it, which waits for single rows at most.
func (m saving) lock(ctx context.Context) (anonymous, account subscriberRow, err error) {
	anonymous, account = subscriberRow{ID: m.anonymous}, subscriberRow{ID: m.account}
	err = m.NewSelect().Model(&anonymous).WherePK().Where("anonymous").For("update").Scan(ctx)
	if err != nil {
		return anonymous, account, err
	}
	err = m.NewSelect().Model(&account).WherePK().Where("not anonymous").For("no key update").Scan(ctx)
	if suspension := account.subscriber().Suspension; err == nil && suspension != nil {
		err = core.ErrSuspended(core.SuspendableSubscriber, *suspension)
	}
	return anonymous, account, err
}

// keepPreferences takes those of an anonymous subscriber.
func (r *subscriberRow) keepPreferences(anonymous subscriberRow) {
	r.Locale, r.Timezone, r.BellDefault = anonymous.Locale, anonymous.Timezone, anonymous.BellDefault
	r.QuietStart, r.QuietEnd, r.DigestAt = anonymous.QuietStart, anonymous.QuietEnd, anonymous.DigestAt
}

// moveDevices starts the session of the account with the device that the anonymous subscriber's had, and moves all
// their devices, retired ones too, so that every delivery can be accounted for. Pushes to confirm them go on.
func (m saving) moveDevices(ctx context.Context, in core.Saving) error {
	_, err := retireDevices(m, core.RetiredMoved, m.now).Where("subscriber_id = ?", m.account).
		Where(`installation_id in (select o.installation_id from devices o
			where o.subscriber_id = ? and o.retired_at is null)`, m.anonymous).Exec(ctx)
	if err != nil {
		return err
	}
	session := newSessionRow(in.Session, in.Hash)
	err = m.NewSelect().Table("sessions").Column("device_id").Where("subscriber_id = ?", m.anonymous).
		OrderExpr("seen_at desc").Limit(1).Scan(ctx, &session.DeviceID)
	if err != nil && !core.IsCode(Error(err), core.CodeNotFound) { // it may have been the one that has ended
		return err
	}
	if _, err := m.NewInsert().Model(&session).Exec(ctx); err != nil {
		return err
	}
	_, err = m.NewUpdate().Model((*deviceRow)(nil)).Set("subscriber_id = ?", m.account).
		Set("session_id = case when session_id is not null then ?::uuid end", session.ID).
		Where("subscriber_id = ?", m.anonymous).Exec(ctx)
	if err != nil {
		return err
	}
	_, err = m.NewUpdate().Table("turns").Set("owner = ?", m.account).Where("owner = ?", m.anonymous).Exec(ctx)
	return err
}

// checkSaved fails when an account has more than it may. Otherwise one could have any number by and by.
func (s *Store) checkSaved(ctx context.Context, tx Tx, account core.ID) error {
	followed := tx.NewSelect().Model((*subscriptionRow)(nil)).Where("s.subscriber_id = ?", account)
	if err := s.checkCap(ctx, tx, core.CapSubscriptions, account, followed); err != nil {
		return err
	}
	if err := s.checkCap(ctx, tx, core.CapSnoozed, account, selectSnoozed(tx, account)); err != nil {
		return err
	}
	devices := devicesOf(tx.NewSelect().Model((*deviceRow)(nil)), account)
	return s.checkCap(ctx, tx, core.CapDevices, account, devices)
}

// savedRow is a subscription of an anonymous subscriber, with that of the account to the same channel, if there is one.
type savedRow struct {
	ChannelID   core.ID    `bun:"channel_id"`
	Bell        core.Bell  `bun:"bell"`
	MutedUntil  *time.Time `bun:"muted_until"`
	FollowedAt  time.Time  `bun:"followed_at"`
	ReadOrdinal int64      `bun:"read_ordinal"`
	ReadAt      time.Time  `bun:"read_at"`
	// Since is up to where everything was there, and so counted as read, when the following without an account began.
	Since int64 `bun:"since"`

	Both              bool       `bun:"both"`
	BellOfAccount     core.Bell  `bun:"bell_of_account"`
	MutedOfAccount    *time.Time `bun:"muted_of_account"`
	FollowedByAccount *time.Time `bun:"followed_by_account"`
	ReadByAccount     int64      `bun:"read_by_account"`
	ReadAtByAccount   *time.Time `bun:"read_at_by_account"`
}

// merged returns the subscription that the account has from then on.
func (r savedRow) merged(account core.ID, now time.Time) subscriptionRow {
	out := subscriptionRow{SubscriberID: account, ChannelID: r.ChannelID, Bell: r.Bell, MutedUntil: r.MutedUntil,
		FollowedAt: r.FollowedAt, ReadOrdinal: r.ReadOrdinal, ReadAt: r.ReadAt}
	if !r.Both {
		return out
	}
	had := core.Subscription{Bell: r.BellOfAccount, MutedUntil: r.MutedOfAccount, FollowedAt: *r.FollowedByAccount}
	both := had.Both(core.Subscription{Bell: r.Bell, MutedUntil: r.MutedUntil, FollowedAt: r.FollowedAt}, now)
	out.Bell, out.MutedUntil, out.FollowedAt = both.Bell, both.MutedUntil, both.FollowedAt
	if r.ReadByAccount < r.Since || r.ReadByAccount >= r.ReadOrdinal {
		out.ReadOrdinal, out.ReadAt = r.ReadByAccount, *r.ReadAtByAccount
	}
	return out
}

// since is where all was read when somebody began to follow the channel of subscription s.
const since = `coalesce((
	select n.ordinal from notifications n
	where n.channel_id = s.channel_id and n.visible and n.published_at <= s.followed_at
	order by n.published_at desc, n.id desc limit 1), 0)`

// moveSubscriptions moves what is followed, with what was read, opened and archived. Subscriptions are locked before
// receipts, as passRead does.
func (m saving) moveSubscriptions(ctx context.Context) error {
	_, err := m.NewSelect().Model((*subscriptionRow)(nil)).ColumnExpr("1").
		Where("s.subscriber_id in (?, ?)", m.anonymous, m.account).Order("s.channel_id", "s.subscriber_id").
		For("update").Exec(ctx)
	if err != nil {
		return err
	}
	var rows []savedRow
	err = m.NewSelect().Model((*subscriptionRow)(nil)).
		ColumnExpr("s.channel_id, s.bell, s.muted_until, s.followed_at, s.read_ordinal, s.read_at").
		ColumnExpr("case when a.channel_id is null then -1 else "+since+" end as since").
		ColumnExpr("a.channel_id is not null as both, coalesce(a.bell, '') as bell_of_account").
		ColumnExpr("a.muted_until as muted_of_account, a.followed_at as followed_by_account").
		ColumnExpr("coalesce(a.read_ordinal, 0) as read_by_account, a.read_at as read_at_by_account").
		Join("left join subscriptions a on a.channel_id = s.channel_id and a.subscriber_id = ?", m.account).
		Where("s.subscriber_id = ?", m.anonymous).Order("s.channel_id").Scan(ctx, &rows)
	if err != nil {
		return err
	}
	merged := make([]subscriptionRow, len(rows))
	for i, r := range rows {
		merged[i] = r.merged(m.account, m.now)
	}
	if err := m.moveReceipts(ctx, rows, merged); err != nil {
		return err
	}
	if err := m.putSubscriptions(ctx, merged); err != nil {
		return err
	}
	return m.moveFormer(ctx)
}

// putSubscriptions stores the subscriptions of the account. A channel that both followed has one follower less.
func (m saving) putSubscriptions(ctx context.Context, merged []subscriptionRow) error {
	if len(merged) == 0 {
		return nil
	}
	var put []struct {
		ChannelID core.ID `bun:"channel_id"`
		IsNew     bool    `bun:"is_new"`
	}
	_, err := m.NewInsert().Model(&merged).
		Column("subscriber_id", "channel_id", "bell", "muted_until", "followed_at", "read_ordinal", "read_at").
		On("conflict (subscriber_id, channel_id) do update").
		Set("bell = excluded.bell").Set("muted_until = excluded.muted_until").Set("followed_at = excluded.followed_at").
		Set("read_ordinal = excluded.read_ordinal").Set("read_at = excluded.read_at").
		Returning("channel_id, xmax = 0 as is_new").Exec(ctx, &put)
	if err != nil {
		return err
	}
	for _, p := range put {
		if !p.IsNew {
			if err := addSubscribers(ctx, m.Tx, p.ChannelID, -1); err != nil {
				return err
			}
		}
	}
	return nil
}

// moveFormer moves what is kept of unfollowed channels, unless the account follows them or has something of its own.
func (m saving) moveFormer(ctx context.Context) error {
	// Raw, because the rows to insert are selected.
	_, err := m.NewRaw(`
		insert into former_subscriptions
			(subscriber_id, channel_id, bell, muted_until, read_at, read_ordinal, ended_at)
		select ?0, channel_id, bell, muted_until, read_at, read_ordinal, ended_at from former_subscriptions
		where subscriber_id = ?1
		on conflict do nothing`, m.account, m.anonymous).Exec(ctx)
	if err != nil {
		return err
	}
	_, err = m.NewDelete().Table("former_subscriptions").Where("subscriber_id = ?", m.account).
		Where("channel_id in (select s.channel_id from subscriptions s where s.subscriber_id = ?)", m.account).Exec(ctx)
	return err
}

// readOneByOne is how many notifications of a channel are kept as read one by one.
const readOneByOne = 10_000

// moveReceipts stores receipts of the account for all that either has one of, so that a notification is read, opened or
// archived if it was with the account or without, and comes back at the earlier time if it was postponed, also where
// one of them has archived it. The subscriptions are still as before; r is where the account will have read up to. What
// was there when the following without an account began does not count as read by it, unless that is all that there is
// to go by.
func (m saving) moveReceipts(ctx context.Context, rows []savedRow, merged []subscriptionRow) error {
	channels := make([]core.ID, len(rows))
	sinces, reads := make([]int64, len(rows)), make([]int64, len(rows))
	for i, r := range rows {
		channels[i], sinces[i], reads[i] = r.ChannelID, r.Since, merged[i].ReadOrdinal
	}
	// Raw, because the rows to insert follow from those of both.
	_, err := m.NewRaw(`
		with v as materialized (
			select * from unnest(?2::uuid[], ?3::bigint[], ?4::bigint[]) v (channel_id, since, r)
		), touched as (
			select notification_id from receipts where subscriber_id = ?1
			union
			select x.notification_id from receipts x join notifications n on n.id = x.notification_id
				join v on v.channel_id = n.channel_id
			where x.subscriber_id = ?0
			union
			select n.id from v
			join subscriptions b on b.subscriber_id = ?1 and b.channel_id = v.channel_id
			join subscriptions a on a.subscriber_id = ?0 and a.channel_id = v.channel_id
			cross join lateral (
				select id from notifications
				where channel_id = v.channel_id and ordinal > greatest(v.since, v.r) and ordinal <= b.read_ordinal
				order by ordinal desc limit ?5) n
			where v.r = a.read_ordinal
		), state as (
			select n.id, n.ordinal, coalesce(v.r, a.read_ordinal) as r,
				coalesce(x.read, n.ordinal <= a.read_ordinal, x.read_at is not null)
					or coalesce(y.read, n.ordinal <= b.read_ordinal and (n.ordinal > v.since or y.read_at is not null),
						y.read_at is not null) as is_read,
				coalesce(x.read, y.read) as former,
				coalesce(least(x.read_at, y.read_at), b.read_at) as read_at,
				least(x.archived_at, y.archived_at) as archived_at,
				least(x.snoozed_until, y.snoozed_until) as snoozed_until, least(x.opened_at, y.opened_at) as opened_at
			from touched t join notifications n on n.id = t.notification_id
			left join receipts x on x.subscriber_id = ?0 and x.notification_id = n.id
			left join receipts y on y.subscriber_id = ?1 and y.notification_id = n.id
			left join subscriptions a on a.subscriber_id = ?0 and a.channel_id = n.channel_id
			left join subscriptions b on b.subscriber_id = ?1 and b.channel_id = n.channel_id
			left join v on v.channel_id = n.channel_id
		)
		insert into receipts as x
			(subscriber_id, notification_id, read, read_at, archived_at, snoozed_until, opened_at)
		select ?0, id, case when r is null then former when is_read <> (ordinal <= r) then is_read end,
			case when is_read then read_at end, archived_at, snoozed_until, opened_at
		from state order by id
		on conflict (subscriber_id, notification_id) do update set read = excluded.read, read_at = excluded.read_at,
			archived_at = coalesce(x.archived_at, excluded.archived_at), snoozed_until = excluded.snoozed_until,
			opened_at = coalesce(x.opened_at, excluded.opened_at)`,
		m.account, m.anonymous, UUIDs(channels), pgdialect.Array(sinces), pgdialect.Array(reads), readOneByOne).
		Exec(ctx)
	return err
}
