package postgres

import (
	"bytes"
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/uptrace/bun"

	"github.com/sininho/sininho/server/internal/core"
)

// receiptChange is a change of one receipt.
type receiptChange struct {
	subscriberID, notificationID core.ID
	receiptPatch
	at time.Time
}

// receiptPatch is core.ReceiptPatch, which cannot be compared.
type receiptPatch struct{ read, archived choice }

// choice is a bool that may be missing.
type choice struct{ made, value bool }

func choose(p *bool) choice { return choice{p != nil, p != nil && *p} }

func (c choice) argument() *bool {
	if !c.made {
		return nil
	}
	return &c.value
}

// changedReceipt is what became of a change.
type changedReceipt struct {
	notification core.Notification
	completes    bool
	err          error
}

// UpdateReceipt implements core.FeedStore. Many people do it at the same time, so their changes share statements,
// except where they postpone something.
func (s *Store) UpdateReceipt(ctx context.Context, subscriberID, notificationID core.ID, p core.ReceiptPatch,
	now time.Time) (core.Notification, error) {
	if p.SnoozedUntil.Set {
		return s.snooze(ctx, subscriberID, notificationID, p.SnoozedUntil.Value, now)
	}
	patch := receiptPatch{choose(p.Read), choose(p.Archived)}
	changed, err := s.receipts.get(ctx, receiptChange{subscriberID, notificationID, patch, now})
	if err == nil {
		err = changed.err
	}
	if err == nil && changed.completes {
		err = s.passRead(ctx, subscriberID, notificationID)
	}
	return changed.notification, Error(err)
}

// changeReceipts makes changes, in one statement for those of the same kind.
func (s *Store) changeReceipts(ctx context.Context, changes []receiptChange) (
	map[receiptChange]changedReceipt, error) {
	all := make(map[receiptChange]changedReceipt, len(changes))
	for _, round := range receiptRounds(changes) {
		changed, err := s.changeRound(ctx, round)
		switch {
		case err != nil && len(round) == 1:
			all[round[0]] = changedReceipt{err: err}
		case err != nil:
			maps.Copy(all, s.changeAlone(ctx, round))
		default:
			maps.Copy(all, changed)
		}
	}
	return all, nil
}

// changeAlone makes each change in a statement of its own, so that the fault of one is not that of the others.
func (s *Store) changeAlone(ctx context.Context, round []receiptChange) map[receiptChange]changedReceipt {
	all := make(map[receiptChange]changedReceipt, len(round))
	var mu sync.Mutex
	var running sync.WaitGroup
	for _, c := range round {
		running.Go(func() {
			changed, err := s.changeRound(ctx, []receiptChange{c})
			if err != nil {
				changed = map[receiptChange]changedReceipt{c: {err: err}}
			}
			mu.Lock()
			defer mu.Unlock()
			maps.Copy(all, changed)
		})
	}
	running.Wait()
	return all
}

// receiptRounds splits changes by what a statement can do at once: the same, to one receipt of each subscriber. They
// are sorted, so two statements that wait for receipts of each other's subscribers wait in the same order.
func receiptRounds(changes []receiptChange) map[receiptRound][]receiptChange {
	slices.SortFunc(changes, func(a, b receiptChange) int {
		return bytes.Compare(a.subscriberID[:], b.subscriberID[:])
	})
	rounds := map[receiptRound][]receiptChange{}
	turn := 0
	for i, c := range changes {
		if turn++; i == 0 || changes[i-1].subscriberID != c.subscriberID {
			turn = 0
		}
		round := receiptRound{c.receiptPatch, turn}
		rounds[round] = append(rounds[round], c)
	}
	return rounds
}

// receiptRound is a statement: the patch that it makes, and how many of the same subscriber's come before.
type receiptRound struct {
	receiptPatch
	turn int
}

// roundTimeout is how long the changes of many wait for a receipt that something else holds.
const roundTimeout = gatherTimeout / 3

// changeRound makes the changes of a round. It returns nothing for notifications that are not in the subscriber's feed.
func (s *Store) changeRound(ctx context.Context, round []receiptChange) (map[receiptChange]changedReceipt, error) {
	if len(round) > 1 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, roundTimeout)
		defer cancel()
	}
	bySubscriber := make(map[core.ID]receiptChange, len(round))
	subscribers, notifications, times := make([]core.ID, len(round)), make([]core.ID, len(round)),
		make([]time.Time, len(round))
	for i, c := range round {
		bySubscriber[c.subscriberID] = c
		subscribers[i], notifications[i], times[i] = c.subscriberID, c.notificationID, c.at
	}
	rows, err := Hot[struct {
		SubscriberID core.ID
		notificationRow
		Completes bool
	}](ctx, s.db, `
		with r as (`+putReceipts+`)
		select r.subscriber_id, `+notificationColumns+`, `+readState+`, coalesce($3, false) and `+completes+`
		from r
		join notifications n on n.id = r.notification_id`+joinSubscription("r.subscriber_id")+`
		join channels c on c.id = n.channel_id
		join publishers p on p.id = c.publisher_id`,
		UUIDs(subscribers), UUIDs(notifications), round[0].read.argument(), round[0].archived.argument(), times)
	changed := make(map[receiptChange]changedReceipt, len(rows))
	for _, row := range rows {
		c := bySubscriber[row.SubscriberID]
		changed[c] = changedReceipt{notification: row.notification(), completes: row.Completes}
	}
	return changed, err
}

// receiptRow is what a subscriber did with a notification. Read is nil where their subscription says the same.
type receiptRow struct {
	bun.BaseModel `bun:"table:receipts,alias:r"`

	SubscriberID   core.ID    `bun:"subscriber_id,pk"`
	NotificationID core.ID    `bun:"notification_id,pk"`
	Read           *bool      `bun:"read"`
	ReadAt         *time.Time `bun:"read_at"`
	ArchivedAt     *time.Time `bun:"archived_at"`
	SnoozedUntil   *time.Time `bun:"snoozed_until"`
	OpenedAt       *time.Time `bun:"opened_at"`
}

// isShown is true unless the channel of subscription s is suspended. It looks the channel up in an index of suspended
// ones, which is nearly empty. It is a scalar subquery, because PostgreSQL might turn a join into a scan of all of
// them, and within "not coalesce", because it expects "is null" to be true of one row in 200.
const isShown = `
	not coalesce((select x.suspended from channels x where x.id = s.channel_id and x.suspended), false)`

// putReceipts inserts receipts of subscribers $1 for notifications $2, in lists of the same length, or changes those
// that exist: whether they are read ($3) or archived ($4), where these are not NULL; the latter ends a postponement.
// The times are $5; of two the first is kept. Notifications that are not in the subscriber's feed are left out.
var putReceipts = `
	insert into receipts as r (subscriber_id, notification_id, read, read_at, archived_at)
	select s.subscriber_id, n.id, case when not $3::boolean or n.ordinal > s.read_ordinal then $3 end,
		case when $3 then v.at end, case when $4::boolean then v.at end
	from unnest($1::uuid[], $2::uuid[], $5::timestamptz[]) v (subscriber_id, notification_id, at)
	join notifications n on n.id = v.notification_id and n.visible` + joinSubscription("v.subscriber_id") + `
	where ` + isShown + `
	order by s.subscriber_id
	on conflict (subscriber_id, notification_id) do update set
		read = case when $3 is null then r.read else excluded.read end,
		read_at = case when $3 is null then r.read_at when $3 then coalesce(r.read_at, excluded.read_at) end,
		archived_at = case when $4 is null then r.archived_at
			when $4 then coalesce(case when r.snoozed_until is null then r.archived_at end, excluded.archived_at) end,
		snoozed_until = case when $4 is null then r.snoozed_until end
	returning r.subscriber_id, r.notification_id, r.read, r.read_at, r.archived_at, r.snoozed_until`

// joinSubscription joins the subscription of a subscriber to the channel of each notification n. It is looked up for
// each row: joined, PostgreSQL may read the subscriptions of all followers of the channel.
func joinSubscription(subscriber string) string {
	return `
	cross join lateral (
		select * from subscriptions where subscriber_id = ` + subscriber + ` and channel_id = n.channel_id offset 0
	) s`
}

// passedAtOnce is how many publications are looked at to find the first that is unread.
const passedAtOnce = "1000"

// afterRead selects the first publications o of a channel after the last one that subscription s has read.
const afterRead = `(
			select id, ordinal, withdrawn_at from notifications
			where channel_id = s.channel_id and ordinal > s.read_ordinal
			order by ordinal limit ` + passedAtOnce + `) o`

// completes is whether receipt r of notification n was one that passRead waited for: n is read, and the first
// publication after the last one read is read too, or many are withdrawn. Of several that are read at the same time it
// may miss the last: then the next one passes them all.
const completes = `
	coalesce(r.read and coalesce((
		select o.id = n.id or exists (select from receipts p
			where p.subscriber_id = s.subscriber_id and p.notification_id = o.id and p.read)
		from ` + afterRead + `
		where o.withdrawn_at is null
		order by o.ordinal limit 1), true), false) as completes`

// passRead moves the position up to which subscriber $1 has read the channel of notification $2, over what they read
// one by one after it, and what is withdrawn. Those receipts no longer count. One that is marked as unread meanwhile
// stays unread. It passes a part of very many; the next one passes more.
func (s *Store) passRead(ctx context.Context, subscriberID, notificationID core.ID) error {
	conn, err := s.db.acquire(ctx)
	if err != nil {
		return Error(err)
	}
	defer conn.Release()
	_, err = conn.Exec(ctx, `
		with run as materialized (
			select s.subscriber_id, s.channel_id, s.read_ordinal, coalesce((
				select o.ordinal - 1 from `+afterRead+`
				where o.withdrawn_at is null and not exists (select from receipts r
					where r.subscriber_id = s.subscriber_id and r.notification_id = o.id and r.read)
				order by o.ordinal limit 1), (select max(o.ordinal) from `+afterRead+`), 0) as last
			from notifications n
			join subscriptions s on s.channel_id = n.channel_id and s.subscriber_id = $1
			where n.id = $2
		), passed as (
			update subscriptions s set read_ordinal = greatest(s.read_ordinal, run.last) from run
			where run.last > run.read_ordinal and s.subscriber_id = run.subscriber_id and s.channel_id = run.channel_id
			returning run.*
		)
		update receipts r set read = null
		from passed p
		join notifications n on n.channel_id = p.channel_id and n.ordinal > p.read_ordinal and n.ordinal <= p.last
		where r.subscriber_id = p.subscriber_id and r.notification_id = n.id and r.read`,
		s.db.hot, subscriberID, notificationID)
	return err
}

// RecordOpened implements core.FeedStore.
func (s *Store) RecordOpened(ctx context.Context, subscriberID, notificationID core.ID, now time.Time) (
	first bool, err error) {
	var put []struct{ Completes bool }
	err = s.tx(ctx, func(ctx context.Context, tx Tx) error {
		put, err = Hot[struct{ Completes bool }](ctx, tx, `
			with r as (`+putReceipts+`)
			select `+completes+`
			from r
			join notifications n on n.id = r.notification_id`+joinSubscription("r.subscriber_id"),
			UUIDs([]core.ID{subscriberID}), UUIDs([]core.ID{notificationID}), true, nil, []time.Time{now})
		if err == nil && len(put) == 0 {
			err = core.NotFound()
		}
		if err != nil {
			return err
		}
		r := receiptRow{SubscriberID: subscriberID, NotificationID: notificationID, OpenedAt: &now}
		// putReceipts has locked the row.
		res, err := tx.NewUpdate().Model(&r).Column("opened_at").WherePK().Where("r.opened_at is null").Exec(ctx)
		if err != nil {
			return err
		}
		opened, err := res.RowsAffected()
		first = opened > 0
		return err
	})
	if err == nil && put[0].Completes {
		err = Error(s.passRead(ctx, subscriberID, notificationID))
	}
	return first, err
}
