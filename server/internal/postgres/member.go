package postgres

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/uptrace/bun"

	"github.com/sininho/sininho/server/internal/core"
)

const members = `
	select s.id, s.name, s.email, coalesce(s.avatar, '') as avatar, m.role, m.created_at
	from publisher_members m join subscribers s on s.id = m.subscriber_id
	where m.publisher_id = ?`

func member(ctx context.Context, db bun.IDB, publisherID, id core.ID) (core.Member, error) {
	var m core.Member
	err := db.NewRaw(members+" and s.id = ?", publisherID, id).Scan(ctx, &m)
	return m, Error(err)
}

// Members implements core.MemberStore.
func (s *Store) Members(ctx context.Context, publisherID core.ID, page core.Page) ([]core.Member, int64, error) {
	var data []core.Member
	err := s.db.NewRaw(members+" order by m.created_at, s.id"+limit(page), publisherID).Scan(ctx, &data)
	if err != nil {
		return nil, 0, Error(err)
	}
	total, err := s.total(ctx, page, len(data), "publisher_members where publisher_id = ?", publisherID)
	return data, total, err
}

// AddMember implements core.MemberStore. The person is locked before the publisher, as when their account is deleted.
func (s *Store) AddMember(ctx context.Context, publisherID core.ID, email string, role core.Role, now time.Time, key core.Idempotency) (m core.Member, creation core.Creation, err error) {
	err = s.tx(ctx, func(ctx context.Context, tx Tx) error {
		creation, err = once(ctx, tx, key, &m, func() (core.Creation, error) {
			var id core.ID
			err := tx.NewRaw("select id from subscribers where lower(email) = lower(?) order by created_at desc, id desc limit 1 for key share", email).Scan(ctx, &id)
			if errors.Is(err, sql.ErrNoRows) {
				return 0, core.ErrUnknownPerson()
			}
			if err != nil {
				return 0, err
			}
			if err := lockPublisher(ctx, tx, publisherID, nil); err != nil {
				return 0, err
			}
			if m, err = member(ctx, tx, publisherID, id); !core.IsCode(err, core.CodeNotFound) {
				return core.Existing, err
			}
			if err := insertMember(ctx, tx, publisherID, id, role, now); err != nil {
				return 0, err
			}
			m, err = member(ctx, tx, publisherID, id)
			return core.Created, err
		})
		return err
	})
	return m, creation, err
}

func insertMember(ctx context.Context, tx Tx, publisherID, id core.ID, role core.Role, now time.Time) error {
	_, err := tx.NewRaw("insert into publisher_members (publisher_id, subscriber_id, role, created_at) values (?, ?, ?, ?)", publisherID, id, role, now).Exec(ctx)
	return Error(err)
}

// UpdateMember implements core.MemberStore.
func (s *Store) UpdateMember(ctx context.Context, publisherID, id core.ID, role core.Role) (m core.Member, err error) {
	err = s.tx(ctx, func(ctx context.Context, tx Tx) error {
		if err := lockMember(ctx, tx, publisherID, id, role == core.RoleOwner); err != nil {
			return err
		}
		_, err := tx.NewRaw("update publisher_members set role = ? where publisher_id = ? and subscriber_id = ?", role, publisherID, id).Exec(ctx)
		if err != nil {
			return err
		}
		m, err = member(ctx, tx, publisherID, id)
		return err
	})
	return m, err
}

// RemoveMember implements core.MemberStore.
func (s *Store) RemoveMember(ctx context.Context, publisherID, id core.ID) error {
	return s.tx(ctx, func(ctx context.Context, tx Tx) error {
		if err := lockMember(ctx, tx, publisherID, id, false); err != nil {
			return err
		}
		_, err := tx.NewRaw("delete from publisher_members where publisher_id = ? and subscriber_id = ?", publisherID, id).Exec(ctx)
		return err
	})
}

// lockMember keeps the publisher's members from being changed by others, and fails when there is no such member, or when
// they are the only owner and will not stay one.
func lockMember(ctx context.Context, tx Tx, publisherID, id core.ID, staysOwner bool) error {
	if err := lockPublisher(ctx, tx, publisherID, nil); err != nil {
		return err
	}
	m, err := member(ctx, tx, publisherID, id)
	if err != nil || m.Role != core.RoleOwner || staysOwner {
		return err
	}
	var owners int
	err = tx.NewRaw("select count(*) from publisher_members where publisher_id = ? and role = ?", publisherID, core.RoleOwner).Scan(ctx, &owners)
	if err == nil && owners == 1 {
		err = core.ErrOnlyOwner()
	}
	return err
}
