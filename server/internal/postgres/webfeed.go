package postgres

import (
	"context"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

// webFeedBytes bounds the texts of a web feed.
const webFeedBytes = 256 << 10

// webFeedRow is a description of a web feed.
type webFeedRow struct {
	ID, OwnerID                       core.ID
	Title, Description                string
	Picture, Author                   string
	ChangedAt                         time.Time
	Version                           string
	Private, Demonstration, Suspended bool
}

func (r webFeedRow) webFeed(kind core.WebFeedKind) core.WebFeed {
	return core.WebFeed{Kind: kind, ID: r.ID, OwnerID: r.OwnerID, Title: r.Title, Description: r.Description,
		Picture: r.Picture, Author: r.Author, ChangedAt: r.ChangedAt, Version: r.Version, Private: r.Private,
		Demonstration: r.Demonstration, Suspended: r.Suspended}
}

// webFeed reads the description of a web feed on the database itself: after one from a replica that is ahead, older
// items would be kept for current ones.
func (s *Store) webFeed(ctx context.Context, kind core.WebFeedKind, sql string, args ...any) (core.WebFeed, error) {
	rows, err := Hot[webFeedRow](ctx, s.db, sql, args...)
	if err != nil {
		return core.WebFeed{}, Error(err)
	}
	if len(rows) == 0 {
		return core.WebFeed{}, core.NotFound()
	}
	return rows[0].webFeed(kind), nil
}

// stateOfChannel is another one after each change of what channel c of publisher p, or the notifications that its head
// h counts, show.
const stateOfChannel = `concat_ws(' ', c.id, coalesce(h.version, 0), extract(epoch from c.updated_at),
	extract(epoch from p.updated_at))`

// ChannelWebFeed implements core.WebFeedStore.
func (s *Store) ChannelWebFeed(ctx context.Context, publisherSlug, slug string) (core.WebFeed, error) {
	return s.webFeed(ctx, core.ChannelWebFeed, `
		select c.id, c.id as owner_id, c.name as title, c.description, coalesce(c.icon, p.avatar, '') as picture,
			p.name as author, greatest(c.updated_at, p.updated_at) as changed_at, `+stateOfChannel+` as version,
			c.visibility = 'private' as private, c.demonstration, c.suspended
		from publishers p
		join channels c on c.publisher_id = p.id
		left join channel_heads h on h.channel_id = c.id
		where p.slug = $1 and c.slug = $2`, publisherSlug, slug)
}

// isInWebFeed is the condition that the feed of publisher p has the notifications of channel c.
const isInWebFeed = isListed + ` and not c.demonstration`

// PublisherWebFeed implements core.WebFeedStore.
func (s *Store) PublisherWebFeed(ctx context.Context, slug string) (core.WebFeed, error) {
	return s.webFeed(ctx, core.PublisherWebFeed, `
		select p.id, p.id as owner_id, p.name as title, p.description, coalesce(p.avatar, '') as picture,
			p.name as author, greatest(p.updated_at, l.changed_at) as changed_at,
			concat_ws(' ', p.id, extract(epoch from p.updated_at), l.version) as version,
			false as private, false as demonstration, p.suspended_at is not null as suspended
		from publishers p
		cross join lateral (
			select md5(string_agg(`+stateOfChannel+`, ',' order by c.id)) as version, max(c.updated_at) as changed_at
			from channels c left join channel_heads h on h.channel_id = c.id
			where `+isInWebFeed+`
		) l
		where p.slug = $1`, slug)
}

// PersonalWebFeed implements core.WebFeedStore.
func (s *Store) PersonalWebFeed(ctx context.Context, hash []byte) (core.WebFeed, error) {
	return s.webFeed(ctx, core.PersonalWebFeed, `
		select a.id, a.subscriber_id as owner_id, '' as title, '' as description, '' as picture, '' as author,
			greatest(a.created_at, l.changed_at) as changed_at,
			concat_ws(' ', a.id, l.version, r.archived, extract(epoch from r.archived_at)) as version,
			false as private, false as demonstration, o.suspended_at is not null as suspended
		from feed_addresses a
		join subscribers o on o.id = a.subscriber_id
		cross join lateral (
			select md5(string_agg(`+stateOfChannel+`, ',' order by c.id)) as version, max(c.updated_at) as changed_at
			from subscriptions s
			join channels c on c.id = s.channel_id
			join publishers p on p.id = c.publisher_id
			left join channel_heads h on h.channel_id = c.id
			where s.subscriber_id = a.subscriber_id and not c.suspended
		) l
		cross join lateral (
			select count(*) as archived, max(archived_at) as archived_at from receipts
			where subscriber_id = a.subscriber_id and archived_at is not null
		) r
		where a.secret_hash = $1`, hash)
}

// WebFeedItems implements core.WebFeedStore.
func (s *Store) WebFeedItems(ctx context.Context, f core.WebFeed, limit int) ([]core.WebFeedItem, error) {
	page := core.Page{Limit: limit}
	switch f.Kind {
	case core.ChannelWebFeed:
		return s.webFeedItems(ctx, latestOfChannel(page), f.OwnerID)
	case core.PublisherWebFeed:
		return s.webFeedItems(ctx, latestOfPublisher(page), f.OwnerID)
	default:
		return s.personalWebFeedItems(ctx, f.OwnerID, page)
	}
}

// webFeedItems reads the notifications that a statement about $1 selects.
func (s *Store) webFeedItems(ctx context.Context, latest string, id core.ID) ([]core.WebFeedItem, error) {
	rows, err := Hot[struct {
		notificationRow
		PublisherName string
		boundedRow
	}](ctx, s.db, withinBytes(notificationColumns+`, `+noReader+`, p.name as publisher_name`, `
			from (`+latest+`) v
			join notifications n on n.id = v.id
			join channels c on c.id = n.channel_id
			join publishers p on p.id = c.publisher_id`, webFeedBytes), id)
	items := make([]core.WebFeedItem, len(rows))
	for i, row := range rows {
		items[i] = core.WebFeedItem{Notification: row.notification(), Publisher: row.PublisherName}
	}
	return items, Error(err)
}

// latestOfChannel selects the latest notifications of channel $1.
func latestOfChannel(page core.Page) string {
	return `
		select n.id from notifications n where n.channel_id = $1 and n.visible
		order by ` + newestFirst + limit(page)
}

// latestOfPublisher selects the latest notifications of the public channels of publisher $1. Like latest, it reads no
// channel beyond what the one with the most notifications alone would give.
func latestOfPublisher(page core.Page) string {
	const listed = `
		from publishers p join channels c on ` + isInWebFeed + `
		join channel_heads h on h.channel_id = c.id
		where p.id = $1 and h.visible > 0`
	order := " order by " + newestFirst
	return `
		select n.id from (select c.id ` + listed + ` offset 0) c cross join lateral (
			select n.id, n.published_at from notifications n
			where n.channel_id = c.id and n.visible and n.published_at >= coalesce((
				select n.published_at from notifications n
				where n.channel_id = (select c.id ` + listed + ` order by h.visible desc limit 1)
					and n.visible` + order +
		limit(core.Page{Limit: 1, Offset: page.Limit - 1}) + `), '-infinity')` + order + limit(page) + `) n` +
		order + limit(page)
}

// personalWebFeedItems reads the first page of a person's feed, which is as new as the database when it begins.
func (s *Store) personalWebFeedItems(
	ctx context.Context, subscriberID core.ID, page core.Page,
) ([]core.WebFeedItem, error) {
	p, err := s.feed(ctx, s.db, subscriberID, core.FeedFilter{Page: page}, webFeedBytes)
	if err != nil {
		return nil, Error(err)
	}
	names, err := s.publisherNames(ctx, p.Data)
	if err != nil {
		return nil, err
	}
	items := make([]core.WebFeedItem, len(p.Data))
	for i, n := range p.Data {
		items[i] = core.WebFeedItem{Notification: n, Publisher: names[n.Channel.PublisherSlug]}
	}
	return items, nil
}

// publisherNames returns the names of the publishers of notifications by their slugs.
func (s *Store) publisherNames(ctx context.Context, list []core.Notification) (map[string]string, error) {
	slugs := make([]string, len(list))
	for i, n := range list {
		slugs[i] = n.Channel.PublisherSlug
	}
	rows, err := Hot[struct{ Slug, Name string }](ctx, s.db,
		"select slug, name from publishers where slug = any ($1::text[])", texts(slugs))
	names := make(map[string]string, len(rows))
	for _, row := range rows {
		names[row.Slug] = row.Name
	}
	return names, Error(err)
}
