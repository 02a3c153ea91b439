package postgres

import (
	"context"
	"strings"
	"time"

	"github.com/uptrace/bun"

	"github.com/sininho/sininho/server/internal/core"
)

// A channel that was deleted has no publisher and no category, so that whatever joins them does not find it.

// ChannelRef implements core.ChannelStore.
func (s *Store) ChannelRef(ctx context.Context, publisherSlug, slug string) (core.ChannelRef, core.ID, error) {
	c := core.ChannelRef{PublisherSlug: publisherSlug, Slug: slug}
	var publisherID core.ID
	err := s.hotRow(ctx, `
		select c.id, c.name, coalesce(c.icon, ''), c.demonstration, p.id from channels c join publishers p on p.id = c.publisher_id
		where p.slug = $1 and c.slug = $2`, publisherSlug, slug).Scan(&c.ID, &c.Name, &c.Icon, &c.Demonstration, &publisherID)
	return c, publisherID, Error(err)
}

type channelRow struct {
	ID                core.ID
	Slug              string
	Name              string
	Description       string
	Icon              string
	Visibility        core.Visibility
	Demonstration     bool
	CreatedAt         time.Time
	UpdatedAt         time.Time
	PublisherID       core.ID
	PublisherSlug     string
	PublisherName     string
	PublisherAvatar   string
	CategoryID        core.ID
	CategorySlug      string
	CategoryName      string
	NotificationCount int64
	SubscriberCount   int64
	LastPublishedAt   *time.Time
	Following         *bool
}

func (r channelRow) channel() core.Channel {
	return core.Channel{
		ChannelRef: core.ChannelRef{ID: r.ID, PublisherSlug: r.PublisherSlug, Slug: r.Slug, Name: r.Name, Icon: r.Icon,
			Demonstration: r.Demonstration},
		Publisher:         core.Publisher{ID: r.PublisherID, Slug: r.PublisherSlug, Name: r.PublisherName, Avatar: r.PublisherAvatar},
		Category:          core.Category{ID: r.CategoryID, Slug: r.CategorySlug, Name: r.CategoryName},
		Description:       r.Description,
		Visibility:        r.Visibility,
		SubscriberCount:   r.SubscriberCount,
		NotificationCount: r.NotificationCount,
		LastPublishedAt:   r.LastPublishedAt,
		CreatedAt:         r.CreatedAt,
		UpdatedAt:         r.UpdatedAt,
		Following:         r.Following,
	}
}

// channels selects channels with all that is told of them; the argument is the reader's id or NULL.
const channels = `
	select c.id, c.slug, c.name, c.description, coalesce(c.icon, '') as icon, c.visibility, c.demonstration,
	       c.created_at, c.updated_at,
	       p.id as publisher_id, p.slug as publisher_slug, p.name as publisher_name, coalesce(p.avatar, '') as publisher_avatar,
	       g.id as category_id, g.slug as category_slug, g.name as category_name,
	       k.notification_count, k.subscriber_count, l.published_at as last_published_at,
	       case when v.reader is not null then exists (select from subscriptions s where s.channel_id = c.id and s.subscriber_id = v.reader) end as following
	from channels c
	join publishers p on p.id = c.publisher_id
	join categories g on g.id = c.category_id
	cross join (select ?::uuid as reader) v
	cross join lateral (
		select coalesce(sum(visible), 0) as notification_count, coalesce(sum(subscribers), 0) as subscriber_count
		from channel_counts where channel_id = c.id) k
	left join lateral (
		select published_at from notifications n where n.channel_id = c.id and n.visible
		order by n.published_at desc, n.id desc limit 1) l on true`

// Channel implements core.ChannelStore.
func (s *Store) Channel(ctx context.Context, publisherSlug, slug string, reader *core.ID) (core.Channel, error) {
	return channelWhere(ctx, s.db, reader, "p.slug = ? and c.slug = ?", publisherSlug, slug)
}

func channelWhere(ctx context.Context, db bun.IDB, reader *core.ID, where string, args ...any) (core.Channel, error) {
	var r channelRow
	err := db.NewRaw(channels+" where "+where, append([]any{reader}, args...)...).Scan(ctx, &r)
	if err != nil {
		return core.Channel{}, Error(err)
	}
	return r.channel(), nil
}

// channelOrders are the orders of channels c, each with what it joins to them.
var channelOrders = map[core.ChannelSort]struct{ join, by string }{
	core.SortPopular: {
		`left join (
			select channel_id, sum(subscribers) as subscriber_count from channel_counts group by channel_id) k on k.channel_id = c.id`,
		"coalesce(k.subscriber_count, 0) desc, c.created_at desc, c.id desc"},
	core.SortNewest: {"", "c.created_at desc, c.id desc"},
	core.SortActive: {`left join lateral (
			select published_at from notifications n where n.channel_id = c.id and n.visible
			order by n.published_at desc limit 1) l on true`,
		"l.published_at desc nulls last, c.id desc"},
}

// Channels implements core.ChannelStore.
func (s *Store) Channels(ctx context.Context, f core.ChannelFilter) ([]core.Channel, int64, error) {
	where, args := channelConditions(f)
	order, ok := channelOrders[f.Sort]
	if !ok {
		order = channelOrders[core.SortPopular]
	}
	const all = "channels c join publishers p on p.id = c.publisher_id join categories g on g.id = c.category_id "
	// Only what the order needs is read of every channel, and the rest of those on the page.
	ids := "select c.id from " + all + order.join + " where " + where + " order by " + order.by + limit(f.Page)
	page := channels + " where c.id in (" + ids + ") order by " + order.by
	var rows []channelRow
	var total int64
	err := s.searching(ctx, f.Search, func(ctx context.Context, db bun.IDB) error {
		if err := db.NewRaw(page, append([]any{f.Reader}, args...)...).Scan(ctx, &rows); err != nil {
			return err
		}
		var err error
		total, err = countAll(ctx, db, f.Page, len(rows), all+"where "+where, args...)
		return err
	})
	if err != nil {
		return nil, 0, err
	}
	data := make([]core.Channel, len(rows))
	for i, r := range rows {
		data[i] = r.channel()
	}
	return data, total, nil
}

func channelConditions(f core.ChannelFilter) (string, []any) {
	conditions, args := []string{"c.deleted_at is null", "not c.demonstration"}, []any{}
	if !f.Unlisted {
		conditions[0] = "c.visibility = 'public'"
	}
	add := func(condition string, arg any) {
		conditions = append(conditions, condition)
		args = append(args, arg)
	}
	if f.Category != "" {
		add("g.slug = ?", f.Category)
	}
	if f.Publisher != "" {
		add("p.slug = ?", f.Publisher)
	}
	search, words := searchCondition("c.search", f.Search)
	return strings.Join(append(conditions, search), " and "), append(args, words...)
}

// CreateChannel implements core.ChannelStore.
func (s *Store) CreateChannel(ctx context.Context, id, publisherID core.ID, in core.ChannelInput, now time.Time, key core.Idempotency) (c core.Channel, creation core.Creation, err error) {
	err = s.tx(ctx, func(ctx context.Context, tx Tx) error {
		creation, err = once(ctx, tx, key, &c, func() (core.Creation, error) {
			_, err := tx.NewRaw(`
				insert into channels (id, publisher_id, category_id, slug, name, description, icon, visibility, demonstration, created_at, updated_at)
				values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
				id, publisherID, in.CategoryID, in.Slug, in.Name, in.Description, null(in.Icon), in.Visibility, in.Demonstration, now, now).Exec(ctx)
			if err != nil {
				return 0, Error(err)
			}
			c, err = channelWhere(ctx, tx, nil, "c.id = ?", id)
			return core.Created, err
		})
		return err
	})
	return c, creation, err
}

// lockChannel keeps a channel from being changed by others, and fails when it is not there or not as seen.
func lockChannel(ctx context.Context, tx Tx, id core.ID, seen *time.Time) error {
	var version time.Time
	if err := tx.NewRaw("select updated_at from channels where id = ? and deleted_at is null for no key update", id).Scan(ctx, &version); err != nil {
		return err
	}
	return core.CheckSeen(seen, version)
}

// UpdateChannel implements core.ChannelStore.
func (s *Store) UpdateChannel(ctx context.Context, id core.ID, p core.ChannelPatch, seen *time.Time, now time.Time, reader *core.ID) (c core.Channel, err error) {
	err = s.tx(ctx, func(ctx context.Context, tx Tx) error {
		if err := lockChannel(ctx, tx, id, seen); err != nil {
			return err
		}
		_, err := tx.NewRaw(`
			update channels set name = coalesce(?, name), description = coalesce(?, description), category_id = coalesce(?::uuid, category_id),
				icon = case when ? then ? else icon end, visibility = coalesce(?, visibility),
				updated_at = greatest(?, updated_at + interval '1 microsecond')
			where id = ?`, p.Name, p.Description, p.CategoryID, p.Icon.Set, p.Icon.Value, p.Visibility, now, id).Exec(ctx)
		if err != nil {
			return err
		}
		c, err = channelWhere(ctx, tx, reader, "c.id = ?", id)
		return err
	})
	return c, err
}

// DeleteChannel implements core.ChannelStore. Who begins to follow at the same time waits for it, and then finds no channel.
func (s *Store) DeleteChannel(ctx context.Context, id core.ID, seen *time.Time, now time.Time) error {
	return s.tx(ctx, func(ctx context.Context, tx Tx) error {
		if err := Unlimited(ctx, tx); err != nil { // followers may be many
			return err
		}
		if err := lockChannel(ctx, tx, id, seen); err != nil {
			return err
		}
		for _, end := range []string{
			"delete from subscriptions where channel_id = ?",
			"delete from webhooks where channel_id = ?",
		} {
			if _, err := tx.NewRaw(end, id).Exec(ctx); err != nil {
				return err
			}
		}
		_, err := tx.NewRaw("update channels set deleted_at = ?, publisher_id = null, category_id = null where id = ?", now, id).Exec(ctx)
		return err
	})
}
