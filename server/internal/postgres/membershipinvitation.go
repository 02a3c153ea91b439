package postgres

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"github.com/sininho/sininho/server/internal/core"
)

type membershipInvitationRow struct {
	bun.BaseModel `bun:"table:membership_invitations,alias:i"`

	ID           core.ID              `bun:"id,pk"`
	PublisherID  core.ID              `bun:"publisher_id"`
	Email        string               `bun:"email"`
	Role         core.Role            `bun:"role"`
	State        core.InvitationState `bun:"state"`
	InvitedBy    core.ID              `bun:"invited_by,nullzero"`
	AnsweredBy   core.ID              `bun:"answered_by,nullzero"`
	InvitedAt    time.Time            `bun:"invited_at"`
	ExpiresAt    time.Time            `bun:"expires_at"`
	DeclinedAt   *time.Time           `bun:"declined_at"`
	InviterName  string               `bun:"inviter_name,scanonly"`
	InviterEmail string               `bun:"inviter_email,scanonly"`
}

// at returns the function that converts a row at a time.
func (membershipInvitationRow) at(now time.Time) func(membershipInvitationRow) core.MembershipInvitation {
	return func(r membershipInvitationRow) core.MembershipInvitation {
		inv := core.MembershipInvitation{ID: r.ID, PublisherID: r.PublisherID, Email: r.Email, Role: r.Role,
			State: r.State, InvitedAt: r.InvitedAt, ExpiresAt: r.ExpiresAt}
		if !r.pending(now) && r.State == core.InvitationPending {
			inv.State = core.InvitationExpired
		}
		if r.InvitedBy != (core.ID{}) {
			inv.InvitedBy = &core.Inviter{ID: r.InvitedBy, Name: r.InviterName, Email: r.InviterEmail}
		}
		return inv
	}
}

func (r membershipInvitationRow) pending(now time.Time) bool {
	return r.State == core.InvitationPending && now.Before(r.ExpiresAt)
}

// selectInvitations selects invitations with those who invited.
func selectInvitations(db bun.IDB) *bun.SelectQuery {
	return db.NewSelect().Model((*membershipInvitationRow)(nil)).
		ColumnExpr("?TableColumns, coalesce(o.name, '') as inviter_name, coalesce(o.email, '') as inviter_email").
		Join("left join subscribers o on o.id = i.invited_by").Order("i.invited_at desc", "i.id desc")
}

// toAddressOf finds the invitations to the address of a person. When several accounts have an address it has gone from
// one person to another, and belongs to who has signed in with it last.
const toAddressOf = `i.email = (select lower(s.email collate "C") from subscribers s where s.id = ? and not exists (
	select from subscribers o where lower(o.email) = lower(s.email)
		and lower(o.email collate "C") = lower(s.email collate "C")
		and (coalesce(o.signed_in_at, o.created_at), o.id) > (coalesce(s.signed_in_at, s.created_at), s.id)))`

// MembershipInvitations implements core.MembershipInvitationStore.
func (s *Store) MembershipInvitations(
	ctx context.Context, publisherID core.ID, page core.Page, now time.Time,
) ([]core.MembershipInvitation, int64, error) {
	return list(ctx, selectInvitations(s.db).Where("i.publisher_id = ?", publisherID), page,
		membershipInvitationRow{}.at(now))
}

// MembershipInvitation returns an invitation with its publisher. It fails with CodeNotFound when there is none.
func (s *Store) MembershipInvitation(
	ctx context.Context, id core.ID, now time.Time,
) (core.ReceivedInvitation, error) {
	var r membershipInvitationRow
	if err := selectInvitations(s.db).Model(&r).Where("i.id = ?", id).Scan(ctx); err != nil {
		return core.ReceivedInvitation{}, Error(err)
	}
	p, err := publisherWhere(ctx, s.db, "p.id = ?", r.PublisherID)
	return core.ReceivedInvitation{MembershipInvitation: r.at(now)(r), Publisher: p}, err
}

// WithdrawInvitation implements core.MembershipInvitationStore.
func (s *Store) WithdrawInvitation(ctx context.Context, publisherID, id core.ID) error {
	return s.tx(ctx, func(ctx context.Context, tx Tx) error {
		if _, err := lockPublisher(ctx, tx, publisherID, nil); err != nil {
			return err
		}
		r := membershipInvitationRow{ID: id}
		err := tx.NewSelect().Model(&r).WherePK().Where("i.publisher_id = ?", publisherID).Scan(ctx)
		if err != nil {
			return err
		}
		switch r.State {
		case core.InvitationPending:
			if err := setInvitationState(ctx, tx, r, core.InvitationWithdrawn); err != nil {
				return err
			}
			return auditInvitation(ctx, tx, r)
		case core.InvitationAccepted:
			return core.ErrInvitationAccepted()
		default:
			return nil
		}
	})
}

// auditInvitation records a change of an invitation, without its address: the log outlives invitations.
func auditInvitation(ctx context.Context, tx Tx, r membershipInvitationRow) error {
	return audit(ctx, tx, core.AuditEntry{PublisherID: r.PublisherID, ObjectID: r.ID,
		Detail: map[string]string{"role": string(r.Role)}})
}

func setInvitationState(
	ctx context.Context, tx Tx, r membershipInvitationRow, state core.InvitationState,
) error {
	r.State = state
	_, err := tx.NewUpdate().Model(&r).Column("state", "answered_by", "declined_at").WherePK().Exec(ctx)
	return Error(err)
}

// withdrawInvitationsBy withdraws the pending invitations by a person who no longer owns the publisher, or any if it is
// nil. The caller has locked the publishers.
func withdrawInvitationsBy(ctx context.Context, tx Tx, inviter core.ID, publisherID *core.ID) error {
	q := tx.NewUpdate().Model((*membershipInvitationRow)(nil)).Set("state = ?", core.InvitationWithdrawn).
		Where("i.invited_by = ?", inviter).Where("i.state = ?", core.InvitationPending)
	if publisherID != nil {
		q = q.Where("i.publisher_id = ?", *publisherID)
	}
	_, err := q.Exec(ctx)
	return Error(err)
}
