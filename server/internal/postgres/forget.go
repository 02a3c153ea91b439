package postgres

import (
	"context"
	"slices"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/pgdialect"

	"github.com/sininho/sininho/server/internal/core"
)

// noOthers leaves what is about an address that another account has by now, or always had in the same mailbox.
const noOthers = `not exists (select from ? o where lower(o.email) = lower(x.email) and o.? <> ?)`

// forgetAddresses deletes what is kept about the addresses of a person rather than about their account: codes to sign
// in with, when they were sent emails, jobs, and pushes that confirm an address of a device. Invitations that wait for
// an address stay, because their disappearance would reveal that there was an account. It is called while the
// identities are there.
func forgetAddresses(ctx context.Context, tx Tx, id core.ID) error {
	var emails []string
	err := tx.NewRaw(`select lower(email collate "C") from subscribers where id = ?0 and email is not null
		union select lower(email collate "C") from identities where subscriber_id = ?0`, id).Scan(ctx, &emails)
	if err != nil {
		return err
	}
	mailboxes := make([]string, len(emails))
	for i, email := range emails {
		mailboxes[i] = core.MailboxOf(email)
	}
	mailboxes = slices.Compact(slices.Sorted(slices.Values(mailboxes)))
	for _, kept := range []struct {
		table, column string
		values        []string
	}{
		{"waitlist_entries", "email", emails},
		{"waitlist_email_times", "email", emails},
		{"email_sign_ins", "mailbox", mailboxes},
		{"invitation_times", "mailbox", mailboxes},
	} {
		_, err := tx.NewDelete().TableExpr("? as x", bun.Ident(kept.table)).
			Where("x.? = any (?)", bun.Safe(kept.column), pgdialect.Array(kept.values)).
			Where(noOthers, bun.Ident("subscribers"), bun.Ident("id"), id).
			Where(noOthers, bun.Ident("identities"), bun.Ident("subscriber_id"), id).Exec(ctx)
		if err != nil {
			return err
		}
	}
	_, err = tx.NewDelete().Table("river_job").
		Where("kind = 'waitlist_join' and lower(args->'input'->>'email') = any (?)", pgdialect.Array(emails)).Exec(ctx)
	if err != nil {
		return err
	}
	_, err = tx.NewDelete().Table("turns").Where("kind in ('confirm', 'unused') and owner = ?", id).Exec(ctx)
	return err
}
