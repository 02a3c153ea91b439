package core

import (
	"context"
	"time"

	"github.com/sininho/sininho/pkg/rules"
)

// Visibility determines how a channel can be found.
type Visibility string

// The visibilities.
const (
	Public   Visibility = "public"
	Unlisted Visibility = "unlisted" // in no list, but visible to everyone with its address
	Private  Visibility = "private"  // visible to its followers alone, who join by invitation, and to its publisher
)

// ChannelRef is the part of a channel that its notifications include.
type ChannelRef struct {
	ID            ID     `json:"id"`
	PublisherSlug string `json:"publisherSlug"`
	Slug          string `json:"slug"`
	Name          string `json:"name"`
	Icon          string `json:"icon"`
	Demonstration bool   `json:"-"`                 // strangers publish to it
	Suspended     bool   `json:"-"`                 // it or its publisher
	Private       bool   `json:"private,omitempty"` // for its followers and its publisher alone
	Full          bool   `json:"-"`                 // a destination whose publisher's storage is used up
	Silent        bool   `json:"-"`                 // a destination with nobody to reach
}

// Address returns the channel's address as people write it: publisherSlug/channelSlug.
func (c ChannelRef) Address() string { return c.PublisherSlug + "/" + c.Slug }

// Channel belongs to a publisher, which publishes notifications to it. Subscribers follow it.
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
	UpdatedAt         time.Time  `json:"updatedAt"` // of the publisher's latest change
	Following         *bool      `json:"following"` // nil when the caller is not a subscriber

	Suspension *Suspension `json:"-"` // its own or its publisher's

	KeepDays  *int `json:"keepDays,omitempty"`  // days that notifications are kept; nil: as the installation does
	KeepCount *int `json:"keepCount,omitempty"` // how many are kept, likewise
}

// Version returns the time of the publisher's latest change to the channel.
func (c Channel) Version() time.Time { return c.UpdatedAt }

// ListedChannel is the address of a channel that everyone can find, with what crawlers want to know about it.
type ListedChannel struct {
	PublisherSlug, Slug string
	ChangedAt           time.Time // of the latest change or publication
	PublisherChangedAt  time.Time // of the latest change of the publisher's profile
}

// ChannelSort is an order of channels.
type ChannelSort string

// The orders.
const (
	SortPopular  ChannelSort = "popular"
	SortTrending ChannelSort = "trending" // by the followers that were gained in the last 7 days
	SortNewest   ChannelSort = "newest"
	SortActive   ChannelSort = "active"
)

// FollowerDaysShown is for how many days the number of a channel's followers is shown at most.
const FollowerDaysShown = 90

// FollowerDay is a day in UTC and the number of a channel's followers at its end, or now.
type FollowerDay struct {
	Day       time.Time
	Followers int64
}

// ChannelFilter selects channels.
type ChannelFilter struct {
	Search              Search
	Category, Publisher string
	Sort                ChannelSort
	Reader              *ID  // the subscriber for whom Following is set
	All                 bool // includes unlisted, private and suspended channels
	Suspended           bool // only those that are suspended themselves; with All
	Page
}

// ChannelInput is the input for a new channel.
type ChannelInput struct {
	PublisherSlug, Slug, Name, Description string
	CategoryID                             ID
	Icon                                   string
	Visibility                             Visibility
	KeepDays, KeepCount                    *int // nil: as the installation does
	Demonstration                          bool
}

// Validate implements Input.
func (in ChannelInput) Validate(r *Rules, _ time.Time) []FieldError {
	var f faults
	f.Slug("#/slug", in.Slug)
	check := rules.Channel{
		Name: in.Name, Description: in.Description, Icon: in.Icon, Visibility: string(in.Visibility)}
	f.merge(r.retention.checkKept(in.KeepDays, in.KeepCount))
	return append(f.Faults, check.Faults(r.links)...)
}

// ChannelPatch is a change to a channel. Unset fields stay unchanged.
type ChannelPatch struct {
	Name, Description *string
	CategoryID        *ID
	Icon              Patch[string]
	Visibility        *Visibility

	KeepDays, KeepCount Patch[int]
}

// Validate implements Input.
func (p ChannelPatch) Validate(r *Rules, _ time.Time) []FieldError {
	check := rules.Channel{Name: unchanged}
	set(&check.Name, p.Name)
	set(&check.Description, p.Description)
	set(&check.Icon, p.Icon.Value)
	set(&check.Visibility, (*string)(p.Visibility))
	return append(check.Faults(r.links), r.retention.checkKept(p.KeepDays.Value, p.KeepCount.Value)...)
}

// ErrChannelSlugTaken returns the error for a slug that another channel of the publisher has.
func ErrChannelSlugTaken() *Error {
	return Conflict("slug_taken", Text{EN: "The publisher already has a channel with this slug.",
		PT: "O publicador já tem um canal com este slug."})
}

// ErrUnknownCategory returns the error for a channel of a category that does not exist.
func ErrUnknownCategory() *Error {
	return Invalid(FieldError{Pointer: "#/categoryId", Code: "unknown",
		Detail: Text{EN: "is no category", PT: "não é uma categoria"}})
}

// ChannelStore keeps channels. It treats deleted channels as not found.
type ChannelStore interface {
	// ChannelRef returns a channel and its publisher's id; it fails with CodeNotFound when there is none.
	ChannelRef(ctx context.Context, publisherSlug, slug string) (ChannelRef, ID, error)
	// Channel returns a channel with all its properties. reader may be nil.
	Channel(ctx context.Context, publisherSlug, slug string, reader *ID) (Channel, error)
	// Channels sorts what a search finds by where the words are, and then in the order of the filter.
	Channels(ctx context.Context, f ChannelFilter) (data []Channel, total int64, err error)
	// ListedChannels returns up to limit public channels, those with the latest changes first.
	ListedChannels(ctx context.Context, limit int) ([]ListedChannel, error)
	// ChannelFollowers returns the number of followers on each of the last days, today included, oldest first. It
	// begins with the first day that is known, and fails with CodeNotFound when there is no such channel.
	ChannelFollowers(ctx context.Context, channelID ID, days int) ([]FollowerDay, error)
	// CreateChannel fails with CodeConflict when the publisher has a channel with that slug, with CodeInvalid when
	// there is no such category, and with CodeForbidden when the publisher is suspended.
	CreateChannel(
		ctx context.Context, id, publisherID ID, in ChannelInput, now time.Time, key Idempotency,
	) (Channel, Creation, error)
	// UpdateChannel fails with CodeChanged when seen is not the channel's version, and with CodeInvalid when there is
	// no such category.
	UpdateChannel(
		ctx context.Context, id ID, p ChannelPatch, seen *time.Time, now time.Time, reader *ID,
	) (Channel, error)
	// DeleteChannel deletes a channel with its subscriptions and webhooks immediately; its notifications are purged
	// later. It fails with CodeChanged when seen is not the channel's version.
	DeleteChannel(ctx context.Context, id ID, seen *time.Time, now time.Time) error
}

type channelsStore interface {
	ChannelStore
	viewersStore
	SuspensionStore
}

// Channels lists, shows, creates, changes and deletes channels.
type Channels struct {
	store     channelsStore
	operators Operators
	rules     *Rules
	announce  Announcer
	now       func() time.Time
}

// NewChannels returns the service for channels. Operators also see suspended ones.
func NewChannels(
	store channelsStore, operators Operators, rules *Rules, announce Announcer, now func() time.Time,
) *Channels {
	return &Channels{store: store, operators: operators, rules: rules, announce: announce, now: now}
}

// List returns public channels. If f selects a publisher that the caller may edit, it also returns unlisted, private
// and suspended channels.
func (c *Channels) List(ctx context.Context, caller Caller, f ChannelFilter) ([]Channel, int64, error) {
	f.Reader = caller.reader()
	if f.Publisher != "" && !caller.Is(CallerVisitor) {
		var err error
		if f.All, err = c.edits(ctx, caller, f.Publisher); err != nil {
			return nil, 0, err
		}
	}
	return c.store.Channels(ctx, f)
}

// Listed returns up to limit public channels, those with the latest changes first.
func (c *Channels) Listed(ctx context.Context, limit int) ([]ListedChannel, error) {
	return c.store.ListedChannels(ctx, limit)
}

// edits reports whether the caller may edit the publisher. The scopes of an API key do not matter.
func (c *Channels) edits(ctx context.Context, caller Caller, publisherSlug string) (bool, error) {
	p, err := c.store.PublisherBySlug(ctx, publisherSlug)
	if err == nil {
		err = authorize(ctx, c.store, caller, p.ID)
	}
	if IsCode(err, CodeNotFound) {
		return false, nil
	}
	return err == nil, err
}

// Get returns one channel.
func (c *Channels) Get(ctx context.Context, caller Caller, publisherSlug, slug string) (Channel, error) {
	channel, err := c.store.Channel(ctx, publisherSlug, slug, caller.reader())
	if err != nil {
		return Channel{}, notVisible(ctx, c.store, caller, err)
	}
	if err := checkVisible(ctx, c.store, c.operators, caller, channel.ChannelRef, channel.Publisher.ID); err != nil {
		return Channel{}, err
	}
	return channel, nil
}

// Followers returns the number of a channel's followers on each of the last days, up to FollowerDaysShown.
func (c *Channels) Followers(
	ctx context.Context, caller Caller, publisherSlug, slug string, days int,
) ([]FollowerDay, error) {
	id, err := c.Find(ctx, caller, publisherSlug, slug)
	if err != nil {
		return nil, err
	}
	return c.store.ChannelFollowers(ctx, id, min(max(days, 1), FollowerDaysShown))
}

// Find returns the id of a channel.
func (c *Channels) Find(ctx context.Context, caller Caller, publisherSlug, slug string) (ID, error) {
	channel, _, err := visibleChannel(ctx, c.store, c.operators, caller, publisherSlug, slug)
	return channel.ID, err
}

// Create creates a channel for a publisher that the caller may edit.
func (c *Channels) Create(
	ctx context.Context, caller Caller, in ChannelInput, key Idempotency,
) (Channel, Creation, error) {
	p, err := c.store.PublisherBySlug(ctx, in.PublisherSlug)
	if err != nil {
		return Channel{}, 0, err
	}
	if err := authorize(ctx, c.store, caller, p.ID, ScopeChannels); err != nil {
		return Channel{}, 0, err
	}
	if p.Suspension != nil {
		return Channel{}, 0, ErrSuspended(SuspendablePublisher, *p.Suspension)
	}
	now := c.now()
	if err := c.rules.check(in, now); err != nil {
		return Channel{}, 0, err
	}
	if in.Visibility == "" {
		in.Visibility = Public
	}
	made, creation, err := c.store.CreateChannel(ctx, NewID(), p.ID, in, now, key)
	if err == nil && caller.reader() != nil {
		made.Following = new(false) // a new channel has no subscribers
	}
	return made, creation, err
}

// Update changes a channel of a publisher that the caller may edit.
func (c *Channels) Update(
	ctx context.Context, caller Caller, publisherSlug, slug string, p ChannelPatch, seen *time.Time,
) (Channel, error) {
	channel, err := editable(ctx, c.store, caller, publisherSlug, slug, ScopeChannels)
	if err != nil {
		return Channel{}, err
	}
	if err := checkNotSuspended(ctx, c.store, channel); err != nil {
		return Channel{}, err
	}
	now := c.now()
	if err := c.rules.check(p, now); err != nil {
		return Channel{}, err
	}
	changed, err := c.store.UpdateChannel(ctx, channel.ID, p, seen, now, caller.reader())
	if err == nil && changed.Private && !channel.Private {
		c.announce.ChannelLeft(ctx, channel.ID) // by those who do not follow it
	}
	return changed, err
}

// Delete deletes a channel of a publisher that the caller may edit. A suspended one stays, so that nobody evades the
// suspension by creating it again.
func (c *Channels) Delete(ctx context.Context, caller Caller, publisherSlug, slug string, seen *time.Time) error {
	channel, err := editable(ctx, c.store, caller, publisherSlug, slug, ScopeChannels)
	if err != nil {
		return err
	}
	if err := checkNotSuspended(ctx, c.store, channel); err != nil {
		return err
	}
	if err := c.store.DeleteChannel(ctx, channel.ID, seen, c.now()); err != nil {
		return err
	}
	c.announce.ChannelReset(ctx, channel.ID)
	return nil
}

// editable returns a channel if the caller may edit its publisher with all of the scopes.
func editable(ctx context.Context, store interface {
	ChannelStore
	PublisherStore
}, caller Caller, publisherSlug, slug string, scopes ...Scope) (ChannelRef, error) {
	channel, publisherID, err := store.ChannelRef(ctx, publisherSlug, slug)
	if err != nil {
		return ChannelRef{}, err
	}
	return channel, authorize(ctx, store, caller, publisherID, scopes...)
}

// reader returns the subscriber whose view is shown, or nil if the caller is not a subscriber, or a program that may
// not read for one.
func (c Caller) reader() *ID {
	if c.Kind != CallerSubscriber || !c.HasScope(ScopeRead) {
		return nil
	}
	return &c.SubscriberID
}
