package postgres

import (
	"context"
	"iter"
	"time"

	"github.com/uptrace/bun"

	"github.com/sininho/sininho/server/internal/core"
)

// exportPage is how many items of a long list one statement reads, so that an export of any size takes little memory.
const exportPage = 1000

// Export implements core.SubscriberStore. It reads one snapshot, except for the long lists: a reader who is slow must
// keep no connection.
func (s *Store) Export(ctx context.Context, id core.ID, now time.Time) (e core.Export, err error) {
	err = s.db.inSnapshot(ctx, func(ctx context.Context, tx Tx) error {
		person := subscriberRow{ID: id}
		if err := tx.NewSelect().Model(&person).WherePK().Scan(ctx); err != nil {
			return err
		}
		e.Subscriber = person.subscriber()
		if e.Identities, err = all(ctx, selectIdentities(tx, id), identityRow.identity); err != nil {
			return err
		}
		if e.Passkeys, err = all(ctx, selectPasskeys(tx, id), passkeyRow.passkey); err != nil {
			return err
		}
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
	s.exportLongLists(ctx, id, &e)
	return e, Error(err)
}

func (s *Store) exportLongLists(ctx context.Context, id core.ID, e *core.Export) {
	e.FormerSubscriptions = exported(ctx, "s.channel_id", func() *bun.SelectQuery {
		return selectFormerSubscriptions(s.db, id)
	}, formerSubscriptionRow.former, func(f core.FormerSubscription) core.ID { return f.Channel.ID })
	e.Receipts = exported(ctx, "notification_id", func() *bun.SelectQuery {
		return s.db.NewSelect().Where("subscriber_id = ?", id)
	}, receiptRow.receipt, func(r core.Receipt) core.ID { return r.NotificationID })
	e.Reports = exported(ctx, "r.id", func() *bun.SelectQuery {
		return selectReports(s.db).Where("r.reporter_id = ?", id)
	}, reportRow.report, func(r core.Report) core.ID { return r.ID })
	e.AuditLog = exported(ctx, "a.id", func() *bun.SelectQuery {
		return selectAuditLog(s.db).Where("a.actor_id = ?", id)
	}, auditRow.entry, func(a core.AuditEntry) core.ID { return a.ID })
}

// exported returns what a query selects, in the order of a column with ids. Each page is read when the one before has
// been used.
func exported[R, T any](
	ctx context.Context, column bun.Ident, query func() *bun.SelectQuery, convert func(R) T, id func(T) core.ID,
) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for after, more := (core.ID{}), true; more; {
			q := query().Where("? > ?", column, after).OrderExpr("?", column).Limit(exportPage)
			page, err := all(ctx, q, convert)
			if err != nil {
				yield(*new(T), err)
				return
			}
			for _, item := range page {
				if !yield(item, nil) {
					return
				}
				after = id(item)
			}
			more = len(page) == exportPage
		}
	}
}

func (r receiptRow) receipt() core.Receipt {
	if r.SnoozedUntil != nil {
		r.ArchivedAt = nil
	}
	return core.Receipt{
		NotificationID: r.NotificationID, ReadAt: r.ReadAt, ArchivedAt: r.ArchivedAt, SnoozedUntil: r.SnoozedUntil,
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

// exportLists reads the lists that are limited in length.
func exportLists(ctx context.Context, tx Tx, id core.ID, now time.Time, e *core.Export) (err error) {
	theirs := func(order ...string) *bun.SelectQuery {
		return tx.NewSelect().Where("subscriber_id = ?", id).Order(order...)
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
	asked, err := all(ctx, selectPublisherRequests(tx).Where("r.subscriber_id = ?", id), publisherRequestRow.request)
	if err != nil {
		return err
	}
	if len(asked) > 0 {
		e.PublisherRequest = &asked[0]
	}
	feeds, err := all(ctx, theirs("id"), feedAddressRow.feedAddress)
	if err != nil {
		return err
	}
	if len(feeds) > 0 {
		e.FeedAddress = &feeds[0]
	}
	drafts := tx.NewSelect().Where("d.author_id = ?", id).Order("d.created_at", "d.id")
	if e.Drafts, err = all(ctx, drafts, draftRow.draft); err != nil {
		return err
	}
	e.AccessTokens, err = all(ctx, theirs("created_at", "id"), accessTokenRow.accessToken)
	return err
}
