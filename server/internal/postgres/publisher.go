package postgres

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"time"

	"github.com/uptrace/bun"

	"github.com/sininho/sininho/server/internal/core"
)

// publishers selects publishers with all that is told of them; the argument is the reader's id or NULL.
const publishers = `
	select p.id, p.slug, p.name, p.description, coalesce(p.website, '') as website, coalesce(p.avatar, '') as avatar, p.created_at, p.updated_at,
	       (select count(*) from channels c where c.publisher_id = p.id and c.visibility = 'public' and c.deleted_at is null) as channel_count,
	       coalesce((select m.role from publisher_members m where m.publisher_id = p.id and m.subscriber_id = v.reader), '') as role
	from publishers p
	cross join (select ?::uuid as reader) v`

func publisherWhere(ctx context.Context, db bun.IDB, where string, arg any) (core.Publisher, error) {
	var p core.Publisher
	err := db.NewRaw(publishers+" where "+where, nil, arg).Scan(ctx, &p)
	return p, Error(err)
}

// Publisher implements core.PublisherStore.
func (s *Store) Publisher(ctx context.Context, id core.ID) (core.Publisher, error) {
	return publisherWhere(ctx, s.db, "p.id = ?", id)
}

// PublisherBySlug implements core.PublisherStore.
func (s *Store) PublisherBySlug(ctx context.Context, slug string) (core.Publisher, error) {
	return publisherWhere(ctx, s.db, "p.slug = ?", slug)
}

// Role implements core.PublisherStore.
func (s *Store) Role(ctx context.Context, publisherID, subscriberID core.ID) (core.Role, error) {
	var role core.Role
	err := s.db.NewRaw("select role from publisher_members where publisher_id = ? and subscriber_id = ?", publisherID, subscriberID).Scan(ctx, &role)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return role, Error(err)
}

// Publishers implements core.PublisherStore.
func (s *Store) Publishers(ctx context.Context, f core.PublisherFilter) ([]core.Publisher, int64, error) {
	where, args := publisherConditions(f)
	data := []core.Publisher{}
	var total int64
	err := s.searching(ctx, f.Search, func(ctx context.Context, db bun.IDB) error {
		query := publishers + " where " + where + " order by lower(p.name), p.id" + limit(f.Page)
		err := db.NewRaw(query, append([]any{f.Reader}, args...)...).Scan(ctx, &data)
		if err != nil {
			return err
		}
		total, err = countAll(ctx, db, f.Page, len(data), "publishers p where "+where, args...)
		return err
	})
	return data, total, err
}

func publisherConditions(f core.PublisherFilter) (string, []any) {
	conditions, args := []string{}, []any{}
	add := func(condition string, arg any) {
		conditions = append(conditions, condition)
		args = append(args, arg)
	}
	if f.ID != nil {
		add("p.id = ?", *f.ID)
	}
	if f.Member != nil {
		add("exists (select from publisher_members m where m.publisher_id = p.id and m.subscriber_id = ?)", *f.Member)
	}
	search, words := searchCondition("p.search", f.Search)
	return strings.Join(append(conditions, search), " and "), append(args, words...)
}

// CreatePublisher implements core.PublisherStore.
func (s *Store) CreatePublisher(ctx context.Context, p core.Publisher, owner core.ID, key core.Idempotency) (core.Publisher, core.Creation, error) {
	var creation core.Creation
	err := s.tx(ctx, func(ctx context.Context, tx Tx) (err error) {
		creation, err = once(ctx, tx, key, &p, func() (core.Creation, error) {
			_, err := tx.NewRaw(`
				insert into publishers (id, slug, name, description, website, avatar, created_at, updated_at) values (?, ?, ?, ?, ?, ?, ?, ?)`,
				p.ID, p.Slug, p.Name, p.Description, null(p.Website), null(p.Avatar), p.CreatedAt, p.UpdatedAt).Exec(ctx)
			if err != nil {
				return 0, Error(err)
			}
			return core.Created, insertMember(ctx, tx, p.ID, owner, core.RoleOwner, p.CreatedAt)
		})
		return err
	})
	return p, creation, err
}

// lockPublisher keeps a publisher and its members from being changed by others, and fails when it is not there or not as
// seen. Who makes a channel for it does not wait.
func lockPublisher(ctx context.Context, tx Tx, id core.ID, seen *time.Time) error {
	var version time.Time
	if err := tx.NewRaw("select updated_at from publishers where id = ? for no key update", id).Scan(ctx, &version); err != nil {
		return err
	}
	return core.CheckSeen(seen, version)
}

// UpdatePublisher implements core.PublisherStore.
func (s *Store) UpdatePublisher(ctx context.Context, id core.ID, p core.PublisherPatch, seen *time.Time, now time.Time) (updated core.Publisher, err error) {
	err = s.tx(ctx, func(ctx context.Context, tx Tx) error {
		if err := lockPublisher(ctx, tx, id, seen); err != nil {
			return err
		}
		_, err := tx.NewRaw(`
			update publishers set name = coalesce(?, name), description = coalesce(?, description),
				website = case when ? then ? else website end, avatar = case when ? then ? else avatar end,
				updated_at = greatest(?, updated_at + interval '1 microsecond')
			where id = ?`, p.Name, p.Description, p.Website.Set, p.Website.Value, p.Avatar.Set, p.Avatar.Value, now, id).Exec(ctx)
		if err != nil {
			return err
		}
		updated, err = publisherWhere(ctx, tx, "p.id = ?", id)
		return err
	})
	return updated, err
}

// DeletePublisher implements core.PublisherStore. Who makes a channel for it at the same time waits, and then finds none.
func (s *Store) DeletePublisher(ctx context.Context, id core.ID, seen *time.Time) error {
	return s.tx(ctx, func(ctx context.Context, tx Tx) error {
		var version time.Time
		if err := tx.NewRaw("select updated_at from publishers where id = ? for update", id).Scan(ctx, &version); err != nil {
			return err
		}
		if err := core.CheckSeen(seen, version); err != nil {
			return err
		}
		var used bool
		err := tx.NewRaw("select exists (select from channels where publisher_id = ? and deleted_at is null)", id).Scan(ctx, &used)
		if err != nil {
			return err
		}
		if used {
			return core.ErrHasChannels()
		}
		_, err = tx.NewRaw("delete from publishers where id = ?", id).Exec(ctx)
		return err
	})
}

// EnsurePublisher makes a publisher unless there is one with its slug, and answers its id.
func (s *Store) EnsurePublisher(ctx context.Context, p core.Publisher) (core.ID, error) {
	var id core.ID
	err := s.db.NewRaw(`
		insert into publishers (id, slug, name, avatar) values (?, ?, ?, ?)
		on conflict (slug) do update set slug = excluded.slug returning id`, p.ID, p.Slug, p.Name, null(p.Avatar)).Scan(ctx, &id)
	return id, Error(err)
}

// null is s, or NULL for an empty one.
func null(s string) any {
	if s == "" {
		return nil
	}
	return s
}
