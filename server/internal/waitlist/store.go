package waitlist

import (
	"cmp"
	"context"
	"time"

	"github.com/uptrace/bun"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/emails"
	"github.com/sininho/sininho/server/internal/postgres"
)

// entryRow is a row of waitlist_entries. The database derives the status from the times.
type entryRow struct {
	bun.BaseModel `bun:"table:waitlist_entries,alias:w"`

	ID             core.ID    `bun:"id,pk"`
	Email          string     `bun:"email"`
	Name           string     `bun:"name,nullzero"`
	Locale         string     `bun:"locale"`
	TokenHash      []byte     `bun:"token_hash"`
	InvitationHash []byte     `bun:"invitation_hash"`
	ReferralCode   string     `bun:"referral_code"`
	ReferredBy     core.ID    `bun:"referred_by,nullzero"`
	Referrals      int64      `bun:"referrals"`
	SubscriberID   core.ID    `bun:"subscriber_id,nullzero"`
	CreatedAt      time.Time  `bun:"created_at"`
	ConfirmedAt    *time.Time `bun:"confirmed_at"`
	InvitedAt      *time.Time `bun:"invited_at"`
	JoinedAt       *time.Time `bun:"joined_at"`
	Status         Status     `bun:"status,scanonly"`

	// Of other rows.
	Referrer      string `bun:"referrer,scanonly"` // the address of ReferredBy
	Position      int64  `bun:"position,scanonly"`
	Waiting       int64  `bun:"waiting,scanonly"`
	AccountLocale string `bun:"account_locale,scanonly"` // of SubscriberID
}

func (r *entryRow) entry() Entry {
	return Entry{ID: r.ID, Email: r.Email, Name: r.Name, Locale: r.Locale, Status: r.Status, Position: r.Position,
		Referrals: r.Referrals, ReferralCode: r.ReferralCode, ReferredBy: r.Referrer, CreatedAt: r.CreatedAt,
		ConfirmedAt: r.ConfirmedAt, InvitedAt: r.InvitedAt, JoinedAt: r.JoinedAt}
}

// row returns an entry to be stored at a time. Its referrer is looked up when it is inserted.
func (e newEntry) row(now time.Time) *entryRow {
	return &entryRow{ID: e.ID, Email: e.Email, Name: e.Name, Locale: e.Locale, TokenHash: e.TokenHash,
		InvitationHash: e.InvitationHash, ReferralCode: e.ReferralCode, CreatedAt: now}
}

// emailTimeRow says when an address was last sent an email because it was entered in the form.
type emailTimeRow struct {
	bun.BaseModel `bun:"table:waitlist_email_times,alias:l"`

	Email    string    `bun:"email,pk"` // in lower case
	QueuedAt time.Time `bun:"queued_at"`
}

// emailsApart is the least time between two emails that anyone can cause by entering an address in the form.
const emailsApart = 10 * time.Minute

// store keeps the list. It queues emails in the transaction that makes their content true.
type store struct {
	reader
	jobs emails.Jobs
}

// reader reads entries.
type reader struct{ db *postgres.DB }

// positioned selects entries with their positions and referrers. It suits few entries: the position of each is counted
// by itself.
func positioned(db bun.IDB, model any) *bun.SelectQuery {
	return db.NewSelect().Model(model).
		ColumnExpr("w.*").
		ColumnExpr("coalesce(r.email, '') AS referrer").
		ColumnExpr(`CASE WHEN w.status = 'waiting' THEN 1 + (
			SELECT count(*) FROM waitlist_entries o WHERE o.status = 'waiting' AND o.referrals >= w.referrals
			AND (o.referrals > w.referrals OR (o.confirmed_at, o.id) < (w.confirmed_at, w.id))
			) ELSE 0 END AS position`).
		Join("LEFT JOIN waitlist_entries AS r ON r.id = w.referred_by")
}

// place returns the entry of a token and how many people wait. It fails with CodeNotFound when there is none.
func (r *reader) place(ctx context.Context, tokenHash []byte) (Entry, int64, error) {
	return r.one(ctx, "w.token_hash = ?", tokenHash)
}

// byID returns an entry and how many people wait. The locale of a person who has joined is that of their account. It
// fails with CodeNotFound when the entry was deleted.
func (r *reader) byID(ctx context.Context, id core.ID) (Entry, int64, error) {
	return r.one(ctx, "w.id = ?", id)
}

func (r *reader) one(ctx context.Context, where string, arg any) (Entry, int64, error) {
	var row entryRow
	err := positioned(r.db, &row).
		ColumnExpr("(SELECT count(*) FROM waitlist_entries WHERE status = 'waiting') AS waiting").
		ColumnExpr("(SELECT s.locale FROM subscribers s WHERE s.id = w.subscriber_id) AS account_locale").
		Where(where, arg).Scan(ctx)
	e := row.entry()
	e.Locale = cmp.Or(row.AccountLocale, e.Locale)
	return e, row.Waiting, postgres.Error(err)
}

// join stores an entry unless its address is known, and queues the email that informs the person of their status,
// unless the address was sent one within emailsApart.
func (s *store) join(ctx context.Context, e newEntry, now time.Time) error {
	return s.db.InTx(ctx, func(ctx context.Context, tx postgres.Tx) error {
		email, err := joinOrFind(ctx, tx, e, now)
		if err != nil {
			return err
		}
		res, err := tx.NewInsert().Model(&emailTimeRow{QueuedAt: now}).Value("email", "lower(?)", e.Email).
			On("CONFLICT (email) DO UPDATE").Set("queued_at = excluded.queued_at").
			Where("l.queued_at <= ?", now.Add(-emailsApart)).Exec(ctx)
		if err != nil {
			return err
		}
		if n, err := res.RowsAffected(); err != nil || n == 0 {
			return err
		}
		return emails.Queue(ctx, tx, s.jobs, email)
	})
}

// joinOrFind stores an entry, and returns the email to the person. A person with an account gets no entry. Joining
// again changes no name and no referrer, because anyone can enter an address; it only prolongs an unconfirmed entry.
func joinOrFind(ctx context.Context, tx bun.IDB, e newEntry, now time.Time) (emails.Email, error) {
	email := emails.Email{ID: core.NewID()}
	var account []core.ID
	// Only the first condition has an index; the second one, by ASCII letters alone, does not take a look-alike for it.
	err := tx.NewSelect().Table("subscribers").Column("id").Where("lower(email) = lower(?)", e.Email).
		Where(`lower(email COLLATE "C") = lower(?)`, e.Email).Limit(1).Scan(ctx, &account)
	if err != nil {
		return email, err
	}
	if len(account) > 0 {
		email.Kind, email.About = emails.Account, account[0]
		return email, nil
	}
	row := e.row(now)
	_, err = tx.NewInsert().Model(row).
		Value("referred_by", "(SELECT id FROM waitlist_entries WHERE referral_code = ?)", e.ReferredBy).
		On("CONFLICT (lower(email)) DO UPDATE").
		Set("created_at = CASE WHEN w.status = 'unconfirmed' THEN excluded.created_at ELSE w.created_at END").
		Returning("id, status").Exec(ctx)
	if err != nil {
		return email, err
	}
	email.Kind, email.About = row.entry().email(), row.ID
	return email, nil
}

// confirm makes an entry wait, and counts it once for the person who brought it. It fails with CodeNotFound when the
// token has no entry.
func (s *store) confirm(ctx context.Context, tokenHash []byte, now time.Time) error {
	return s.db.InTx(ctx, func(ctx context.Context, tx postgres.Tx) error {
		var row entryRow
		err := tx.NewSelect().Model(&row).Where("token_hash = ?", tokenHash).For("UPDATE").Scan(ctx)
		if err != nil || row.ConfirmedAt != nil {
			return err
		}
		row.ConfirmedAt = &now
		if _, err := tx.NewUpdate().Model(&row).Column("confirmed_at").WherePK().Exec(ctx); err != nil {
			return err
		}
		return countPerson(ctx, tx, &row)
	})
}

// leave deletes an entry that has not joined; otherwise it fails with CodeNotFound. The entry no longer counts for the
// person who brought it, because otherwise they could bring one mailbox again and again.
func (s *store) leave(ctx context.Context, tokenHash []byte) error {
	return s.db.InTx(ctx, func(ctx context.Context, tx postgres.Tx) error {
		var row entryRow
		err := tx.NewSelect().Model(&row).Where("token_hash = ?", tokenHash).Where("status <> ?", Joined).
			For("UPDATE").Scan(ctx)
		if err != nil {
			return postgres.Error(err)
		}
		if err := uncountPerson(ctx, tx, &row); err != nil {
			return err
		}
		_, err = tx.NewDelete().Model(&row).WherePK().Exec(ctx)
		return err
	})
}
