package postgres

import (
	"context"

	"github.com/sininho/sininho/server/internal/core"
)

// Categories implements core.CategoryStore.
func (s *Store) Categories(ctx context.Context, page core.Page) ([]core.Category, int64, error) {
	var data []core.Category
	err := s.db.NewRaw(`
		select g.id, g.slug, g.name, g.position,
		       (select count(*) from channels c where c.category_id = g.id and c.visibility = 'public') as channel_count
		from categories g order by g.position, g.slug limit ? offset ?`, page.Limit, page.Offset).Scan(ctx, &data)
	if err != nil {
		return nil, 0, mapError(err)
	}
	var total int64
	err = s.db.NewRaw("select count(*) from categories").Scan(ctx, &total)
	return data, total, mapError(err)
}

// EnsureCategory makes a category unless there is one with its slug, and answers its id.
func (s *Store) EnsureCategory(ctx context.Context, c core.Category) (core.ID, error) {
	var id core.ID
	err := s.db.NewRaw(`
		insert into categories (id, slug, name, position) values (?, ?, ?, ?)
		on conflict (slug) do update set slug = excluded.slug returning id`, c.ID, c.Slug, c.Name, c.Position).Scan(ctx, &id)
	return id, mapError(err)
}
