package delivery

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/postgres"
)

// releaseSize is how many notifications are released in one transaction. It is small, because publishers wait.
const releaseSize = 200

// Release publishes scheduled notifications that are due and hides expired ones, at most releaseSize of each. It
// returns how many it changed.
func (s *Stream) Release(ctx context.Context) (int, error) {
	now := s.Now()
	if due, err := anyDue(ctx, s.DB, now); err != nil || !due {
		return 0, postgres.Error(err) // without taking the lock
	}
	all, err := s.locked(ctx, func(ctx context.Context, tx postgres.Tx) ([]placed, error) {
		moves, err := publishDue(ctx, tx, now)
		if err != nil {
			return nil, err
		}
		expired, err := hideExpired(ctx, tx, now)
		if err != nil {
			return nil, err
		}
		return place(ctx, tx, append(moves, expired...), now)
	})
	return len(all), postgres.Error(err)
}

// isDue and isExpired select notifications n at a time.
const (
	isDue     = "n.published_at is null and n.withdrawn_at is null and n.scheduled_at <= ?"
	isExpired = "n.visible and n.expires_at <= ?"
)

func anyDue(ctx context.Context, db bun.IDB, now time.Time) (due bool, err error) {
	for _, condition := range []string{isDue, isExpired} {
		due, err = db.NewSelect().TableExpr("notifications as n").
			Join("join channels c on c.id = n.channel_id and c.deleted_at is null").Where(condition, now).Exists(ctx)
		if err != nil || due {
			return due, err
		}
	}
	return false, nil
}

// publishDue publishes what is due, unless it has expired meanwhile: that is published without ever being visible.
func publishDue(ctx context.Context, tx postgres.Tx, now time.Time) ([]move, error) {
	var released []struct {
		ID      core.ID
		Visible bool
	}
	// Raw, because it changes the rows that it locks.
	err := tx.NewRaw(`
		with due as (
			select n.id, n.scheduled_at from notifications n
			join channels c on c.id = n.channel_id and c.deleted_at is null
			where `+isDue+` order by n.scheduled_at limit ? for no key update of n skip locked
		), published as (
			update notifications n
			set published_at = ?, visible = coalesce(n.expires_at > ?, true)
			from due where n.id = due.id returning n.id, n.visible
		)
		select p.id, p.visible from published p join due using (id) order by due.scheduled_at, p.id`,
		now, releaseSize, now, now).Scan(ctx, &released)
	moves := make([]move, len(released))
	for i, r := range released {
		moves[i] = move{ID: r.ID, First: true}
		if r.Visible {
			moves[i].Shown = 1
		}
	}
	return moves, err
}

func hideExpired(ctx context.Context, tx postgres.Tx, now time.Time) ([]move, error) {
	var ids []core.ID
	// Raw, because it changes the rows that it locks.
	err := tx.NewRaw(`
		with over as (
			select n.id from notifications n
			join channels c on c.id = n.channel_id and c.deleted_at is null
			where `+isExpired+` order by n.expires_at limit ? for no key update of n skip locked
		)
		update notifications n set visible = false from over where n.id = over.id returning n.id`,
		now, releaseSize).Scan(ctx, &ids)
	moves := make([]move, len(ids))
	for i, id := range ids {
		moves[i] = move{ID: id, Shown: -1}
	}
	return moves, err
}
