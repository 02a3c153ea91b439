package memory

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

var _ interface {
	core.CategoryStore
	core.ChannelStore
} = (*Store)(nil)

type channelRow struct {
	core.Channel
	deleted bool
	ordinal int64 // how many notifications it has published
}

// ref returns a channel as its notifications include it.
func (s *Store) ref(c *channelRow) core.ChannelRef {
	ref := c.ChannelRef
	if p, ok := s.publishers[c.Publisher.ID]; ok {
		ref.PublisherSlug = p.Slug
		ref.Suspended = c.Suspension != nil || p.Suspension != nil
		ref.Private = c.Visibility == core.Private
	}
	return ref
}

// channel returns all of a channel.
func (s *Store) channel(c *channelRow, reader *core.ID) core.Channel {
	shown, p, g := c.Channel, s.publishers[c.Publisher.ID], s.categories[c.Category.ID]
	shown.ChannelRef = s.ref(c)
	shown.Publisher = core.Publisher{ID: p.ID, Slug: p.Slug, Name: p.Name, Avatar: p.Avatar, Website: p.Website}
	shown.Category = core.Category{ID: g.ID, Slug: g.Slug, Name: g.Name}
	shown.Suspension = cmp.Or(c.Suspension, p.Suspension)
	shown.SubscriberCount = s.followers(c.ID)
	for _, n := range s.published(c.ID) {
		shown.NotificationCount++
		shown.LastPublishedAt = n.PublishedAt
	}
	if reader != nil {
		shown.Following = new(s.subscriptions[pair{*reader, c.ID}] != nil)
	}
	return shown
}

func (s *Store) followers(channelID core.ID) (n int64) {
	for of := range s.subscriptions {
		if of.id == channelID {
			n++
		}
	}
	return n
}

// findChannel fails with CodeNotFound when there is no such channel.
func (s *Store) findChannel(publisherSlug, slug string) (*channelRow, error) {
	return s.channels.first(func(c *channelRow) bool {
		return !c.deleted && c.Slug == slug && s.publishers[c.Publisher.ID].Slug == publisherSlug
	})
}

// openChannel fails with CodeNotFound when a channel was deleted, and with CodeChanged when seen is not its version.
func (s *Store) openChannel(id core.ID, seen *time.Time) (*channelRow, error) {
	c, err := s.channels.get(id)
	if err != nil || c.deleted {
		return nil, core.NotFound()
	}
	return c, core.CheckSeen(seen, c.UpdatedAt)
}

// ChannelRef implements core.ChannelStore.
func (s *Store) ChannelRef(_ context.Context, publisherSlug, slug string) (core.ChannelRef, core.ID, error) {
	defer s.lock()()
	c, err := s.findChannel(publisherSlug, slug)
	if err != nil {
		return core.ChannelRef{}, core.ID{}, err
	}
	return s.ref(c), c.Publisher.ID, nil
}

// Destination implements core.NotificationStore.
func (s *Store) Destination(ctx context.Context, publisherSlug, slug string) (core.ChannelRef, core.ID, error) {
	return s.ChannelRef(ctx, publisherSlug, slug)
}

// Channel implements core.ChannelStore.
func (s *Store) Channel(_ context.Context, publisherSlug, slug string, reader *core.ID) (core.Channel, error) {
	defer s.lock()()
	c, err := s.findChannel(publisherSlug, slug)
	if err != nil {
		return core.Channel{}, err
	}
	return s.channel(c, reader), nil
}

// Channels implements core.ChannelStore. Without history, trending channels are those with most followers.
func (s *Store) Channels(_ context.Context, f core.ChannelFilter) ([]core.Channel, int64, error) {
	defer s.lock()()
	rows := newest(s.channels.where(func(c *channelRow) bool { return s.selects(f, c) }),
		func(c *channelRow) time.Time { return c.CreatedAt })
	switch f.Sort {
	case core.SortNewest:
	case core.SortActive:
		rows = newest(rows, func(c *channelRow) time.Time {
			if at := s.channel(c, nil).LastPublishedAt; at != nil {
				return *at
			}
			return time.Time{}
		})
	default:
		slices.SortStableFunc(rows, func(a, b *channelRow) int {
			return cmp.Compare(s.followers(b.ID), s.followers(a.ID))
		})
	}
	return paged(rows, f.Page, func(c *channelRow) core.Channel { return s.channel(c, f.Reader) })
}

func (s *Store) selects(f core.ChannelFilter, c *channelRow) bool {
	if c.deleted || c.Demonstration || !f.All && (c.Visibility != core.Public || s.ref(c).Suspended) ||
		f.Suspended && c.Suspension == nil {
		return false
	}
	p, g := s.publishers[c.Publisher.ID], s.categories[c.Category.ID]
	return (f.Category == "" || g.Slug == f.Category) && (f.Publisher == "" || p.Slug == f.Publisher) &&
		matches(f.Search, c.Name, c.Description, p.Name, g.Name)
}

// ListedChannels implements core.ChannelStore.
func (s *Store) ListedChannels(_ context.Context, limit int) ([]core.ListedChannel, error) {
	defer s.lock()()
	rows := newest(s.channels.where(func(c *channelRow) bool { return s.selects(core.ChannelFilter{}, c) }),
		func(c *channelRow) time.Time { return c.UpdatedAt })
	data, _, err := paged(rows, core.Page{Limit: limit}, func(c *channelRow) core.ListedChannel {
		return core.ListedChannel{PublisherSlug: s.ref(c).PublisherSlug, Slug: c.Slug, ChangedAt: c.UpdatedAt,
			PublisherChangedAt: s.publishers[c.Publisher.ID].UpdatedAt}
	})
	return data, err
}

// ChannelFollowers implements core.ChannelStore. It knows today only.
func (s *Store) ChannelFollowers(_ context.Context, channelID core.ID, days int) ([]core.FollowerDay, error) {
	defer s.lock()()
	if _, err := s.openChannel(channelID, nil); err != nil {
		return nil, err
	}
	today := core.FollowerDay{Day: s.now().UTC().Truncate(24 * time.Hour), Followers: s.followers(channelID)}
	return slices.Repeat([]core.FollowerDay{today}, min(days, 1)), nil
}

// CreateChannel implements core.ChannelStore.
func (s *Store) CreateChannel(
	ctx context.Context, id, publisherID core.ID, in core.ChannelInput, now time.Time, key core.Idempotency,
) (made core.Channel, creation core.Creation, err error) {
	defer s.lock()()
	creation, err = once(s, key, &made, func() (core.Creation, error) {
		if err := s.mayCreateChannel(publisherID, in); err != nil {
			return 0, err
		}
		c := &channelRow{Channel: core.Channel{
			ChannelRef: core.ChannelRef{ID: id, Slug: in.Slug, Name: in.Name, Icon: in.Icon,
				Demonstration: in.Demonstration},
			Publisher: core.Publisher{ID: publisherID}, Category: core.Category{ID: in.CategoryID},
			Description: in.Description, Visibility: in.Visibility, CreatedAt: now, UpdatedAt: now,
			KeepDays: in.KeepDays, KeepCount: in.KeepCount}}
		s.channels[id] = c
		s.audit(ctx, publisherID, id, in.Slug)
		made = s.channel(c, nil)
		return core.Created, nil
	})
	return made, creation, err
}

func (s *Store) mayCreateChannel(publisherID core.ID, in core.ChannelInput) error {
	p, err := s.publishers.get(publisherID)
	if err == nil && p.Suspension != nil {
		err = core.ErrSuspended(core.SuspendablePublisher, *p.Suspension)
	}
	if err == nil {
		err = s.checkStorage(publisherID)
	}
	if err != nil {
		return err
	}
	if _, ok := s.categories[in.CategoryID]; !ok {
		return core.ErrUnknownCategory()
	}
	theirs := s.channels.where(func(c *channelRow) bool { return !c.deleted && c.Publisher.ID == publisherID })
	if slices.ContainsFunc(theirs, func(c *channelRow) bool { return c.Slug == in.Slug }) {
		return core.ErrChannelSlugTaken()
	}
	return s.checkCap(core.CapChannels, len(theirs))
}

// UpdateChannel implements core.ChannelStore.
func (s *Store) UpdateChannel(
	ctx context.Context, id core.ID, p core.ChannelPatch, seen *time.Time, now time.Time, reader *core.ID,
) (core.Channel, error) {
	defer s.lock()()
	c, err := s.openChannel(id, seen)
	if err != nil {
		return core.Channel{}, err
	}
	if p.CategoryID != nil {
		if _, ok := s.categories[*p.CategoryID]; !ok {
			return core.Channel{}, core.ErrUnknownCategory()
		}
	}
	patch(&c.Name, p.Name)
	patch(&c.Description, p.Description)
	patch(&c.Category.ID, p.CategoryID)
	patch(&c.Visibility, p.Visibility)
	if c.Visibility != core.Private {
		s.dropRequests(id)
	}
	replace(&c.Icon, p.Icon)
	if p.KeepDays.Set {
		c.KeepDays = p.KeepDays.Value
	}
	if p.KeepCount.Set {
		c.KeepCount = p.KeepCount.Value
	}
	c.UpdatedAt = nextVersion(c.UpdatedAt, now)
	s.audit(ctx, c.Publisher.ID, id, c.Slug)
	return s.channel(c, reader), nil
}

// DeleteChannel implements core.ChannelStore.
func (s *Store) DeleteChannel(ctx context.Context, id core.ID, seen *time.Time, _ time.Time) error {
	defer s.lock()()
	c, err := s.openChannel(id, seen)
	if err != nil {
		return err
	}
	for of := range s.subscriptions {
		if of.id == id {
			delete(s.subscriptions, of)
		}
	}
	s.dropRequests(id)
	for _, w := range s.webhooksOf(id) {
		delete(s.webhooks, w.ID)
	}
	maps.DeleteFunc(s.drafts, func(_ core.ID, d *core.Draft) bool { return d.ChannelID == id })
	c.deleted = true
	s.audit(ctx, c.Publisher.ID, id, c.Slug)
	return nil
}

func (s *Store) category(g *core.Category) core.Category {
	shown := *g
	for _, c := range s.channels {
		if !c.deleted && c.Category.ID == g.ID && c.Visibility == core.Public && !s.ref(c).Suspended {
			shown.ChannelCount++
		}
	}
	return shown
}

// Categories implements core.CategoryStore.
func (s *Store) Categories(_ context.Context, page core.Page) ([]core.Category, int64, error) {
	defer s.lock()()
	rows := s.categories.where(func(*core.Category) bool { return true })
	slices.SortFunc(rows, func(a, b *core.Category) int {
		return cmp.Or(cmp.Compare(a.Position, b.Position), cmp.Compare(a.Slug, b.Slug))
	})
	return paged(rows, page, s.category)
}

// Category implements core.CategoryStore.
func (s *Store) Category(_ context.Context, id core.ID) (core.Category, error) {
	defer s.lock()()
	g, err := s.categories.get(id)
	if err != nil {
		return core.Category{}, err
	}
	return s.category(g), nil
}

func (s *Store) checkCategorySlug(id core.ID, slug string) error {
	taken := func(g *core.Category) bool { return g.Slug == slug && g.ID != id }
	if _, err := s.categories.first(taken); err == nil {
		return core.ErrCategorySlugTaken()
	}
	return nil
}

// CreateCategory implements core.CategoryStore.
func (s *Store) CreateCategory(
	ctx context.Context, c core.Category, key core.Idempotency,
) (core.Category, core.Creation, error) {
	defer s.lock()()
	creation, err := once(s, key, &c, func() (core.Creation, error) {
		if err := s.checkCategorySlug(c.ID, c.Slug); err != nil {
			return 0, err
		}
		s.categories[c.ID] = new(c)
		s.audit(ctx, core.ID{}, c.ID, c.Slug)
		return core.Created, nil
	})
	return c, creation, err
}

// UpdateCategory implements core.CategoryStore.
func (s *Store) UpdateCategory(
	ctx context.Context, id core.ID, p core.CategoryPatch, seen *time.Time, now time.Time,
) (core.Category, error) {
	defer s.lock()()
	g, err := s.categories.get(id)
	if err == nil {
		err = core.CheckSeen(seen, g.UpdatedAt)
	}
	if err == nil && p.Slug != nil {
		err = s.checkCategorySlug(id, *p.Slug)
	}
	if err != nil {
		return core.Category{}, err
	}
	patch(&g.Slug, p.Slug)
	patch(&g.Name, p.Name)
	patch(&g.Position, p.Position)
	g.UpdatedAt = nextVersion(g.UpdatedAt, now)
	s.audit(ctx, core.ID{}, id, g.Slug)
	return s.category(g), nil
}

// DeleteCategory implements core.CategoryStore.
func (s *Store) DeleteCategory(ctx context.Context, id core.ID, seen *time.Time) error {
	defer s.lock()()
	g, err := s.categories.get(id)
	if err == nil {
		err = core.CheckSeen(seen, g.UpdatedAt)
	}
	if err != nil {
		return err
	}
	if _, err := s.channels.first(func(c *channelRow) bool { return !c.deleted && c.Category.ID == id }); err == nil {
		return core.ErrHasChannels()
	}
	delete(s.categories, id)
	s.audit(ctx, core.ID{}, id, g.Slug)
	return nil
}
