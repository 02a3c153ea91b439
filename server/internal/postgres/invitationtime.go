package postgres

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"github.com/sininho/sininho/server/internal/core"
)

// invitationTimeRow says when an address was invited last to a publisher or a channel.
type invitationTimeRow struct {
	bun.BaseModel `bun:"table:invitation_times,alias:l"`

	ObjectID    core.ID   `bun:"object_id,pk"`
	Email       string    `bun:"email,pk"`
	Mailbox     string    `bun:"mailbox"`
	PublisherID core.ID   `bun:"publisher_id"`
	InviterID   core.ID   `bun:"inviter_id,nullzero"`
	InvitedAt   time.Time `bun:"invited_at"`
}

// emailsPerMailbox is how many emails a mailbox gets within core.InvitationDay, from all publishers together.
const emailsPerMailbox = 5

// countInvitation counts an invitation, unless the address was invited to the same within core.InvitationDay. It
// reports whether the mailbox of the address may get an email, and fails when the inviter or the publisher, which the
// caller has locked, has invited too many.
func countInvitation(ctx context.Context, tx Tx, row invitationTimeRow, perDay int) (due bool, err error) {
	since := row.InvitedAt.Add(-core.InvitationDay)
	row.Mailbox = core.MailboxOf(row.Email)
	err = affected(tx.NewInsert().Model(&row).On("conflict (object_id, email) do update").
		Set("mailbox = excluded.mailbox").Set("inviter_id = excluded.inviter_id").
		Set("invited_at = excluded.invited_at").
		Where("l.invited_at <= ?", since).Exec(ctx))
	if core.IsCode(err, core.CodeNotFound) {
		return false, nil // counted already
	}
	if err != nil {
		return false, Error(err)
	}
	count := func(where string, arg any) (n int, first time.Time, err error) {
		err = tx.NewSelect().Model((*invitationTimeRow)(nil)).
			ColumnExpr("count(*), coalesce(min(invited_at), ?)", since).
			Where(where, arg).Where("invited_at > ?", since).Scan(ctx, &n, &first)
		return n, first, Error(err)
	}
	limited := map[string]core.ID{"publisher_id = ?": row.PublisherID, "inviter_id = ?": row.InviterID}
	for where, id := range limited {
		n, first, err := count(where, id)
		if err == nil && n > perDay {
			err = core.ErrTooManyInvitations(first.Sub(since))
		}
		if err != nil {
			return false, err
		}
	}
	emails, _, err := count("mailbox = ?", row.Mailbox)
	return emails <= emailsPerMailbox, err
}
