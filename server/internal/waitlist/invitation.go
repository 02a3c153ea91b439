package waitlist

import (
	"context"
	"strings"
	"time"

	"github.com/uptrace/bun"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/emails"
	"github.com/sininho/sininho/server/internal/postgres"
)

// invitingLock is the advisory lock of inviting, so that two operators who invite the next people choose different
// ones. It spells SNWAIT in ASCII.
const invitingLock = 0x53_4e_57_41_49_54

// inviteNext invites the first people of those who wait, and queues their emails.
func (s *store) inviteNext(ctx context.Context, n int, now time.Time, key core.Idempotency) (
	[]Entry, core.Creation, error) {
	return s.invite(ctx, key, func(ctx context.Context, tx bun.IDB) ([]core.ID, error) {
		var ids []core.ID
		err := tx.NewSelect().Model((*entryRow)(nil)).Column("id").Where("status = ?", Waiting).
			OrderExpr("referrals DESC, confirmed_at, id").Limit(int64(n)).For("UPDATE").Scan(ctx, &ids)
		if err != nil || len(ids) == 0 {
			return nil, err
		}
		_, err = tx.NewUpdate().Model((*entryRow)(nil)).Set("invited_at = ?", now).
			Where("id IN (?)", bun.List(ids)).Exec(ctx)
		return ids, err
	})
}

// inviteChosen invites the people at some addresses, known and unknown ones, each once and in this order. It queues
// emails to all who have not joined.
func (s *store) inviteChosen(ctx context.Context, chosen []newEntry, now time.Time, key core.Idempotency) (
	[]Entry, core.Creation, error) {
	return s.invite(ctx, key, func(ctx context.Context, tx bun.IDB) ([]core.ID, error) {
		var ids []core.ID
		seen := map[string]bool{}
		for _, e := range chosen {
			if seen[strings.ToLower(e.Email)] {
				continue
			}
			seen[strings.ToLower(e.Email)] = true
			row := e.row(now)
			row.InvitedAt = &now
			_, err := tx.NewInsert().Model(row).On("CONFLICT (lower(email)) DO UPDATE").
				Set("invited_at = CASE WHEN w.joined_at IS NULL THEN coalesce(w.invited_at, excluded.invited_at) " +
					"ELSE w.invited_at END").
				Returning("id").Exec(ctx)
			if err != nil {
				return nil, err
			}
			ids = append(ids, row.ID)
		}
		return ids, nil
	})
}

// invite runs choose, which invites people and returns their entries, once for an idempotency key.
func (s *store) invite(ctx context.Context, key core.Idempotency,
	choose func(context.Context, bun.IDB) ([]core.ID, error)) (invited []Entry, creation core.Creation, err error) {
	err = s.db.InTx(ctx, func(ctx context.Context, tx postgres.Tx) error {
		creation, err = postgres.Once(ctx, tx, key, &invited, func() (core.Creation, error) {
			// Raw: the builder has no statement without a table.
			if _, err := tx.NewRaw("SELECT pg_advisory_xact_lock(?)", int64(invitingLock)).Exec(ctx); err != nil {
				return 0, err
			}
			ids, err := choose(ctx, tx)
			if err != nil || len(ids) == 0 {
				return core.Created, postgres.Error(err)
			}
			if invited, err = inOrder(ctx, tx, ids); err != nil {
				return 0, err
			}
			if err := auditInvitations(ctx, tx, ids); err != nil {
				return 0, err
			}
			return core.Created, emails.Queue(ctx, tx, s.jobs, invitations(invited)...)
		})
		return err
	})
	return invited, creation, err
}

// auditInvitations records whom an operator has invited, without the addresses: these are gone when people leave.
func auditInvitations(ctx context.Context, tx bun.IDB, ids []core.ID) error {
	log := make([]core.AuditEntry, len(ids))
	for i, id := range ids {
		log[i].ObjectID = id
	}
	return postgres.Audit(ctx, tx, log...)
}

// inOrder returns the entries with these ids, in the order of the ids.
func inOrder(ctx context.Context, tx bun.IDB, ids []core.ID) ([]Entry, error) {
	var rows []entryRow
	if err := positioned(tx, &rows).Where("w.id IN (?)", bun.List(ids)).Scan(ctx); err != nil {
		return nil, err
	}
	byID := map[core.ID]Entry{}
	for _, e := range entriesOf(rows) {
		byID[e.ID] = e
	}
	list := make([]Entry, len(ids))
	for i, id := range ids {
		list[i] = byID[id]
	}
	return list, nil
}

// invitations returns the emails to the people who have not joined.
func invitations(entries []Entry) []emails.Email {
	var all []emails.Email
	for _, e := range entries {
		if e.Status == Invited {
			all = append(all, emails.Email{ID: core.NewID(), Kind: emails.Invitation, About: e.ID})
		}
	}
	return all
}
