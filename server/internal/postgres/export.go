package postgres

import (
	"context"

	"github.com/sininho/sininho/server/internal/core"
)

// Export implements core.SubscriberStore. All is read from one snapshot.
func (s *Store) Export(ctx context.Context, id core.ID) (e core.Export, err error) {
	err = s.db.InSnapshot(ctx, func(ctx context.Context, tx Tx) error {
		if e.Subscriber, err = subscriber(ctx, tx, "select "+subscriberColumns+" from subscribers where id = ?", id); err != nil {
			return err
		}
		if e.Onboarding, err = onboarding(ctx, tx, "select "+onboardingColumns+" from subscribers where id = ?", id); err != nil {
			return err
		}
		if err := tx.NewRaw("select google_subject from subscribers where id = ?", id).Scan(ctx, &e.GoogleSubject); err != nil {
			return err
		}
		var rows []subscriptionRow
		if err := tx.NewRaw(subscriptions+" order by s.followed_at, c.id", id, id).Scan(ctx, &rows); err != nil {
			return err
		}
		for _, r := range rows {
			e.Subscriptions = append(e.Subscriptions, r.subscription())
		}
		if err := tx.NewRaw(publishers+" where exists (select from publisher_members m where m.publisher_id = p.id and m.subscriber_id = v.reader) order by p.slug", id).
			Scan(ctx, &e.Publishers); err != nil {
			return err
		}
		return exportLists(ctx, tx, id, &e)
	})
	return e, Error(err)
}

// exportLists reads what is kept as it is exported.
func exportLists(ctx context.Context, tx Tx, id core.ID, e *core.Export) error {
	for _, list := range []struct {
		query string
		into  any
	}{
		{`select notification_id, case when read then read_at end as read_at, archived_at, displayed_at, opened_at
			from receipts where subscriber_id = ? order by notification_id`, &e.Receipts},
		{"select " + deviceColumns + " from devices where subscriber_id = ? order by created_at, id", &e.Devices},
		{"select id, subscriber_id, device_id, created_at, seen_at from sessions where subscriber_id = ? order by created_at, id", &e.Sessions},
		{`select email, coalesce(name, '') as name, locale, referral_code, referrals, created_at, confirmed_at, invited_at, joined_at
			from waitlist_entries where subscriber_id = ? order by created_at, id`, &e.Waitlist},
		{"select " + accessTokenColumns + " from access_tokens where subscriber_id = ? order by created_at, id", &e.AccessTokens},
	} {
		if err := tx.NewRaw(list.query, id).Scan(ctx, list.into); err != nil {
			return err
		}
	}
	return nil
}
