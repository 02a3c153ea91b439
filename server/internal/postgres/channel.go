package postgres

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"github.com/sininho/sininho/server/internal/core"
)

// A deleted channel has no publisher and no category, so a query that joins either does not find it.

// ChannelRef implements core.ChannelStore.
func (s *Store) ChannelRef(ctx context.Context, publisherSlug, slug string) (core.ChannelRef, core.ID, error) {
	c, err := s.channels.get(ctx, channelAddress{publisherSlug, slug})
	return c.ref, c.publisherID, err
}

type channelAddress struct{ publisherSlug, slug string }

type foundChannel struct {
	ref         core.ChannelRef
	publisherID core.ID
}

func (s *Store) findChannels(ctx context.Context, addresses []channelAddress) (map[channelAddress]foundChannel, error) {
	return s.findAddressed(ctx, addresses, foundColumns+", false as is_full, false as silent")
}

// findAddressed finds channels with columns of theirs, of which $3 is the quota of publishers.
func (s *Store) findAddressed(
	ctx context.Context, addresses []channelAddress, columns string, args ...any,
) (map[channelAddress]foundChannel, error) {
	publishers, slugs := make([]string, len(addresses)), make([]string, len(addresses))
	for i, a := range addresses {
		publishers[i], slugs[i] = a.publisherSlug, a.slug
	}
	rows, err := Hot[struct {
		Place          int
		IsFull, Silent bool
		foundChannelRow
	}](ctx, s.db, `
		select v.place - 1 as place, `+columns+`
		from unnest($1::text[], $2::text[]) with ordinality v (publisher_slug, slug, place)`+joinAddressed,
		append([]any{texts(publishers), texts(slugs)}, args...)...)
	found := make(map[channelAddress]foundChannel, len(rows))
	for _, r := range rows {
		c := r.channel(addresses[r.Place])
		c.ref.Full, c.ref.Silent = r.IsFull, r.Silent
		found[addresses[r.Place]] = c
	}
	return found, err
}

// joinAddressed joins a list v of addresses with their channels.
const joinAddressed = `
	cross join lateral (select id from publishers where slug = v.publisher_slug limit 1) p
	cross join lateral (select * from channels where publisher_id = p.id and slug = v.slug limit 1) c`

// foundColumns are those of a foundChannelRow.
const foundColumns = `c.id, c.name, coalesce(c.icon, '') as icon, c.demonstration, c.suspended,
	c.visibility, c.publisher_id`

type foundChannelRow struct {
	ID, PublisherID          core.ID
	Name, Icon               string
	Demonstration, Suspended bool
	Visibility               core.Visibility
}

func (r foundChannelRow) channel(a channelAddress) foundChannel {
	return foundChannel{publisherID: r.PublisherID, ref: core.ChannelRef{ID: r.ID, PublisherSlug: a.publisherSlug,
		Slug: a.slug, Name: r.Name, Icon: r.Icon, Demonstration: r.Demonstration, Suspended: r.Suspended,
		Private: r.Visibility == core.Private}}
}

// Destination implements core.NotificationStore.
func (s *Store) Destination(ctx context.Context, publisherSlug, slug string) (core.ChannelRef, core.ID, error) {
	c, err := s.destinations.get(ctx, channelAddress{publisherSlug, slug})
	return c.ref, c.publisherID, err
}

func (s *Store) findDestinations(
	ctx context.Context, addresses []channelAddress,
) (map[channelAddress]foundChannel, error) {
	columns := foundColumns + ", " + isFull("$3") + " as is_full, not (" + isHeard + ") as silent"
	return s.findAddressed(ctx, addresses, columns, s.StorageQuota)
}

type channelRow struct {
	bun.BaseModel `bun:"table:channels,alias:c"`

	ID            core.ID         `bun:"id,pk"`
	PublisherID   core.ID         `bun:"publisher_id,nullzero"`
	CategoryID    core.ID         `bun:"category_id,nullzero"`
	Slug          string          `bun:"slug"`
	Name          string          `bun:"name"`
	Description   string          `bun:"description"`
	Icon          string          `bun:"icon,nullzero"`
	Visibility    core.Visibility `bun:"visibility"`
	Demonstration bool            `bun:"demonstration"`
	Suspended     bool            `bun:"suspended"`
	KeepDays      *int            `bun:"keep_days"`
	KeepCount     *int            `bun:"keep_count"`
	CreatedAt     time.Time       `bun:"created_at"`
	UpdatedAt     time.Time       `bun:"updated_at"`
	DeletedAt     *time.Time      `bun:"deleted_at"`
}

// channelView is a channel with everything that is shown of it.
type channelView struct {
	channelRow `bun:",extend"`

	PublisherSlug     string     `bun:"publisher_slug,scanonly"`
	PublisherName     string     `bun:"publisher_name,scanonly"`
	PublisherAvatar   string     `bun:"publisher_avatar,scanonly"`
	PublisherWebsite  string     `bun:"publisher_website,scanonly"`
	CategorySlug      string     `bun:"category_slug,scanonly"`
	CategoryName      string     `bun:"category_name,scanonly"`
	NotificationCount int64      `bun:"notification_count,scanonly"`
	SubscriberCount   int64      `bun:"subscriber_count,scanonly"`
	LastPublishedAt   *time.Time `bun:"last_published_at,scanonly"`
	Following         *bool      `bun:"following,scanonly"`
	suspensionRow
}

func (r channelView) channel() core.Channel {
	return core.Channel{
		ChannelRef: core.ChannelRef{
			ID: r.ID, PublisherSlug: r.PublisherSlug, Slug: r.Slug, Name: r.Name, Icon: r.Icon,
			Demonstration: r.Demonstration, Suspended: r.Suspended, Private: r.Visibility == core.Private,
		},
		Publisher: core.Publisher{
			ID: r.PublisherID, Slug: r.PublisherSlug, Name: r.PublisherName, Avatar: r.PublisherAvatar,
			Website: r.PublisherWebsite,
		},
		Category:          core.Category{ID: r.CategoryID, Slug: r.CategorySlug, Name: r.CategoryName},
		Description:       r.Description,
		Visibility:        r.Visibility,
		KeepDays:          r.KeepDays,
		KeepCount:         r.KeepCount,
		SubscriberCount:   r.SubscriberCount,
		NotificationCount: r.NotificationCount,
		LastPublishedAt:   r.LastPublishedAt,
		CreatedAt:         r.CreatedAt,
		UpdatedAt:         r.UpdatedAt,
		Following:         r.Following,
		Suspension:        r.suspension(),
	}
}

// selectChannels selects views of channels; reader may be nil.
func selectChannels(db bun.IDB, reader *core.ID) *bun.SelectQuery {
	q := db.NewSelect().
		ColumnExpr("?TableColumns").
		ColumnExpr("p.slug AS publisher_slug, p.name AS publisher_name, p.avatar AS publisher_avatar").
		ColumnExpr("p.website AS publisher_website").
		ColumnExpr("g.slug AS category_slug, g.name AS category_name").
		ColumnExpr("coalesce(c.suspended_at, p.suspended_at) AS suspended_at").
		ColumnExpr("coalesce(c.suspension_reason, p.suspension_reason) AS suspension_reason").
		ColumnExpr("k.notification_count, k.subscriber_count, l.published_at AS last_published_at").
		Join("JOIN publishers AS p ON p.id = c.publisher_id").
		Join("JOIN categories AS g ON g.id = c.category_id").
		Join(`CROSS JOIN LATERAL (
			SELECT coalesce((SELECT visible FROM channel_heads WHERE channel_id = c.id), 0) AS notification_count,
				coalesce(sum(subscribers), 0) AS subscriber_count
			FROM channel_counts WHERE channel_id = c.id) AS k`).
		Join(`LEFT JOIN LATERAL (
			SELECT published_at FROM notifications AS n WHERE n.channel_id = c.id AND n.visible
			ORDER BY n.published_at DESC, n.id DESC LIMIT 1) AS l ON true`)
	if reader != nil {
		q = q.ColumnExpr(`EXISTS (
			SELECT FROM subscriptions AS s WHERE s.channel_id = c.id AND s.subscriber_id = ?) AS following`, *reader)
	}
	return q
}

// Channel implements core.ChannelStore.
func (s *Store) Channel(ctx context.Context, publisherSlug, slug string, reader *core.ID) (core.Channel, error) {
	var row channelView
	err := selectChannels(s.db, reader).Model(&row).
		Where("p.slug = ?", publisherSlug).Where("c.slug = ?", slug).Scan(ctx)
	return row.channel(), Error(err)
}

func channelByID(ctx context.Context, db bun.IDB, id core.ID, reader *core.ID) (core.Channel, error) {
	var row channelView
	err := selectChannels(db, reader).Model(&row).Where("c.id = ?", id).Scan(ctx)
	return row.channel(), Error(err)
}

// channelOrder is an order of channels. What it needs is read by joins, of which the views of channels lack some.
type channelOrder struct{ join, viewJoin, by string }

const followerCounts = `LEFT JOIN (
		SELECT channel_id, sum(subscribers) AS subscriber_count FROM channel_counts GROUP BY channel_id
	) AS k ON k.channel_id = c.id`

var channelOrders = map[core.ChannelSort]channelOrder{
	core.SortPopular: {join: followerCounts, by: "coalesce(k.subscriber_count, 0) DESC, c.created_at DESC, c.id DESC"},
	core.SortTrending: {
		join: followerCounts + " " + gainedFollowers, viewJoin: gainedFollowers,
		by: "coalesce(t.gained, 0) DESC, coalesce(k.subscriber_count, 0) DESC, c.created_at DESC, c.id DESC"},
	core.SortNewest: {by: "c.created_at DESC, c.id DESC"},
	core.SortActive: {
		join: `LEFT JOIN LATERAL (
			SELECT published_at FROM notifications AS n WHERE n.channel_id = c.id AND n.visible
			ORDER BY n.published_at DESC LIMIT 1) AS l ON true`,
		by: "l.published_at DESC NULLS LAST, c.id DESC"},
}

// sorted joins what the order needs, and sorts by the rank of the search first.
func (o channelOrder) sorted(q *bun.SelectQuery, join string, search core.Search) *bun.SelectQuery {
	if join != "" {
		q = q.Join(join)
	}
	if len(search.Words) > 0 {
		rank, args := searchRank(search)
		q = q.OrderExpr(rank, args...)
	}
	return q.OrderExpr(o.by)
}

// Channels implements core.ChannelStore.
func (s *Store) Channels(ctx context.Context, f core.ChannelFilter) (data []core.Channel, total int64, err error) {
	order, ok := channelOrders[f.Sort]
	if !ok {
		order = channelOrders[core.SortPopular]
	}
	err = s.searching(ctx, f.Search, func(ctx context.Context, db bun.IDB, bytes int) (cut bool, err error) {
		// Only what the order needs is read of every channel; the rest is read for those on the page.
		ids := order.sorted(matchingChannels(db, f).Column("c.id"), order.join, f.Search)
		views := selectChannels(db, f.Reader).Where("c.id IN (?)", paged(ids, f.Page))
		views = order.sorted(views, order.viewJoin, f.Search)
		if data, cut, err = scan(ctx, views, bytes, channelView.channel); err != nil {
			return false, err
		}
		page := f.Page
		if cut {
			page.Limit = len(data) // there are more
		}
		total, err = Length(ctx, matchingChannels(db, f), page, len(data))
		return cut, err
	})
	return data, total, err
}

// ListedChannels implements core.ChannelStore.
func (s *Store) ListedChannels(ctx context.Context, limit int) (listed []core.ListedChannel, err error) {
	err = s.db.page(ctx, func(ctx context.Context, db *DB) error {
		listed = nil
		return matchingChannels(db, core.ChannelFilter{}).
			ColumnExpr("p.slug AS publisher_slug, c.slug, p.updated_at AS publisher_changed_at").
			ColumnExpr("greatest(c.updated_at, nullif(h.published_at, '-infinity')) AS changed_at").
			Join("LEFT JOIN channel_heads AS h ON h.channel_id = c.id").
			OrderExpr("changed_at DESC, c.id DESC").Limit(int64(limit)).Scan(ctx, &listed)
	})
	return listed, Error(err)
}

// matchingChannels finds the channels of a filter, without columns.
func matchingChannels(db bun.IDB, f core.ChannelFilter) *bun.SelectQuery {
	q := db.NewSelect().TableExpr("channels AS c").
		Join("JOIN publishers AS p ON p.id = c.publisher_id").
		Join("JOIN categories AS g ON g.id = c.category_id").
		Where("NOT c.demonstration")
	if f.All {
		q = q.Where("c.deleted_at IS NULL")
	} else {
		q = q.Where("c.visibility = 'public'").Where("NOT c.suspended")
	}
	if f.Suspended {
		q = q.Where("c.suspended AND c.suspended_at IS NOT NULL") // the index is on the first
	}
	if f.Category != "" {
		q = q.Where("g.slug = ?", f.Category)
	}
	if f.Publisher != "" {
		q = q.Where("p.slug = ?", f.Publisher)
	}
	condition, args := channelSearchCondition(f.Search)
	return q.Where(condition, args...)
}

// channelSearchCondition returns the condition that a channel has the words of the search in its names, in what it has
// published, or in both together. It reads indexes and no notification.
func channelSearchCondition(search core.Search) (condition string, args []any) {
	named, args := searchCondition("search", search)
	if len(args) == 0 {
		return named, nil
	}
	published, more := searchCondition("words", search)
	return "c.id IN (SELECT id FROM channels WHERE " + named + `
		UNION ALL SELECT channel_id FROM channel_words WHERE ` + published + ")", append(args, more...)
}

// searchRank returns by what found channels are sorted first: those whose name has all words of the search, then those
// that have them in publisher, category or description too, then those that have published some of them.
func searchRank(search core.Search) (rank string, args []any) {
	named, args := searchCondition("c.search", search, "A")
	described, more := searchCondition("c.search", search)
	return "CASE WHEN " + named + " THEN 0 WHEN " + described + " THEN 1 ELSE 2 END", append(args, more...)
}

// CreateChannel implements core.ChannelStore.
func (s *Store) CreateChannel(
	ctx context.Context, id, publisherID core.ID, in core.ChannelInput, now time.Time, key core.Idempotency,
) (c core.Channel, creation core.Creation, err error) {
	row := channelRow{
		ID: id, PublisherID: publisherID, CategoryID: in.CategoryID, Slug: in.Slug, Name: in.Name,
		Description: in.Description, Icon: in.Icon, Visibility: in.Visibility, Demonstration: in.Demonstration,
		KeepDays: in.KeepDays, KeepCount: in.KeepCount, CreatedAt: now, UpdatedAt: now,
	}
	err = s.tx(ctx, func(ctx context.Context, tx Tx) error {
		creation, err = Once(ctx, tx, key, &c, func() (core.Creation, error) {
			if err := lockActive(ctx, tx, core.SuspendablePublisher, publisherID); err != nil {
				return 0, err
			}
			err := checkStorage(ctx, tx, "select ?0::uuid as publisher_id", publisherID, s.StorageQuota)
			if err != nil {
				return 0, err
			}
			if _, err := tx.NewInsert().Model(&row).Exec(ctx); err != nil {
				return 0, Error(err)
			}
			theirs := tx.NewSelect().Model((*channelRow)(nil)).
				Where("publisher_id = ?", publisherID).Where("deleted_at IS NULL")
			if err := s.checkCap(ctx, tx, core.CapChannels, publisherID, theirs); err != nil {
				return 0, err
			}
			if c, err = channelByID(ctx, tx, id, nil); err != nil {
				return 0, err
			}
			entry := core.AuditEntry{PublisherID: publisherID, ObjectID: id, Object: row.Slug}
			return core.Created, audit(ctx, tx, entry)
		})
		return err
	})
	return c, creation, err
}

// lockChannel keeps others from changing a channel. It fails with CodeNotFound, and with CodeChanged when seen is not
// the channel's version.
func lockChannel(ctx context.Context, tx Tx, id core.ID, seen *time.Time) (channelRow, error) {
	row := channelRow{ID: id}
	err := tx.NewSelect().Model(&row).WherePK().Where("deleted_at IS NULL").For("NO KEY UPDATE").Scan(ctx)
	if err != nil {
		return row, err
	}
	return row, core.CheckSeen(seen, row.UpdatedAt)
}

// UpdateChannel implements core.ChannelStore.
func (s *Store) UpdateChannel(
	ctx context.Context, id core.ID, p core.ChannelPatch, seen *time.Time, now time.Time, reader *core.ID,
) (c core.Channel, err error) {
	err = s.tx(ctx, func(ctx context.Context, tx Tx) error {
		row, err := lockChannel(ctx, tx, id, seen)
		if err != nil {
			return err
		}
		wasPrivate := row.Visibility == core.Private
		patch(&row.Name, p.Name)
		patch(&row.Description, p.Description)
		patch(&row.CategoryID, p.CategoryID)
		patch(&row.Visibility, p.Visibility)
		if p.Icon.Set {
			row.Icon = text(p.Icon.Value)
		}
		if p.KeepDays.Set {
			row.KeepDays = p.KeepDays.Value
		}
		if p.KeepCount.Set {
			row.KeepCount = p.KeepCount.Value
		}
		row.UpdatedAt = NextVersion(row.UpdatedAt, now)
		_, err = tx.NewUpdate().Model(&row).Column("name", "description", "category_id", "icon", "visibility",
			"keep_days", "keep_count", "updated_at").WherePK().Exec(ctx)
		if err != nil {
			return err
		}
		if row.Visibility != core.Private { // nobody needs to ask any more
			_, err = tx.NewDelete().Model((*channelRequestRow)(nil)).Where("channel_id = ?", id).Exec(ctx)
		} else if !wasPrivate {
			err = removeNameless(ctx, tx, id)
		}
		if err != nil {
			return err
		}
		if c, err = channelByID(ctx, tx, id, reader); err != nil {
			return err
		}
		return audit(ctx, tx, core.AuditEntry{PublisherID: row.PublisherID, ObjectID: id, Object: row.Slug})
	})
	return c, err
}

// DeleteChannel implements core.ChannelStore. A subscriber that follows it at the same time waits and finds no channel;
// a publish finds no head.
func (s *Store) DeleteChannel(ctx context.Context, id core.ID, seen *time.Time, now time.Time) error {
	return s.tx(ctx, func(ctx context.Context, tx Tx) error {
		if err := Unlimited(ctx, tx); err != nil { // subscribers may be many
			return err
		}
		was, err := lockChannel(ctx, tx, id, seen)
		if err != nil {
			return err
		}
		for _, table := range []string{"subscriptions", "channel_requests", "channel_invitations", "webhooks",
			"drafts", "channel_heads"} {
			if _, err := tx.NewDelete().Table(table).Where("channel_id = ?", id).Exec(ctx); err != nil {
				return err
			}
		}
		_, err = tx.NewUpdate().Table("channels").Set("deleted_at = ?", now).Set("charged_to = publisher_id").
			Set("publisher_id = null").Set("category_id = null").Where("id = ?", id).Exec(ctx)
		if err != nil {
			return err
		}
		return audit(ctx, tx, core.AuditEntry{PublisherID: was.PublisherID, ObjectID: id, Object: was.Slug})
	})
}
