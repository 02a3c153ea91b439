package postgres

import (
	"context"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

// categories selects categories with the number of their public channels.
const categories = `
	select g.id, g.slug, g.name, g.position, g.updated_at,
	       (select count(*) from channels c where c.category_id = g.id and c.visibility = 'public') as channel_count
	from categories g`

// Categories implements core.CategoryStore.
func (s *Store) Categories(ctx context.Context, page core.Page) ([]core.Category, int64, error) {
	var data []core.Category
	err := s.db.NewRaw(categories+" order by g.position, g.slug"+limit(page)).Scan(ctx, &data)
	if err != nil {
		return nil, 0, Error(err)
	}
	total, err := s.total(ctx, page, len(data), "categories")
	return data, total, err
}

// Category implements core.CategoryStore.
func (s *Store) Category(ctx context.Context, id core.ID) (c core.Category, err error) {
	err = s.db.NewRaw(categories+" where g.id = ?", id).Scan(ctx, &c)
	return c, Error(err)
}

// CreateCategory implements core.CategoryStore.
func (s *Store) CreateCategory(ctx context.Context, c core.Category, key core.Idempotency) (core.Category, core.Creation, error) {
	var creation core.Creation
	err := s.tx(ctx, func(ctx context.Context, tx Tx) (err error) {
		creation, err = once(ctx, tx, key, &c, func() (core.Creation, error) {
			_, err := tx.NewRaw("insert into categories (id, slug, name, position, created_at, updated_at) values (?, ?, ?, ?, ?, ?)",
				c.ID, c.Slug, c.Name, c.Position, c.UpdatedAt, c.UpdatedAt).Exec(ctx)
			return core.Created, Error(err)
		})
		return err
	})
	return c, creation, err
}

// lockCategory keeps a category from being changed by others and from getting channels, and fails when it is not there
// or not as seen.
func lockCategory(ctx context.Context, tx Tx, id core.ID, seen *time.Time) error {
	var version time.Time
	if err := tx.NewRaw("select updated_at from categories where id = ? for update", id).Scan(ctx, &version); err != nil {
		return err
	}
	return core.CheckSeen(seen, version)
}

// UpdateCategory implements core.CategoryStore.
func (s *Store) UpdateCategory(ctx context.Context, id core.ID, p core.CategoryPatch, seen *time.Time, now time.Time) (c core.Category, err error) {
	err = s.tx(ctx, func(ctx context.Context, tx Tx) error {
		if err := Unlimited(ctx, tx); err != nil { // its channels may be many
			return err
		}
		if err := lockCategory(ctx, tx, id, seen); err != nil {
			return err
		}
		_, err := tx.NewRaw(`
			update categories set slug = coalesce(?, slug), name = coalesce(?, name), position = coalesce(?::integer, position),
				updated_at = greatest(?, updated_at + interval '1 microsecond')
			where id = ?`, p.Slug, p.Name, p.Position, now, id).Exec(ctx)
		if err != nil {
			return err
		}
		return tx.NewRaw(categories+" where g.id = ?", id).Scan(ctx, &c)
	})
	return c, err
}

// DeleteCategory implements core.CategoryStore. It is no interest of anyone's any more either.
func (s *Store) DeleteCategory(ctx context.Context, id core.ID, seen *time.Time) error {
	return s.tx(ctx, func(ctx context.Context, tx Tx) error {
		if err := Unlimited(ctx, tx); err != nil { // people may be many
			return err
		}
		if err := lockCategory(ctx, tx, id, seen); err != nil {
			return err
		}
		var used bool
		if err := tx.NewRaw("select exists (select from channels where category_id = ?)", id).Scan(ctx, &used); err != nil {
			return err
		}
		if used {
			return core.ErrHasChannels()
		}
		_, err := tx.NewRaw("update subscribers set onboarding_categories = array_remove(onboarding_categories, ?::uuid) where ?::uuid = any (onboarding_categories)", id, id).Exec(ctx)
		if err != nil {
			return err
		}
		_, err = tx.NewRaw("delete from categories where id = ?", id).Exec(ctx)
		return err
	})
}

// EnsureCategory makes a category unless there is one with its slug, and answers its id.
func (s *Store) EnsureCategory(ctx context.Context, c core.Category) (core.ID, error) {
	var id core.ID
	err := s.db.NewRaw(`
		insert into categories (id, slug, name, position) values (?, ?, ?, ?)
		on conflict (slug) do update set slug = excluded.slug returning id`, c.ID, c.Slug, c.Name, c.Position).Scan(ctx, &id)
	return id, Error(err)
}
