package core

import (
	"context"
	"time"
)

// Visibility says who finds a channel.
type Visibility string

// The visibilities.
const (
	Public   Visibility = "public"
	Unlisted Visibility = "unlisted" // in no list; whoever knows its address can see it
)

// ChannelRef is a channel as a notification names it.
type ChannelRef struct {
	ID            ID
	PublisherSlug string
	Slug, Name    string
	Icon          string
}

// Address is how people write a channel: publisherSlug/channelSlug.
func (c ChannelRef) Address() string { return c.PublisherSlug + "/" + c.Slug }

// Channel is what publishers publish to and subscribers follow.
type Channel struct {
	ChannelRef
	Publisher         Publisher
	Category          Category
	Description       string
	Visibility        Visibility
	SubscriberCount   int64
	NotificationCount int64
	LastPublishedAt   *time.Time
	CreatedAt         time.Time
	Following         *bool // nil when nobody asks in person
}

// ChannelSort is an order of channels.
type ChannelSort string

// The orders.
const (
	SortPopular ChannelSort = "popular"
	SortNewest  ChannelSort = "newest"
	SortActive  ChannelSort = "active"
)

// ChannelFilter says which channels are wanted.
type ChannelFilter struct {
	Words, Category, Publisher string
	Sort                       ChannelSort
	Reader                     *ID // whose following is told
	Page
}

// ChannelInput is what a new channel is made of.
type ChannelInput struct {
	PublisherSlug, Slug, Name, Description string
	CategoryID                             ID
	Icon                                   string
	Visibility                             Visibility
}

// Validate reports every fault of the input.
func (in ChannelInput) Validate(links LinkRules) error {
	var f faults
	f.line("#/name", in.Name)
	f.text("#/description", in.Description)
	f.link("#/icon", in.Icon, links)
	return f.err()
}

// ChannelStore keeps channels.
type ChannelStore interface {
	// ChannelRef finds a channel and its publisher's id; CodeNotFound when there is none.
	ChannelRef(ctx context.Context, publisherSlug, slug string) (ChannelRef, ID, error)
	// Channel finds a channel with all that is told of it. reader may be nil.
	Channel(ctx context.Context, publisherSlug, slug string, reader *ID) (Channel, error)
	Channels(ctx context.Context, f ChannelFilter) (data []Channel, total int64, err error)
	// CreateChannel fails with CodeConflict when the publisher has that slug and with CodeInvalid when there is no such category.
	CreateChannel(ctx context.Context, id, publisherID ID, in ChannelInput, now time.Time, key Idempotency) (Channel, Creation, error)
}

// Channels lists, shows and creates channels.
type Channels struct {
	Store interface {
		ChannelStore
		PublisherStore
	}
	Links LinkRules
	Now   func() time.Time
}

// List answers public channels.
func (c *Channels) List(ctx context.Context, caller Caller, f ChannelFilter) ([]Channel, int64, error) {
	f.Reader = caller.reader()
	return c.Store.Channels(ctx, f)
}

// Get answers one channel.
func (c *Channels) Get(ctx context.Context, caller Caller, publisherSlug, slug string) (Channel, error) {
	return c.Store.Channel(ctx, publisherSlug, slug, caller.reader())
}

// Create makes a channel for a publisher that the caller may edit.
func (c *Channels) Create(ctx context.Context, caller Caller, in ChannelInput, key Idempotency) (Channel, Creation, error) {
	p, err := c.Store.PublisherBySlug(ctx, in.PublisherSlug)
	if err != nil {
		return Channel{}, 0, err
	}
	if err := mayEdit(ctx, c.Store, caller, p.ID, ScopeChannels); err != nil {
		return Channel{}, 0, err
	}
	if err := in.Validate(c.Links); err != nil {
		return Channel{}, 0, err
	}
	if in.Visibility == "" {
		in.Visibility = Public
	}
	return c.Store.CreateChannel(ctx, NewID(), p.ID, in, c.Now(), key)
}

// reader is the subscriber whose view is shown, if one asks.
func (c Caller) reader() *ID {
	if c.Kind != CallerSubscriber {
		return nil
	}
	return &c.SubscriberID
}
