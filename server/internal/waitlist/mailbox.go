package waitlist

import (
	"context"
	"strings"

	"github.com/uptrace/bun"

	"github.com/sininho/sininho/server/internal/core"
)

// mailboxRow is the entry by which a mailbox counts as a person. It is deleted with its entry.
type mailboxRow struct {
	bun.BaseModel `bun:"table:waitlist_mailboxes,alias:m"`

	Mailbox string  `bun:"mailbox,pk"`
	EntryID core.ID `bun:"entry_id"`
}

// mailboxOf returns the mailbox that an address leads to, so that a person does not count once for each address that
// they can think up: without the tag after a plus sign, and at Gmail without dots.
func mailboxOf(email string) string {
	name, domain, _ := strings.Cut(strings.ToLower(email), "@")
	if start, _, tagged := strings.Cut(name, "+"); tagged && start != "" {
		name = start
	}
	if domain == "gmail.com" || domain == "googlemail.com" {
		return strings.ReplaceAll(name, ".", "") + "@gmail.com"
	}
	return name + "@" + domain
}

// countPerson counts a confirmed entry for the person who brought it, unless its mailbox has been counted.
func countPerson(ctx context.Context, tx bun.IDB, row *entryRow) error {
	res, err := tx.NewInsert().Model(&mailboxRow{Mailbox: mailboxOf(row.Email), EntryID: row.ID}).
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
	if err != nil || len(referrer) == 0 || mailboxOf(referrer[0].Email) == mailboxOf(row.Email) {
		return err
	}
	_, err = tx.NewUpdate().Model(&referrer[0]).Set("referrals = referrals + ?", n).WherePK().Exec(ctx)
	return err
}
