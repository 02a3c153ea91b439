package postgres

import (
	"context"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

// Prune deletes what is kept for a time only: idempotency keys, device sign-ins, webhooks' events and replaced secrets,
// what was sent to event endpoints, addresses that nobody confirmed, and sessions that have ended, whose devices are retired unless the person has come back with them. Then it purges the
// channels that were deleted.
func (s *Store) Prune(ctx context.Context, now time.Time) error {
	if err := s.prune(ctx, now); err != nil {
		return err
	}
	return s.purgeChannels(ctx)
}

func (s *Store) prune(ctx context.Context, now time.Time) error {
	return s.tx(ctx, func(ctx context.Context, tx Tx) error {
		if err := Unlimited(ctx, tx); err != nil { // it takes as long as it takes
			return err
		}
		if _, err := tx.NewRaw("delete from idempotency_keys where created_at < ?", now.Add(-core.IdempotencyKept)).Exec(ctx); err != nil {
			return err
		}
		if _, err := tx.NewRaw("delete from device_sign_ins where expires_at < ?", now).Exec(ctx); err != nil {
			return err
		}
		if _, err := tx.NewRaw("delete from webhook_events where received_at < ?", now.Add(-core.EventsKept)).Exec(ctx); err != nil {
			return err
		}
		if _, err := tx.NewRaw("update webhooks set previous_secret_sealed = null, previous_secret_until = null where previous_secret_until <= ?", now).Exec(ctx); err != nil {
			return err
		}
		if err := pruneEvents(ctx, tx, now); err != nil {
			return err
		}
		if err := pruneWaitlist(ctx, tx, now); err != nil {
			return err
		}
		_, err := tx.NewRaw(`
			with ended as (
				delete from sessions where seen_at < ? or created_at < ? returning id, device_id
			)
			update devices d set retired_at = ?, retired_cause = ? from ended
			where d.id = ended.device_id and d.retired_at is null
				and not exists (select from sessions x where x.device_id = d.id and x.id not in (select id from ended))`,
			now.Add(-core.SessionIdle), now.Add(-core.SessionLife), now, core.RetiredSignedOut).Exec(ctx)
		return err
	})
}
