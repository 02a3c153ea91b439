package postgres

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"github.com/sininho/sininho/server/internal/core"
)

type memberRow struct {
	bun.BaseModel `bun:"table:publisher_members,alias:m"`

	PublisherID  core.ID   `bun:"publisher_id,pk"`
	SubscriberID core.ID   `bun:"subscriber_id,pk"`
	Role         core.Role `bun:"role"`
	CreatedAt    time.Time `bun:"created_at"`
	Name         string    `bun:"name,scanonly"`
	Email        string    `bun:"email,scanonly"`
	Avatar       string    `bun:"avatar,scanonly"`
}

func (r memberRow) member() core.Member {
	return core.Member{ID: r.SubscriberID, Name: r.Name, Email: r.Email, Avatar: r.Avatar, Role: r.Role,
		CreatedAt: r.CreatedAt}
}

func selectMembers(db bun.IDB, publisherID core.ID) *bun.SelectQuery {
	return db.NewSelect().Model((*memberRow)(nil)).ColumnExpr("?TableColumns, s.name, s.email, s.avatar").
		Join("join subscribers s on s.id = m.subscriber_id").Where("m.publisher_id = ?", publisherID)
}

func member(ctx context.Context, db bun.IDB, publisherID, id core.ID) (core.Member, error) {
	var r memberRow
	err := selectMembers(db, publisherID).Model(&r).Where("m.subscriber_id = ?", id).Scan(ctx)
	return r.member(), Error(err)
}

// Members implements core.MemberStore.
func (s *Store) Members(ctx context.Context, publisherID core.ID, page core.Page) ([]core.Member, int64, error) {
	return list(ctx, selectMembers(s.db, publisherID).Order("m.created_at", "s.id"), page, memberRow.member)
}

// hasAddress compares an address in ASCII. Collation C lowers no other letters, so a look-alike is another address.
const hasAddress = `lower(s.email collate "C") = lower(? collate "C")`

// MemberByEmail implements core.MemberStore.
func (s *Store) MemberByEmail(ctx context.Context, publisherID core.ID, email string) (core.Member, error) {
	return memberByEmail(ctx, s.db, publisherID, email)
}

func memberByEmail(ctx context.Context, db bun.IDB, publisherID core.ID, email string) (core.Member, error) {
	var r memberRow
	err := selectMembers(db, publisherID).Model(&r).Where(hasAddress, email).
		OrderExpr("m.role = ? desc", core.RoleOwner).Order("s.id").Limit(1).Scan(ctx)
	return r.member(), Error(err)
}

func insertMember(ctx context.Context, tx Tx, publisherID, id core.ID, role core.Role, now time.Time) error {
	r := memberRow{PublisherID: publisherID, SubscriberID: id, Role: role, CreatedAt: now}
	_, err := tx.NewInsert().Model(&r).Exec(ctx)
	return Error(err)
}

// UpdateMember implements core.MemberStore.
func (s *Store) UpdateMember(ctx context.Context, publisherID, id core.ID, role core.Role) (m core.Member, err error) {
	err = s.tx(ctx, func(ctx context.Context, tx Tx) error {
		before, err := lockMember(ctx, tx, publisherID, id, role == core.RoleOwner)
		if err != nil {
			return err
		}
		if role == core.RoleOwner && before.Role != core.RoleOwner {
			return core.ErrInvitationRequired("#/role")
		}
		if role != core.RoleOwner {
			if err := withdrawInvitationsBy(ctx, tx, id, &publisherID); err != nil {
				return err
			}
		}
		r := memberRow{PublisherID: publisherID, SubscriberID: id, Role: role}
		if _, err := tx.NewUpdate().Model(&r).Column("role").WherePK().Exec(ctx); err != nil {
			return err
		}
		if m, err = member(ctx, tx, publisherID, id); err != nil {
			return err
		}
		return audit(ctx, tx, memberEntry(publisherID, m))
	})
	return m, err
}

func memberEntry(publisherID core.ID, m core.Member) core.AuditEntry {
	return core.AuditEntry{PublisherID: publisherID, ObjectID: m.ID, Object: m.Name,
		Detail: map[string]string{"role": string(m.Role)}}
}

// RemoveMember implements core.MemberStore.
func (s *Store) RemoveMember(
	ctx context.Context, publisherID, id core.ID, renew core.Renewal, revokeKeys bool, now time.Time,
) (revoked []core.ID, err error) {
	err = s.tx(ctx, func(ctx context.Context, tx Tx) error {
		m, err := lockMember(ctx, tx, publisherID, id, false)
		if err != nil {
			return err
		}
		if err := withdrawInvitationsBy(ctx, tx, id, &publisherID); err != nil {
			return err
		}
		r := memberRow{PublisherID: publisherID, SubscriberID: id}
		if _, err := tx.NewDelete().Model(&r).WherePK().Exec(ctx); err != nil {
			return err
		}
		entry := memberEntry(publisherID, m)
		entry.Detail["keys"] = "kept"
		if revokeKeys {
			entry.Detail["keys"] = "revoked"
			if revoked, err = revokeKeysOf(ctx, tx, publisherID, id, now); err != nil {
				return err
			}
		}
		if err := renewWebhooks(ctx, tx, publisherID, renew, now); err != nil {
			return err
		}
		return audit(ctx, tx, entry)
	})
	return revoked, err
}

// recheckCaller fails when the caller has lost the membership, the needed role or the API key since the request was
// checked. It locks the publisher, so that its members stay until the transaction ends. The transaction calls it before
// it locks anything else of the publisher, in the order of RemoveMember and DeleteSubscriber.
func recheckCaller(ctx context.Context, tx Tx, publisherID core.ID, needed core.Role) error {
	if _, err := lockPublisher(ctx, tx, publisherID, nil); err != nil {
		return err
	}
	c := core.OriginOf(ctx).Caller
	switch {
	case c.Is(core.CallerPublisher):
		return tx.NewSelect().Model(&apiKeyRow{ID: c.KeyID}).Column("id").WherePK().Where("revoked_at is null").
			For("share").Scan(ctx)
	case c.Is(core.CallerSubscriber):
		m, err := member(ctx, tx, publisherID, c.SubscriberID)
		if err == nil && needed == core.RoleOwner && m.Role != core.RoleOwner {
			err = core.ErrOwnersOnly()
		}
		return err
	default: // the server itself
		return nil
	}
}

// lockMember returns a member and keeps others from changing the publisher's members. It fails when there is no such
// member, or when it is the only owner and would not stay one.
func lockMember(ctx context.Context, tx Tx, publisherID, id core.ID, staysOwner bool) (core.Member, error) {
	if _, err := lockPublisher(ctx, tx, publisherID, nil); err != nil {
		return core.Member{}, err
	}
	m, err := member(ctx, tx, publisherID, id)
	if err != nil || m.Role != core.RoleOwner || staysOwner {
		return m, err
	}
	owners, err := tx.NewSelect().Model((*memberRow)(nil)).
		Where("m.publisher_id = ?", publisherID).Where("m.role = ?", core.RoleOwner).Count(ctx)
	if err == nil && owners == 1 {
		err = core.ErrOnlyOwner()
	}
	return m, err
}
