package postgres

import (
	"context"
	"database/sql"
	"errors"

	"github.com/sininho/sininho/server/internal/core"
)

// Publisher implements core.PublisherStore.
func (s *Store) Publisher(ctx context.Context, id core.ID) (core.Publisher, error) {
	return s.publisher(ctx, "id = ?", id)
}

// PublisherBySlug implements core.PublisherStore.
func (s *Store) PublisherBySlug(ctx context.Context, slug string) (core.Publisher, error) {
	return s.publisher(ctx, "slug = ?", slug)
}

func (s *Store) publisher(ctx context.Context, where string, arg any) (core.Publisher, error) {
	var p core.Publisher
	err := s.db.NewRaw("select id, slug, name, coalesce(avatar, '') from publishers where "+where, arg).Scan(ctx, &p.ID, &p.Slug, &p.Name, &p.Avatar)
	return p, mapError(err)
}

// Role implements core.PublisherStore.
func (s *Store) Role(ctx context.Context, publisherID, subscriberID core.ID) (core.Role, error) {
	var role core.Role
	err := s.db.NewRaw("select role from publisher_members where publisher_id = ? and subscriber_id = ?", publisherID, subscriberID).Scan(ctx, &role)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return role, mapError(err)
}

// EnsurePublisher makes a publisher unless there is one with its slug, and answers its id.
func (s *Store) EnsurePublisher(ctx context.Context, p core.Publisher) (core.ID, error) {
	var id core.ID
	err := s.db.NewRaw(`
		insert into publishers (id, slug, name, avatar) values (?, ?, ?, ?)
		on conflict (slug) do update set slug = excluded.slug returning id`, p.ID, p.Slug, p.Name, null(p.Avatar)).Scan(ctx, &id)
	return id, mapError(err)
}

// null is s, or NULL for an empty one.
func null(s string) any {
	if s == "" {
		return nil
	}
	return s
}
