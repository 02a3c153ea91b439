package postgres

import (
	"context"
	"time"

	"github.com/uptrace/bun/dialect/pgdialect"

	"github.com/sininho/sininho/server/internal/core"
)

// A trigger of subscriptions begins digests; delivery tells them.

// replanDigest has the next digest of a person planned anew, unless it is due.
func replanDigest(ctx context.Context, tx Tx, subscriberID core.ID, now time.Time) error {
	_, err := tx.NewUpdate().Table("digests").Set("due_at = 'epoch'").Where("subscriber_id = ?", subscriberID).
		Where("due_at > ?", now).Exec(ctx)
	return err
}

// digestRow is a digest that is due.
type digestRow struct {
	SubscriberID core.ID
	ToldAt       time.Time
	DueAt        *time.Time // nil: it is to be planned
}

// digestStored is how long it takes at most until a notification is stored after its time. What was published since
// then is told the next time.
const digestStored = time.Minute

// TakeDigests plans the next digests of people, at most that many, and returns those that are told now, and how many it
// took. It leaves out those that another transaction has locked, and deletes those of people who want none any more.
func TakeDigests(ctx context.Context, tx Tx, most int, now time.Time) (told []core.Digest, taken int, err error) {
	due, err := Hot[digestRow](ctx, tx, `
		select subscriber_id, told_at, nullif(due_at, 'epoch') as due_at from digests
		where due_at <= $1 order by due_at limit $2 for update skip locked`, now, most)
	if err != nil || len(due) == 0 {
		return nil, 0, err
	}
	ids := make([]core.ID, len(due))
	for i, r := range due {
		ids[i] = r.SubscriberID
	}
	hours, err := digestHours(ctx, tx, ids) // after they are locked, so that no change of the hours is missed
	if err != nil {
		return nil, 0, err
	}
	toldAt, dueAt := make([]time.Time, len(due)), make([]*time.Time, len(due))
	for i, r := range due {
		toldAt[i] = r.ToldAt
		at, wanted := hours[r.SubscriberID]
		if !wanted {
			continue
		}
		var planned time.Time
		if r.DueAt != nil {
			planned = *r.DueAt
		}
		tell, next := at.Judge(planned, r.ToldAt, now)
		if dueAt[i] = &next; tell {
			toldAt[i] = now.Add(-digestStored)
			told = append(told, core.Digest{SubscriberID: r.SubscriberID, Since: r.ToldAt, Until: toldAt[i]})
		}
	}
	// Raw, because each row gets values of its own.
	_, err = tx.NewRaw(`
		with planned as (
			select * from unnest(?::uuid[], ?::timestamptz[], ?::timestamptz[]) v (id, told_at, due_at)
		), ended as (
			delete from digests g using planned v where g.subscriber_id = v.id and v.due_at is null
		)
		update digests g set told_at = v.told_at, due_at = v.due_at
		from planned v where g.subscriber_id = v.id and v.due_at is not null`,
		pgdialect.Array(ids), pgdialect.Array(toldAt), pgdialect.Array(dueAt)).Exec(ctx)
	return told, len(due), err
}

// digestHours returns when those of the people want to be told who have a channel with the bell for it.
func digestHours(ctx context.Context, tx Tx, ids []core.ID) (map[core.ID]core.DigestHours, error) {
	var people []subscriberRow
	err := tx.NewSelect().Model(&people).Where("s.id = any (?::uuid[])", pgdialect.Array(ids)).
		Where("exists (select from subscriptions x where x.subscriber_id = s.id and x.bell = ?)", core.BellDigest).
		Scan(ctx)
	hours := make(map[core.ID]core.DigestHours, len(people))
	for _, p := range people {
		hours[p.ID] = p.subscriber().DigestHours()
	}
	return hours, err
}

// Came returns for each digest how much of the channels with the bell for it, that are not muted, came meanwhile and is
// unread; those with the most are first. What is important has been pushed, and is left out.
func Came(ctx context.Context, db *DB, digests []core.Digest, now time.Time) ([][]core.Came, error) {
	var ids []core.ID
	var since, until []time.Time
	for _, d := range digests {
		ids, since, until = append(ids, d.SubscriberID), append(since, d.Since), append(until, d.Until)
	}
	var rows []struct {
		Digest  int    `bun:"digest"`
		Channel string `bun:"channel"`
		Count   int    `bun:"count"`
	}
	// Raw, because it starts from columns and not from a table.
	err := db.NewRaw(`
		select w.digest - 1 as digest, c.name as channel, k.count
		from unnest(?::uuid[], ?::timestamptz[], ?::timestamptz[]) with ordinality
			w (subscriber_id, since, until, digest)
		join subscriptions s on s.subscriber_id = w.subscriber_id and s.bell = ?
			and coalesce(s.muted_until <= ?, true) and `+isShown+`
		join channels c on c.id = s.channel_id
		cross join lateral (
			select count(*) as count from (
				select n.id, n.ordinal, n.importance, n.expires_at from notifications n
				where n.channel_id = s.channel_id and n.visible
					and n.published_at > w.since and n.published_at <= w.until
				order by n.published_at desc, n.id desc limit ?
			) n`+joinReceipt("s.subscriber_id")+`
			where not `+IsRead+` and r.archived_at is null and n.importance <> ? and coalesce(n.expires_at > ?, true)
		) k
		where k.count > 0
		order by w.digest, k.count desc, lower(c.name), c.id`,
		pgdialect.Array(ids), pgdialect.Array(since), pgdialect.Array(until), core.BellDigest, now, core.DigestCounted,
		core.Important, now).Scan(ctx, &rows)
	came := make([][]core.Came, len(digests))
	for _, r := range rows {
		came[r.Digest] = append(came[r.Digest], core.Came{Channel: r.Channel, Count: r.Count})
	}
	return came, Error(err)
}
