package delivery

import (
	"context"
	"slices"
	"time"

	"github.com/riverqueue/river"
	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/pgdialect"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/postgres"
)

// Claimed is a changed notification that was taken from the outbox and given its stream position.
type Claimed struct {
	ID          core.ID
	ChannelID   core.ID
	PublisherID core.ID
	Importance  core.Importance
	Position    int64
	New         bool // published just now, to be pushed
	Revised     bool // changed after it was pushed
}

// streamLock is the advisory lock under which stream positions are given, so that a reader who sees one position sees
// all before it. It spells QNSTRM in ASCII; the value is kept, because nodes of an earlier version use the same lock.
const streamLock = 0x51_4e_53_54_52_4d

// Claim takes up to limit changed notifications from the outbox, gives them their stream positions and starts the
// dispatches of new ones.
func Claim(ctx context.Context, tx postgres.Tx, limit int, now time.Time) ([]Claimed, error) {
	if _, err := tx.NewRaw("select pg_advisory_xact_lock(?)", int64(streamLock)).Exec(ctx); err != nil {
		return nil, err
	}
	var claimed []Claimed
	// Raw, because it takes, numbers and updates the same rows.
	err := tx.NewRaw(`
		with taken as (
			select id, channel_id, created_at, ordinal, stream_position is null as first
			from notifications where pending order by created_at, id limit ? for update skip locked
		), numbered as (
			select t.id, t.first, coalesce(t.ordinal,
				row_number() over (partition by t.channel_id, t.ordinal is null order by t.created_at, t.id)
				+ coalesce((select max(o.ordinal) from notifications o where o.channel_id = t.channel_id), 0)
			) as ordinal
			from taken t order by t.created_at, t.id
		), placed as (
			select id, first, ordinal, nextval('stream_positions') as place from numbered
		)
		update notifications n
		set pending = false, stream_position = placed.place, position = coalesce(n.position, placed.place),
			ordinal = placed.ordinal
		from placed, channels c
		where n.id = placed.id and c.id = n.channel_id
		returning n.id, n.channel_id, coalesce(c.publisher_id, '00000000-0000-0000-0000-000000000000') as publisher_id,
			n.importance, placed.place as position,
			placed.first and n.visible and c.deleted_at is null as new,
			not placed.first and c.deleted_at is null as revised`, limit).Scan(ctx, &claimed)
	if err != nil {
		return nil, err
	}
	return claimed, startDispatches(ctx, tx, claimed, now)
}

// startDispatches inserts a dispatch for each new notification.
func startDispatches(ctx context.Context, tx bun.IDB, claimed []Claimed, now time.Time) error {
	var notifications, channels, publishers []core.ID
	var importances []string
	for _, c := range claimed {
		if c.New {
			notifications = append(notifications, c.ID)
			channels = append(channels, c.ChannelID)
			publishers = append(publishers, c.PublisherID)
			importances = append(importances, string(c.Importance))
		}
	}
	if len(notifications) == 0 {
		return nil
	}
	// Raw, because it inserts columns with unnest.
	_, err := tx.NewRaw(`
		insert into dispatches (notification_id, channel_id, publisher_id, importance, started_at, check_at)
		select v.notification, v.channel, v.publisher, v.importance, ?, ?
		from unnest(?::uuid[], ?::uuid[], ?::uuid[], ?::text[]) v (notification, channel, publisher, importance)
		on conflict do nothing`, now, now,
		pgdialect.Array(notifications), pgdialect.Array(channels), pgdialect.Array(publishers),
		pgdialect.Array(importances)).Exec(ctx)
	return err
}

// claimAll empties the outbox.
func (d *Dispatcher) claimAll(ctx context.Context) {
	for {
		claimed, err := d.claim(ctx)
		if err != nil {
			d.warn(ctx, "claim failed; trying again in a second", err)
			return
		}
		if len(claimed) > 0 {
			last := slices.MaxFunc(claimed, func(a, b Claimed) int { return int(a.Position - b.Position) })
			d.Placed(ctx, last.Position)
		}
		if len(claimed) < claimSize {
			return
		}
	}
}

func (d *Dispatcher) claim(ctx context.Context) (claimed []Claimed, err error) {
	err = d.DB.InTx(ctx, func(ctx context.Context, tx postgres.Tx) error {
		if claimed, err = Claim(ctx, tx, claimSize, d.Now()); err != nil {
			return err
		}
		return d.river.Insert(ctx, tx, claimedJobs(claimed))
	})
	return claimed, err
}

func claimedJobs(claimed []Claimed) (jobs []river.InsertManyParams) {
	var published []core.ID
	for _, c := range claimed {
		if c.New {
			published = append(published, c.ID)
		}
		if c.Revised {
			jobs = append(jobs, reviseJobs(c.ID)...)
		}
	}
	for some := range slices.Chunk(published, expandTogether) {
		jobs = append(jobs, river.InsertManyParams{Args: expandArgs{Notifications: pack(some)}})
	}
	return jobs
}

// Release publishes scheduled notifications that are due and hides expired ones, at most limit of each. It returns how
// many it changed.
func Release(ctx context.Context, db bun.IDB, limit int, now time.Time) (int, error) {
	var due, expired int
	// Both statements are raw, because they change the rows that they lock and count them by channel.
	err := db.NewRaw(`
		with due as (
			select n.id from notifications n join channels c on c.id = n.channel_id and c.deleted_at is null
			where n.published_at is null and n.withdrawn_at is null and n.scheduled_at <= ?
			order by n.scheduled_at limit ? for update of n skip locked
		), flipped as (
			update notifications n set published_at = ?, visible = true, pending = true
			from due where n.id = due.id returning n.channel_id
		), counted as (`+countVisible+`)
		select count(*) from flipped`, now, limit, now, postgres.Stripe(), 1).Scan(ctx, &due)
	if err != nil {
		return 0, postgres.Error(err)
	}
	err = db.NewRaw(`
		with over as (
			select id from notifications where visible and expires_at <= ?
			order by expires_at limit ? for update skip locked
		), flipped as (
			update notifications n set visible = false, pending = true
			from over where n.id = over.id returning n.channel_id
		), counted as (`+countVisible+`)
		select count(*) from flipped`, now, limit, postgres.Stripe(), -1).Scan(ctx, &expired)
	return due + expired, postgres.Error(err)
}

// countVisible adds the notifications that were flipped to the counts of their channels.
const countVisible = `
	insert into channel_counts as k (channel_id, stripe, visible)
	select channel_id, ?::smallint, ?::integer * count(*) from flipped group by channel_id
	on conflict (channel_id, stripe) do update set visible = k.visible + excluded.visible`

// release publishes everything that is due and takes out everything that has expired.
func (d *Dispatcher) release(ctx context.Context) {
	for {
		n, err := Release(ctx, d.DB, claimSize, d.Now())
		if err != nil {
			d.warn(ctx, "release failed; trying again in a second", err)
		}
		if err != nil || n < claimSize {
			return
		}
	}
}
