package postgres

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"github.com/sininho/sininho/server/internal/core"
)

// Export implements core.SubscriberStore. It reads one snapshot.
func (s *Store) Export(ctx context.Context, id core.ID, now time.Time) (e core.Export, err error) {
	err = s.db.inSnapshot(ctx, func(ctx context.Context, tx Tx) error {
		person := subscriberRow{ID: id}
		if err := tx.NewSelect().Model(&person).WherePK().Scan(ctx); err != nil {
			return err
		}
		e.Subscriber, e.GoogleSubject = person.subscriber(), person.GoogleSubject
		if e.Onboarding, err = onboarding(ctx, tx, id); err != nil {
			return err
		}
		followed := selectSubscriptions(tx, id).Order("s.followed_at", "c.id")
		if e.Subscriptions, err = all(ctx, followed, subscriptionRow.subscription); err != nil {
			return err
		}
		joined := selectPublishers(tx, &id).Order("p.slug").
			Where("exists (select from publisher_members m where m.publisher_id = p.id and m.subscriber_id = ?)", id)
		if e.Publishers, err = all(ctx, joined, publisherRow.publisher); err != nil {
			return err
		}
		return exportLists(ctx, tx, id, now, &e)
	})
	return e, Error(err)
}

func (r receiptRow) receipt() core.Receipt {
	return core.Receipt{
		NotificationID: r.NotificationID, ReadAt: r.ReadAt, ArchivedAt: r.ArchivedAt, DisplayedAt: r.DisplayedAt,
		OpenedAt: r.OpenedAt,
	}
}

type exportedEntryRow struct {
	bun.BaseModel `bun:"table:waitlist_entries,alias:w"`

	Email        string     `bun:"email"`
	Name         string     `bun:"name"`
	Locale       string     `bun:"locale"`
	ReferralCode string     `bun:"referral_code"`
	Referrals    int64      `bun:"referrals"`
	CreatedAt    time.Time  `bun:"created_at"`
	ConfirmedAt  *time.Time `bun:"confirmed_at"`
	InvitedAt    *time.Time `bun:"invited_at"`
	JoinedAt     *time.Time `bun:"joined_at"`
}

func (r exportedEntryRow) entry() core.ExportedEntry {
	return core.ExportedEntry{
		Email: r.Email, Name: r.Name, Locale: r.Locale, ReferralCode: r.ReferralCode, Referrals: r.Referrals,
		CreatedAt: r.CreatedAt, ConfirmedAt: r.ConfirmedAt, InvitedAt: r.InvitedAt, JoinedAt: r.JoinedAt,
	}
}

// exportLists reads the lists that are exported whole.
func exportLists(ctx context.Context, tx Tx, id core.ID, now time.Time, e *core.Export) (err error) {
	theirs := func(order ...string) *bun.SelectQuery {
		return tx.NewSelect().Where("subscriber_id = ?", id).Order(order...)
	}
	if e.Receipts, err = all(ctx, theirs("notification_id"), receiptRow.receipt); err != nil {
		return err
	}
	if e.Devices, err = all(ctx, theirs("created_at", "id"), deviceRow.device); err != nil {
		return err
	}
	if e.Sessions, err = all(ctx, theirs("created_at", "id"), sessionRow.session); err != nil {
		return err
	}
	if e.Waitlist, err = all(ctx, theirs("created_at", "id"), exportedEntryRow.entry); err != nil {
		return err
	}
	if e.Invitations, err = exportInvitations(ctx, tx, id, now); err != nil {
		return err
	}
	if e.AccessTokens, err = all(ctx, theirs("created_at", "id"), accessTokenRow.accessToken); err != nil {
		return err
	}
	reports := selectReports(tx).Where("r.reporter_id = ?", id).Order("r.id")
	if e.Reports, err = all(ctx, reports, reportRow.report); err != nil {
		return err
	}
	e.AuditLog, err = all(ctx, selectAuditLog(tx).Where("a.actor_id = ?", id).Order("a.id"), auditRow.entry)
	return err
}
