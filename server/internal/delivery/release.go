package delivery

import (
	"context"
	"time"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/pgdialect"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/postgres"
)

// releaseSize is how many notifications are released in one transaction. It is small, because publishers wait.
const releaseSize = 200

// Release publishes scheduled notifications that are due and hides expired ones, at most releaseSize of each. It
// returns how many it changed.
func (w *Writer) Release(ctx context.Context) (int, error) {
	now := w.Now()
	scheduled, err := due(ctx, w.DB, isScheduled, "scheduled_at", now)
	if err != nil {
		return 0, err
	}
	expiring, err := due(ctx, w.DB, isExpiring, "expires_at", now)
	if err != nil || len(scheduled)+len(expiring) == 0 {
		return 0, err // without taking the lock
	}
	all, err := w.locked(ctx, func(ctx context.Context, tx postgres.Tx) ([]positioned, error) {
		moves, err := publishDue(ctx, tx, scheduled, now)
		if err != nil {
			return nil, err
		}
		expired, err := hideExpired(ctx, tx, expiring, now)
		if err != nil {
			return nil, err
		}
		return givePositions(ctx, tx, append(moves, expired...), now)
	})
	return len(all), postgres.Error(err)
}

// isScheduled and isExpiring select the notifications that something will become of at a time.
const (
	isScheduled = "published_at is null and withdrawn_at is null"
	isExpiring  = "visible and expires_at is not null"
	// ofChannel leaves out those of deleted channels, which are purged.
	ofChannel = "join channels c on c.id = n.channel_id and c.deleted_at is null"
)

// due returns up to releaseSize of the selected notifications whose time has come. When there are more, each account
// has as many of them as any other.
func due(ctx context.Context, db bun.IDB, selected, at string, now time.Time) (ids []core.ID, err error) {
	err = db.NewSelect().TableExpr("notifications n").Column("n.id").
		Join(ofChannel).
		Where(selected).Where("? <= ?", bun.Ident(at), now).OrderExpr("?", bun.Ident(at)).Limit(releaseSize+1).
		Scan(ctx, &ids)
	if err != nil || len(ids) <= releaseSize {
		return ids, postgres.Error(err)
	}
	ids = nil
	// Raw, because it skips from one channel to the next along an index.
	err = db.NewRaw(`
		with recursive channel as (
			(select channel_id from notifications where ?0 order by channel_id limit 1)
			union all
			select n.channel_id from channel c cross join lateral (
				select channel_id from notifications where ?0 and channel_id > c.channel_id
				order by channel_id limit 1) n
		), due as (
			select n.id, n.at, row_number() over (partition by coalesce(p.account_id, p.id) order by n.at, n.id) as turn
			from channel c join channels k on k.id = c.channel_id and k.deleted_at is null
			join publishers p on p.id = k.publisher_id
			cross join lateral (
				select id, ?1 as at from notifications
				where ?0 and channel_id = c.channel_id and ?1 <= ?2 order by ?1 limit ?3) n
		)
		select id from due order by turn, at, id limit ?3`,
		bun.Safe(selected), bun.Ident(at), now, releaseSize).Scan(ctx, &ids)
	return ids, postgres.Error(err)
}

// publishDue publishes what is still due, unless it has expired meanwhile: that is published without being visible.
func publishDue(ctx context.Context, tx postgres.Tx, ids []core.ID, now time.Time) ([]move, error) {
	var released []struct {
		ID      core.ID
		Visible bool
	}
	// Raw, because it changes the rows that it locks.
	err := tx.NewRaw(`
		with due as (
			select n.id, n.scheduled_at from notifications n `+ofChannel+`
			where n.id = any (?::uuid[]) and `+isScheduled+` and scheduled_at <= ? for no key update of n skip locked
		), published as (
			update notifications n
			set published_at = ?, visible = coalesce(n.expires_at > ?, true)
			from due where n.id = due.id returning n.id, n.visible
		)
		select p.id, p.visible from published p join due using (id) order by due.scheduled_at, p.id`,
		pgdialect.Array(ids), now, now, now).Scan(ctx, &released)
	moves := make([]move, len(released))
	for i, r := range released {
		moves[i] = move{ID: r.ID, Published: true}
		if r.Visible {
			moves[i].Shown = 1
		}
	}
	return moves, err
}

func hideExpired(ctx context.Context, tx postgres.Tx, ids []core.ID, now time.Time) ([]move, error) {
	var hidden []core.ID
	// Raw, because it changes the rows that it locks.
	err := tx.NewRaw(`
		with over as (
			select n.id from notifications n `+ofChannel+`
			where n.id = any (?::uuid[]) and `+isExpiring+` and expires_at <= ? for no key update of n skip locked
		)
		update notifications n set visible = false from over where n.id = over.id returning n.id`,
		pgdialect.Array(ids), now).Scan(ctx, &hidden)
	moves := make([]move, len(hidden))
	for i, id := range hidden {
		moves[i] = move{ID: id, Shown: -1}
	}
	return moves, err
}
