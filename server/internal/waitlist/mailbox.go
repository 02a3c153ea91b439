package waitlist

import (
	"context"

	"github.com/uptrace/bun"

	"github.com/sininho/sininho/server/internal/core"
)

// mailboxRow is the entry by which a mailbox counts as a person. It is deleted with its entry.
type mailboxRow struct {
	bun.BaseModel `bun:"table:waitlist_mailboxes,alias:m"`

	Mailbox string  `bun:"mailbox,pk"`
	EntryID core.ID `bun:"entry_id"`
}

// countPerson counts a confirmed entry for the person who brought it, unless its mailbox has been counted.
func countPerson(ctx context.Context, tx bun.IDB, row *entryRow) error {
	res, err := tx.NewInsert().Model(&mailboxRow{Mailbox: core.MailboxOf(row.Email), EntryID: row.ID}).
		On("CONFLICT DO NOTHING").Exec(ctx)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return err
	}
	return addReferral(ctx, tx, row, 1)
}

// uncountPerson undoes countPerson if it counted the entry.
func uncountPerson(ctx context.Context, tx bun.IDB, row *entryRow) error {
	res, err := tx.NewDelete().Model((*mailboxRow)(nil)).Where("entry_id = ?", row.ID).Exec(ctx)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return err
	}
	return addReferral(ctx, tx, row, -1)
}

// addReferral adds to the referrals of the entry that brought another one, if there is one. People do not bring
// themselves.
func addReferral(ctx context.Context, tx bun.IDB, row *entryRow, n int) error {
	if row.ReferredBy == (core.ID{}) {
		return nil
	}
	var referrer []entryRow
	err := tx.NewSelect().Model(&referrer).Column("id", "email").Where("id = ?", row.ReferredBy).Scan(ctx)
	if err != nil || len(referrer) == 0 || core.MailboxOf(referrer[0].Email) == core.MailboxOf(row.Email) {
		return err
	}
	_, err = tx.NewUpdate().Model(&referrer[0]).Set("referrals = referrals + ?", n).WherePK().Exec(ctx)
	return err
}
