package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"github.com/sininho/sininho/server/internal/core"
)

// Prune deletes expired data: idempotency keys, former names of channels, sign-ins, known browsers, counts of emails,
// webhook events, event deliveries, membership invitations, former subscriptions, closed reports, answered requests for
// publishers, entries of the audit log, samples of the nodes, changes of the numbers of followers, replaced secrets,
// sessions, and anonymous subscribers whom nobody uses. Then it purges deleted channels, what Retention does not keep,
// and uploaded pictures that nothing uses. All of it is deleted in transactions of a limited size, so that nobody waits
// long for a row, and vacuum can free what is deleted meanwhile.
func (s *Store) Prune(ctx context.Context, now time.Time) error {
	return errors.Join(s.pruneRows(ctx, now), s.prune(ctx, now), s.pruneAnonymous(ctx, now), s.purgeChannels(ctx),
		s.pruneNotifications(ctx, now), s.pruneDeliveries(ctx, now), s.prunePictures(ctx, now))
}

// prunedRows is how many rows of a table are deleted in one transaction.
const prunedRows = 5_000

func (s *Store) pruneRows(ctx context.Context, now time.Time) error {
	for _, expired := range []struct {
		table, column string
		before        time.Time
	}{
		{"idempotency_keys", "created_at", now.Add(-core.IdempotencyKept)},
		{"former_channel_names", "until", now.Add(-core.IdempotencyKept)},
		{"device_sign_ins", "expires_at", now},
		{"email_sign_ins", "created_at", now.Add(-core.EmailSignInsKept)},
		{"used_challenges", "expires_at", now},
		{"operator_links", "expires_at", now},
		{"known_browsers", "used_at", now.Add(-core.KnownBrowserLife)},
		{"stranger_emails", "asked_at", now.Add(-core.EmailBudgetWindow)},
		{"email_hours", "hour", now.Add(-2 * core.EmailBudgetWindow)},
		{"webhook_events", "received_at", now.Add(-core.EventsKept)},
		{"event_deliveries", "created_at", now.Add(-core.EventDeliveriesKept)},
		{"membership_invitations", "expires_at", now.Add(-core.InvitationsKept)},
		{"channel_invitations", "expires_at", now.Add(-core.InvitationsKept)},
		{"invitation_times", "invited_at", now.Add(-core.InvitationDay)},
		{"former_subscriptions", "ended_at", now.Add(-core.FormerSubscriptionsKept)},
		{"reports", "closed_at", now.Add(-core.ReportsKept)},
		{"publisher_requests", "answered_at", now.Add(-core.PublisherRequestsKept)},
		{"audit_log", "at", now.Add(-core.AuditKept)},
		{"node_samples", "at", now.Add(-core.HealthKept)},
		{"queue_samples", "at", now.Add(-core.HealthKept)},
		{"channel_days", "day", now.AddDate(0, 0, -core.FollowerDaysShown)},
	} {
		for deleted := int64(prunedRows); deleted == prunedRows; {
			oldest := s.db.NewSelect().Table(expired.table).Column("ctid").
				Where("? < ?", bun.Ident(expired.column), expired.before).Limit(prunedRows)
			result, err := s.db.NewDelete().Table(expired.table).Where("ctid = ANY (ARRAY(?))", oldest).Exec(ctx)
			if err != nil {
				return fmt.Errorf("%s: %w", expired.table, Error(err))
			}
			if deleted, err = result.RowsAffected(); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *Store) prune(ctx context.Context, now time.Time) error {
	return s.tx(ctx, func(ctx context.Context, tx Tx) error {
		if err := Unlimited(ctx, tx); err != nil { // rows may be many
			return err
		}
		for _, table := range []string{"webhooks", "event_endpoints"} {
			_, err := tx.NewUpdate().Table(table).
				Set("previous_secret_sealed = NULL").Set("previous_secret_until = NULL").
				Where("previous_secret_until <= ?", now).Exec(ctx)
			if err != nil {
				return err
			}
		}
		if err := retireUnconfirmed(ctx, tx, now); err != nil {
			return err
		}
		// A pace that has nothing outstanding begins again when it is needed.
		_, err := tx.NewDelete().Table("pacers").Where("name <> 'fcm'").
			Where("next_at < clock_timestamp() - interval '1 hour'").
			Where("paused_until is null or paused_until < clock_timestamp()").Exec(ctx)
		if err != nil {
			return err
		}
		_, err = retireDevices(tx, core.RetiredSignedOut, now).
			Where("access_token_id in (select id from access_tokens where expires_at <= ?)", now).Exec(ctx)
		if err != nil {
			return err
		}
		if err := mergeDays(ctx, tx); err != nil {
			return err
		}
		return pruneSessions(ctx, tx, now)
	})
}

// retireUnconfirmed retires the devices that have accepted no push in time. Those of a push service that pushes have
// waited for lately have more time.
func retireUnconfirmed(ctx context.Context, tx Tx, now time.Time) error {
	_, err := retireDevices(tx, core.RetiredUnconfirmed, now).Where("rings_since IS NULL").
		Where("addressed_at < ?", now.Add(-core.DeviceUnconfirmed)).
		Where(`NOT EXISTS (SELECT FROM pacers p
			WHERE p.name IN (d.service, 'push:' || d.service)
				AND p.paused_until > clock_timestamp() - interval '1 hour')`).Exec(ctx)
	return err
}

// pruneSessions deletes expired sessions of accounts and retires their devices, unless another session has them. It is
// raw because both must see the same sessions.
func pruneSessions(ctx context.Context, tx Tx, now time.Time) error {
	_, err := tx.NewRaw(`
		with ended as (
			delete from sessions where not anonymous and (seen_at < ? or created_at < ?)
			returning id, device_id
		)
		update devices d set retired_at = ?, retired_cause = ? from ended
		where d.id = ended.device_id and d.retired_at is null
			and not exists (select from sessions x where x.device_id = d.id and x.id not in (select id from ended))`,
		now.Add(-core.SessionIdle), now.Add(-core.SessionLife), now, core.RetiredSignedOut).Exec(ctx)
	return err
}
