package delivery

import (
	"context"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/postgres"
)

// followPlans makes everything that is planned and due.
func (d *Dispatcher) followPlans(ctx context.Context) {
	for {
		n, err := d.writer.FollowPlans(ctx)
		if err != nil {
			d.warn(ctx, "making what is planned failed; trying again soon", err)
		}
		if err != nil || n < releaseSize {
			return
		}
	}
}

// FollowPlans publishes what is planned and due, or makes drafts of it, and plans each next time in the same
// transaction, so that each is made once, whichever nodes look and whenever one dies. It returns the number of plans.
func (w *Writer) FollowPlans(ctx context.Context) (n int, err error) {
	now := w.Now()
	ids, err := postgres.DuePlans(ctx, w.DB, releaseSize, now)
	if err != nil || len(ids) == 0 {
		return 0, err // without taking the lock
	}
	_, err = w.locked(ctx, func(ctx context.Context, tx postgres.Tx) ([]positioned, error) {
		due, err := postgres.TakePlans(ctx, tx, ids, now)
		if err != nil || len(due) == 0 {
			return nil, err
		}
		n = len(due)
		published, err := w.publishPlanned(ctx, tx, due)
		if err != nil {
			return nil, err
		}
		return positionedOf(published), postgres.PlanNext(ctx, tx, due, now)
	})
	return n, postgres.Error(err)
}

// publishPlanned publishes what plans have published, makes the drafts of the others, and sets what is missed.
func (w *Writer) publishPlanned(
	ctx context.Context, tx postgres.Tx, due []*postgres.DuePlan,
) (published []*postgres.Publication, err error) {
	now := w.Now()
	var from, drafts []*postgres.DuePlan // from: of published
	for _, d := range due {
		switch {
		case d.Suspended:
			d.Missed = true
		case d.Plan.Makes == core.MakesDraft:
			drafts = append(drafts, d)
		default:
			p := newPublication(ctx, d.Notification(core.ChannelRef{ID: d.ChannelID}, now), core.Idempotency{})
			if d.PlannerID != (core.ID{}) {
				p.By = core.Actor{Kind: core.ActorPerson, ID: d.PlannerID}
			}
			published, from = append(published, p), append(from, d)
		}
	}
	if err := postgres.MakeDrafts(ctx, tx, drafts, w.Drafts, w.StorageQuota, now); err != nil {
		return nil, err
	}
	if len(published) == 0 {
		return nil, nil
	}
	if err := tx.Publish(ctx, published, w.StorageQuota, now); err != nil {
		return nil, err
	}
	for i, p := range published {
		from[i].Missed = !p.Written
	}
	return published, nil
}
