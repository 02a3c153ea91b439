package postgres

import (
	"context"
	"slices"
	"time"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/pgdialect"

	"github.com/sininho/sininho/server/internal/core"
)

// DuePlan is a template whose plan is due.
type DuePlan struct {
	core.Draft

	Suspended bool // its channel
	Missed    bool // nothing was made; set by the caller
}

// duePlanRow is a DuePlan with its channel.
type duePlanRow struct {
	draftRow `bun:",extend"`

	Suspended bool `bun:"suspended,scanonly"`
}

// DuePlans returns the ids of templates whose plans are due, the longest overdue first. When there are more than limit,
// each account has as many of them as any other.
func DuePlans(ctx context.Context, db bun.IDB, limit int, now time.Time) (ids []core.ID, err error) {
	due := db.NewSelect().TableExpr("drafts d").
		Join("JOIN channels c ON c.id = d.channel_id AND c.deleted_at IS NULL").
		Join("JOIN publishers p ON p.id = c.publisher_id").
		ColumnExpr("d.id, d.next_at, row_number() OVER (PARTITION BY coalesce(p.account_id, p.id) "+
			"ORDER BY d.next_at, d.id) AS turn").
		Where("d.next_at <= ?", now)
	err = db.NewSelect().TableExpr("(?) due", due).Column("id").Order("turn", "next_at", "id").Limit(int64(limit)).
		Scan(ctx, &ids)
	return ids, Error(err)
}

// TakePlans locks those of the templates whose plans are still due and that no other node has.
func TakePlans(ctx context.Context, tx Tx, ids []core.ID, now time.Time) ([]*DuePlan, error) {
	var rows []duePlanRow
	err := tx.NewSelect().Model(&rows).ColumnExpr("d.*, c.suspended").
		Join("JOIN channels c ON c.id = d.channel_id AND c.deleted_at IS NULL").
		Where("d.id = ANY (?::uuid[])", pgdialect.Array(ids)).Where("d.next_at <= ?", now).Order("d.next_at", "d.id").
		For("UPDATE OF d SKIP LOCKED").Scan(ctx)
	due := make([]*DuePlan, len(rows))
	for i, r := range rows {
		due[i] = &DuePlan{Draft: r.draft(), Suspended: r.Suspended}
	}
	return due, err
}

// MakeDrafts makes drafts of templates for whoever planned them, and sets Missed of those whose planner has left or has
// most drafts in the channel, or whose publisher has no room.
func MakeDrafts(ctx context.Context, tx Tx, due []*DuePlan, most int, quota int64, now time.Time) error {
	if len(due) == 0 {
		return nil
	}
	made, templates := make([]core.ID, len(due)), make([]core.ID, len(due))
	for i, d := range due {
		made[i], templates[i] = core.NewID(), d.ID
	}
	var done []core.ID
	// Raw, because it joins columns.
	err := tx.NewRaw(`
		insert into drafts (id, channel_id, publisher_id, author_id, content, created_at, updated_at)
		select made, channel_id, publisher_id, planner_id, content, ?2, ?2 from (
			select v.made, d.channel_id, d.publisher_id, d.planner_id, d.content,
				row_number() over (partition by d.channel_id, d.planner_id order by d.next_at)
					+ (select count(*) from drafts o where o.channel_id = c.id and o.author_id = d.planner_id) as nth
			from unnest(?0::uuid[], ?1::uuid[]) v (made, id) join drafts d using (id)
			join channels c on c.id = d.channel_id
			where d.planner_id is not null and not `+isFull("?3")+`
		) v where nth <= ?4
		returning id`, pgdialect.Array(made), pgdialect.Array(templates), now, quota, most).Scan(ctx, &done)
	for i, d := range due {
		d.Missed = !slices.Contains(done, made[i])
	}
	return err
}

// PlanNext stores when plans make something again, and which have made nothing now.
func PlanNext(ctx context.Context, tx Tx, due []*DuePlan, now time.Time) error {
	ids, next, missed := make([]core.ID, len(due)), make([]*time.Time, len(due)), make([]*time.Time, len(due))
	for i, d := range due {
		ids[i], next[i] = d.ID, d.Plan.Next(now)
		if d.Missed {
			missed[i] = &now
		}
	}
	// Raw, because it joins columns.
	_, err := tx.NewRaw(`
		update drafts d set next_at = v.next_at, missed_at = v.missed_at
		from unnest(?::uuid[], ?::timestamptz[], ?::timestamptz[]) v (id, next_at, missed_at) where d.id = v.id`,
		pgdialect.Array(ids), pgdialect.Array(next), pgdialect.Array(missed)).Exec(ctx)
	return err
}
