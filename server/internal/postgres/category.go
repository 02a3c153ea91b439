package postgres

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"github.com/sininho/sininho/server/internal/core"
)

type categoryRow struct {
	bun.BaseModel `bun:"table:categories,alias:g"`

	ID           core.ID   `bun:"id,pk"`
	Slug         string    `bun:"slug"`
	Name         string    `bun:"name"`
	Position     int       `bun:"position"`
	CreatedAt    time.Time `bun:"created_at,nullzero,default:now()"`
	UpdatedAt    time.Time `bun:"updated_at,nullzero,default:now()"`
	ChannelCount int64     `bun:"channel_count,scanonly"`
}

func (r categoryRow) category() core.Category {
	return core.Category{
		ID: r.ID, Slug: r.Slug, Name: r.Name, Position: r.Position, ChannelCount: r.ChannelCount,
		UpdatedAt: r.UpdatedAt,
	}
}

// selectCategories selects categories with the number of their public channels.
func selectCategories(db bun.IDB) *bun.SelectQuery {
	return db.NewSelect().ColumnExpr("?TableColumns").ColumnExpr(`(
		SELECT count(*) FROM channels AS c WHERE c.category_id = g.id AND c.visibility = 'public'
			AND NOT c.suspended) AS channel_count`)
}

func category(ctx context.Context, db bun.IDB, id core.ID) (core.Category, error) {
	row := categoryRow{ID: id}
	err := selectCategories(db).Model(&row).WherePK().Scan(ctx)
	return row.category(), Error(err)
}

// Categories implements core.CategoryStore.
func (s *Store) Categories(ctx context.Context, page core.Page) ([]core.Category, int64, error) {
	return list(ctx, selectCategories(s.db).Order("position", "slug"), page, categoryRow.category)
}

// Category implements core.CategoryStore.
func (s *Store) Category(ctx context.Context, id core.ID) (core.Category, error) {
	return category(ctx, s.db, id)
}

// CreateCategory implements core.CategoryStore.
func (s *Store) CreateCategory(ctx context.Context, c core.Category, key core.Idempotency) (
	core.Category, core.Creation, error,
) {
	var creation core.Creation
	err := s.tx(ctx, func(ctx context.Context, tx Tx) (err error) {
		creation, err = Once(ctx, tx, key, &c, func() (core.Creation, error) {
			row := categoryRow{
				ID: c.ID, Slug: c.Slug, Name: c.Name, Position: c.Position, CreatedAt: c.UpdatedAt,
				UpdatedAt: c.UpdatedAt,
			}
			if _, err := tx.NewInsert().Model(&row).Exec(ctx); err != nil {
				return 0, Error(err)
			}
			return core.Created, audit(ctx, tx, core.AuditEntry{ObjectID: c.ID, Object: c.Slug})
		})
		return err
	})
	return c, creation, err
}

// lockCategory keeps others from changing a category and from adding channels to it. It fails with CodeNotFound, and
// with CodeChanged when seen is not the category's version.
func lockCategory(ctx context.Context, tx Tx, id core.ID, seen *time.Time) (categoryRow, error) {
	row := categoryRow{ID: id}
	if err := tx.NewSelect().Model(&row).WherePK().For("UPDATE").Scan(ctx); err != nil {
		return row, err
	}
	return row, core.CheckSeen(seen, row.UpdatedAt)
}

// UpdateCategory implements core.CategoryStore.
func (s *Store) UpdateCategory(
	ctx context.Context, id core.ID, p core.CategoryPatch, seen *time.Time, now time.Time,
) (c core.Category, err error) {
	err = s.tx(ctx, func(ctx context.Context, tx Tx) error {
		if err := Unlimited(ctx, tx); err != nil { // its channels may be many
			return err
		}
		row, err := lockCategory(ctx, tx, id, seen)
		if err != nil {
			return err
		}
		patch(&row.Slug, p.Slug)
		patch(&row.Name, p.Name)
		patch(&row.Position, p.Position)
		row.UpdatedAt = NextVersion(row.UpdatedAt, now)
		_, err = tx.NewUpdate().Model(&row).Column("slug", "name", "position", "updated_at").WherePK().Exec(ctx)
		if err != nil {
			return err
		}
		if c, err = category(ctx, tx, id); err != nil {
			return err
		}
		return audit(ctx, tx, core.AuditEntry{ObjectID: id, Object: c.Slug})
	})
	return c, err
}

// DeleteCategory implements core.CategoryStore. It also removes the category from everyone's interests.
func (s *Store) DeleteCategory(ctx context.Context, id core.ID, seen *time.Time) error {
	return s.tx(ctx, func(ctx context.Context, tx Tx) error {
		if err := Unlimited(ctx, tx); err != nil { // subscribers may be many
			return err
		}
		row, err := lockCategory(ctx, tx, id, seen)
		if err != nil {
			return err
		}
		used, err := tx.NewSelect().Model((*channelRow)(nil)).Where("category_id = ?", id).Exists(ctx)
		if err != nil {
			return err
		}
		if used {
			return core.ErrHasChannels()
		}
		_, err = tx.NewUpdate().Table("subscribers").
			Set("onboarding_categories = array_remove(onboarding_categories, ?::uuid)", id).
			Where("?::uuid = ANY (onboarding_categories)", id).Exec(ctx)
		if err != nil {
			return err
		}
		if _, err := tx.NewDelete().Model(&row).WherePK().Exec(ctx); err != nil {
			return err
		}
		return audit(ctx, tx, core.AuditEntry{ObjectID: id, Object: row.Slug})
	})
}

// EnsureCategory creates a category unless one has its slug, and returns the id of the one with that slug.
func (s *Store) EnsureCategory(ctx context.Context, c core.Category) (core.ID, error) {
	row := categoryRow{ID: c.ID, Slug: c.Slug, Name: c.Name, Position: c.Position}
	err := s.db.NewInsert().Model(&row).
		On("CONFLICT (slug) DO UPDATE").Set("slug = excluded.slug").Returning("id").Scan(ctx)
	return row.ID, Error(err)
}
