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
	ID            ID     `json:"id"`
	PublisherSlug string `json:"publisherSlug"`
	Slug          string `json:"slug"`
	Name          string `json:"name"`
	Icon          string `json:"icon"`
	Demonstration bool   `json:"demonstration,omitempty"` // strangers publish to it
}

// Address is how people write a channel: publisherSlug/channelSlug.
func (c ChannelRef) Address() string { return c.PublisherSlug + "/" + c.Slug }

// Channel is what publishers publish to and subscribers follow.
type Channel struct {
	ChannelRef
	Publisher         Publisher  `json:"publisher"`
	Category          Category   `json:"category"`
	Description       string     `json:"description"`
	Visibility        Visibility `json:"visibility"`
	SubscriberCount   int64      `json:"subscriberCount"`
	NotificationCount int64      `json:"notificationCount"`
	LastPublishedAt   *time.Time `json:"lastPublishedAt"`
	CreatedAt         time.Time  `json:"createdAt"`
	UpdatedAt         time.Time  `json:"updatedAt"` // of what its publisher says of it
	Following         *bool      `json:"following"` // nil when nobody asks in person
}

// Version is the time of the latest change that its publisher made to it.
func (c Channel) Version() time.Time { return c.UpdatedAt }

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
	Search              Search
	Category, Publisher string
	Sort                ChannelSort
	Reader              *ID  // whose following is told
	Unlisted            bool // those too
	Page
}

// ChannelInput is what a new channel is made of.
type ChannelInput struct {
	PublisherSlug, Slug, Name, Description string
	CategoryID                             ID
	Icon                                   string
	Visibility                             Visibility
	Demonstration                          bool
}

// Validate reports every fault of the input.
func (in ChannelInput) Validate(links LinkRules) error {
	var f faults
	f.name("#/name", in.Name)
	f.text("#/description", in.Description)
	f.link("#/icon", in.Icon, links)
	return f.err()
}

// ChannelPatch is a change to a channel. What is not set stays.
type ChannelPatch struct {
	Name, Description *string
	CategoryID        *ID
	Icon              Patch[string]
	Visibility        *Visibility
}

// Validate reports every fault of the change.
func (p ChannelPatch) Validate(links LinkRules) error {
	var f faults
	if p.Name != nil {
		f.name("#/name", *p.Name)
	}
	if p.Description != nil {
		f.text("#/description", *p.Description)
	}
	if p.Icon.Value != nil {
		f.link("#/icon", *p.Icon.Value, links)
	}
	return f.err()
}

// ChannelStore keeps channels. Those that were deleted are not there.
type ChannelStore interface {
	// ChannelRef finds a channel and its publisher's id; CodeNotFound when there is none.
	ChannelRef(ctx context.Context, publisherSlug, slug string) (ChannelRef, ID, error)
	// Channel finds a channel with all that is told of it. reader may be nil.
	Channel(ctx context.Context, publisherSlug, slug string, reader *ID) (Channel, error)
	Channels(ctx context.Context, f ChannelFilter) (data []Channel, total int64, err error)
	// CreateChannel fails with CodeConflict when the publisher has that slug and with CodeInvalid when there is no such category.
	CreateChannel(ctx context.Context, id, publisherID ID, in ChannelInput, now time.Time, key Idempotency) (Channel, Creation, error)
	// UpdateChannel fails with CodeChanged when seen is not the channel's version, and with CodeInvalid when there is no
	// such category.
	UpdateChannel(ctx context.Context, id ID, p ChannelPatch, seen *time.Time, now time.Time, reader *ID) (Channel, error)
	// DeleteChannel ends a channel with its subscriptions and webhooks at once; what it published is purged later. It fails
	// with CodeChanged when seen is not the channel's version.
	DeleteChannel(ctx context.Context, id ID, seen *time.Time, now time.Time) error
}

// Channels lists, shows, creates, changes and deletes channels.
type Channels struct {
	Store interface {
		ChannelStore
		PublisherStore
	}
	Links    LinkRules
	Announce Announcer
	Now      func() time.Time
}

// List answers public channels, and to those who may edit the publisher that they ask for its unlisted ones too.
func (c *Channels) List(ctx context.Context, caller Caller, f ChannelFilter) ([]Channel, int64, error) {
	f.Reader = caller.reader()
	if f.Publisher != "" && !caller.Is(CallerVisitor) {
		var err error
		if f.Unlisted, err = c.edits(ctx, caller, f.Publisher); err != nil {
			return nil, 0, err
		}
	}
	return c.Store.Channels(ctx, f)
}

// edits reports whether the caller may edit the publisher, by any of a key's scopes.
func (c *Channels) edits(ctx context.Context, caller Caller, publisherSlug string) (bool, error) {
	p, err := c.Store.PublisherBySlug(ctx, publisherSlug)
	if err == nil {
		err = mayEdit(ctx, c.Store, caller, p.ID)
	}
	if IsCode(err, CodeNotFound) {
		return false, nil
	}
	return err == nil, err
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
	made, creation, err := c.Store.CreateChannel(ctx, NewID(), p.ID, in, c.Now(), key)
	if err == nil && caller.reader() != nil {
		made.Following = new(false) // nobody does yet
	}
	return made, creation, err
}

// Update changes a channel of a publisher that the caller may edit.
func (c *Channels) Update(ctx context.Context, caller Caller, publisherSlug, slug string, p ChannelPatch, seen *time.Time) (Channel, error) {
	channel, err := editable(ctx, c.Store, caller, publisherSlug, slug, ScopeChannels)
	if err != nil {
		return Channel{}, err
	}
	if err := p.Validate(c.Links); err != nil {
		return Channel{}, err
	}
	return c.Store.UpdateChannel(ctx, channel.ID, p, seen, c.Now(), caller.reader())
}

// Delete ends a channel of a publisher that the caller may edit.
func (c *Channels) Delete(ctx context.Context, caller Caller, publisherSlug, slug string, seen *time.Time) error {
	channel, err := editable(ctx, c.Store, caller, publisherSlug, slug, ScopeChannels)
	if err != nil {
		return err
	}
	if err := c.Store.DeleteChannel(ctx, channel.ID, seen, c.Now()); err != nil {
		return err
	}
	c.Announce.ChannelDeleted(ctx, channel.ID)
	return nil
}

// editable finds a channel of a publisher that the caller may edit.
func editable(ctx context.Context, store interface {
	ChannelStore
	PublisherStore
}, caller Caller, publisherSlug, slug string, scopes ...Scope) (ChannelRef, error) {
	channel, publisherID, err := store.ChannelRef(ctx, publisherSlug, slug)
	if err != nil {
		return ChannelRef{}, err
	}
	return channel, mayEdit(ctx, store, caller, publisherID, scopes...)
}

// reader is the subscriber whose view is shown, if one asks.
func (c Caller) reader() *ID {
	if c.Kind != CallerSubscriber {
		return nil
	}
	return &c.SubscriberID
}
