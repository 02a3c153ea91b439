package postgres

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/uptrace/bun"

	"github.com/sininho/sininho/server/internal/core"
)

type publisherRow struct {
	bun.BaseModel `bun:"table:publishers,alias:p"`

	ID              core.ID   `bun:"id,pk"`
	Slug            string    `bun:"slug"`
	Name            string    `bun:"name"`
	Description     string    `bun:"description"`
	Website         string    `bun:"website,nullzero"`
	Avatar          string    `bun:"avatar,nullzero"`
	CreatedAt       time.Time `bun:"created_at"`
	UpdatedAt       time.Time `bun:"updated_at"`
	ChannelCount    int64     `bun:"channel_count,scanonly"`
	SubscriberCount int64     `bun:"subscriber_count,scanonly"`
	Role            core.Role `bun:"role,scanonly"`
	suspensionRow
}

func newPublisherRow(p core.Publisher) publisherRow {
	return publisherRow{ID: p.ID, Slug: p.Slug, Name: p.Name, Description: p.Description, Website: p.Website,
		Avatar: p.Avatar, CreatedAt: p.CreatedAt, UpdatedAt: p.UpdatedAt}
}

func (r publisherRow) publisher() core.Publisher {
	return core.Publisher{ID: r.ID, Slug: r.Slug, Name: r.Name, Description: r.Description, Website: r.Website,
		Avatar: r.Avatar, ChannelCount: r.ChannelCount,
		SubscriberCount: r.SubscriberCount, CreatedAt: r.CreatedAt, UpdatedAt: r.UpdatedAt, Role: r.Role,
		Suspension: r.suspension()}
}

// apply changes what the patch sets.
func (r *publisherRow) apply(p core.PublisherPatch) {
	patch(&r.Name, p.Name)
	patch(&r.Description, p.Description)
	if p.Website.Set {
		r.Website = text(p.Website.Value)
	}
	if p.Avatar.Set {
		r.Avatar = text(p.Avatar.Value)
	}
}

// text returns *s, or "" for nil.
func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// isListed is the condition that publisher p lists channel c.
const isListed = `c.publisher_id = p.id and c.visibility = 'public' and c.deleted_at is null and not c.suspended`

// selectPublishers selects publishers with their public channels and the subscribers of these counted, and the reader's
// role, if there is a reader.
func selectPublishers(db bun.IDB, reader *core.ID) *bun.SelectQuery {
	return db.NewSelect().Model((*publisherRow)(nil)).ColumnExpr("?TableColumns").
		ColumnExpr("p.suspended_at, p.suspension_reason").
		ColumnExpr("(select count(*) from channels c where "+isListed+") as channel_count").
		ColumnExpr(`(
			select coalesce(sum((select sum(subscribers) from channel_counts where channel_id = c.id)), 0)::bigint
			from channels c where `+isListed+`) as subscriber_count`).
		ColumnExpr(`(select m.role from publisher_members m
			where m.publisher_id = p.id and m.subscriber_id = ?) as role`, reader)
}

func publisherWhere(ctx context.Context, db bun.IDB, where string, arg any) (core.Publisher, error) {
	var r publisherRow
	err := selectPublishers(db, nil).Model(&r).Where(where, arg).Scan(ctx)
	return r.publisher(), Error(err)
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
	var r memberRow
	err := s.db.NewSelect().Model(&r).Column("role").
		Where("m.publisher_id = ?", publisherID).Where("m.subscriber_id = ?", subscriberID).Scan(ctx)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return r.Role, Error(err)
}

// IsMember implements core.PublisherStore.
func (s *Store) IsMember(ctx context.Context, subscriberID core.ID) (bool, error) {
	is, err := s.db.NewSelect().Model((*memberRow)(nil)).Where("m.subscriber_id = ?", subscriberID).Exists(ctx)
	return is, Error(err)
}

// Publishers implements core.PublisherStore.
func (s *Store) Publishers(
	ctx context.Context, f core.PublisherFilter,
) (data []core.Publisher, total int64, err error) {
	err = s.searching(ctx, f.Search, func(ctx context.Context, db bun.IDB, bytes int) (cut bool, err error) {
		q := selectPublishers(db, f.Reader).OrderExpr("lower(p.name), p.id")
		if f.ID != nil {
			q = q.Where("p.id = ?", *f.ID)
		}
		if !f.All {
			q = q.Where("p.suspended_at is null")
		}
		if f.Suspended {
			q = q.Where("p.suspended_at is not null")
		}
		if f.Member != nil {
			q = q.Where("exists (select from publisher_members m where m.publisher_id = p.id and m.subscriber_id = ?)",
				*f.Member)
		}
		condition, args := searchCondition("p.search", f.Search)
		data, total, cut, err = listWithin(ctx, q.Where(condition, args...), f.Page, bytes, publisherRow.publisher)
		return cut, err
	})
	return data, total, err
}

// CreatePublisher implements core.PublisherStore.
func (s *Store) CreatePublisher(ctx context.Context, p core.Publisher, owner core.ID,
	key core.Idempotency) (core.Publisher, core.Creation, error) {
	var creation core.Creation
	err := s.tx(ctx, func(ctx context.Context, tx Tx) (err error) {
		creation, err = Once(ctx, tx, key, &p, func() (core.Creation, error) {
			if err := s.insertPublisher(ctx, tx, p, owner); err != nil {
				return 0, err
			}
			return core.Created, audit(ctx, tx, core.AuditEntry{PublisherID: p.ID, ObjectID: p.ID, Object: p.Slug})
		})
		return err
	})
	return p, creation, err
}

// insertPublisher stores a publisher with its owner.
func (s *Store) insertPublisher(ctx context.Context, tx Tx, p core.Publisher, owner core.ID) error {
	if _, err := tx.NewInsert().Model(new(newPublisherRow(p))).Exec(ctx); err != nil {
		return Error(err)
	}
	if err := insertMember(ctx, tx, p.ID, owner, core.RoleOwner, p.CreatedAt); err != nil {
		return err
	}
	return s.checkOwned(ctx, tx, owner)
}

// checkOwned fails when a person now owns more publishers than they may.
func (s *Store) checkOwned(ctx context.Context, tx Tx, owner core.ID) error {
	theirs := tx.NewSelect().Model((*memberRow)(nil)).
		Where("subscriber_id = ?", owner).Where("role = ?", core.RoleOwner)
	return s.checkCap(ctx, tx, core.CapPublishers, owner, theirs)
}

// lockPublisher keeps others from changing a publisher and its members. It fails with CodeNotFound when there is none,
// and with CodeChanged when seen is not its version. Creating a channel for the publisher does not wait for it.
func lockPublisher(ctx context.Context, tx Tx, id core.ID, seen *time.Time) (r publisherRow, err error) {
	if err := tx.NewSelect().Model(&r).Where("p.id = ?", id).For("no key update").Scan(ctx); err != nil {
		return r, err
	}
	return r, core.CheckSeen(seen, r.UpdatedAt)
}

// UpdatePublisher implements core.PublisherStore.
func (s *Store) UpdatePublisher(ctx context.Context, id core.ID, p core.PublisherPatch, seen *time.Time,
	now time.Time) (updated core.Publisher, err error) {
	err = s.tx(ctx, func(ctx context.Context, tx Tx) error {
		r, err := lockPublisher(ctx, tx, id, seen)
		if err != nil {
			return err
		}
		r.apply(p)
		r.UpdatedAt = NextVersion(r.UpdatedAt, now)
		_, err = tx.NewUpdate().Model(&r).Column("name", "description", "website", "avatar", "updated_at").
			WherePK().Exec(ctx)
		if err != nil {
			return err
		}
		if updated, err = publisherWhere(ctx, tx, "p.id = ?", id); err != nil {
			return err
		}
		return audit(ctx, tx, core.AuditEntry{PublisherID: id, ObjectID: id, Object: r.Slug})
	})
	return updated, err
}

// DeletePublisher implements core.PublisherStore. Creating a channel for the publisher at the same time waits, and then
// fails with CodeNotFound.
func (s *Store) DeletePublisher(ctx context.Context, id core.ID, seen *time.Time) error {
	return s.tx(ctx, func(ctx context.Context, tx Tx) error {
		var r publisherRow
		if err := tx.NewSelect().Model(&r).Where("p.id = ?", id).For("update").Scan(ctx); err != nil {
			return err
		}
		if err := core.CheckSeen(seen, r.UpdatedAt); err != nil {
			return err
		}
		used, err := tx.NewSelect().Table("channels").
			Where("publisher_id = ?", id).Where("deleted_at is null").Exists(ctx)
		if err != nil {
			return err
		}
		if used {
			return core.ErrHasChannels()
		}
		if _, err := tx.NewDelete().Model(&r).WherePK().Exec(ctx); err != nil {
			return err
		}
		return audit(ctx, tx, core.AuditEntry{PublisherID: id, ObjectID: id, Object: r.Slug})
	})
}

// EnsurePublisher creates a publisher unless there is one with its slug. It returns the id of either.
func (s *Store) EnsurePublisher(ctx context.Context, p core.Publisher) (core.ID, error) {
	r := newPublisherRow(p)
	_, err := s.db.NewInsert().Model(&r).Column("id", "slug", "name", "description", "website", "avatar").
		On("conflict (slug) do update").Set("slug = excluded.slug").Returning("id").Exec(ctx)
	return r.ID, Error(err)
}
