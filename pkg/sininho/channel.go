package sininho

import (
	"context"
	"iter"
	"time"

	"github.com/sininho/sininho/pkg/api"
	"github.com/sininho/sininho/pkg/rules"
)

// ChannelsService creates, finds and changes channels (API: /channels).
type ChannelsService struct{ api *api.Client }

// Visibility determines whether lists contain a channel.
type Visibility string

// An unlisted channel appears in no list; anyone who knows its address can see it. A private one does not exist for
// anybody but its followers, who join by invitation (see [ChannelInvitationsService]), and its publisher.
const (
	Public   Visibility = "public"
	Unlisted Visibility = "unlisted"
	Private  Visibility = "private"
)

// Channel is a topic to which a publisher publishes and which subscribers follow.
type Channel struct {
	ID            string       `json:"id"`
	PublisherSlug string       `json:"publisherSlug"`
	Slug          string       `json:"slug"`
	Name          string       `json:"name"`
	Description   string       `json:"description"`
	Icon          string       `json:"icon,omitzero"`
	IconProxy     string       `json:"iconProxy,omitzero"` // as in [Notification]
	Publisher     PublisherRef `json:"publisher"`
	Category      CategoryRef  `json:"category"`
	Visibility    Visibility   `json:"visibility"`
	// KeepDays and KeepCount are how long notifications are kept, and how many; 0 is as the server does.
	KeepDays          int   `json:"keepDays,omitzero"`
	KeepCount         int   `json:"keepCount,omitzero"`
	SubscriberCount   int64 `json:"subscriberCount"`
	NotificationCount int64 `json:"notificationCount"`
	// LastPublishedAt is zero if nothing was published yet.
	LastPublishedAt time.Time `json:"lastPublishedAt,omitzero"`
	CreatedAt       time.Time `json:"createdAt"`
	// Following reports whether the signed-in person follows the channel; nil for other callers.
	Following *bool `json:"following,omitzero"`
	// Demonstration marks a channel to which visitors publish: it cannot be followed, and its
	// notifications expire after an hour.
	Demonstration bool `json:"demonstration,omitzero"`
	// Suspension is set if the channel or its publisher is suspended; others than its publisher and operators get an
	// error with [CodeSuspended] instead.
	Suspension *Suspension `json:"suspension,omitempty"`
	// Version is set by Get, Create and Update, for [IfVersion].
	Version string `json:"-"`
}

func (c *Channel) setVersion(version string) { c.Version = version }

// Address returns the channel's address, which other methods take as a string.
func (c Channel) Address() Address { return Address{Publisher: c.PublisherSlug, Channel: c.Slug} }

// ChannelRef is a channel as referenced by a notification.
type ChannelRef struct {
	ID            string `json:"id"`
	PublisherSlug string `json:"publisherSlug"`
	Slug          string `json:"slug"`
	Name          string `json:"name"`
	Icon          string `json:"icon,omitzero"`
	IconProxy     string `json:"iconProxy,omitzero"` // as in [Notification]
	Private       bool   `json:"private,omitzero"`   // only its followers and its publisher see it
}

// Address returns the channel's address, which other methods take as a string.
func (c ChannelRef) Address() Address {
	return Address{Publisher: c.PublisherSlug, Channel: c.Slug}
}

// PublisherRef is a publisher as referenced by a channel.
type PublisherRef struct {
	ID      string `json:"id"`
	Slug    string `json:"slug"`
	Name    string `json:"name"`
	Website string `json:"website,omitzero"`
	Avatar  string `json:"avatar,omitzero"`
	// AvatarProxy is where the server serves the same picture, as in [Notification].
	AvatarProxy string `json:"avatarProxy,omitzero"`
}

// ChannelInput describes a channel to create. Name and CategoryID are required.
type ChannelInput struct {
	// Name has 1 to 100 characters, Description at most 1,000.
	Name        string
	Description string
	// CategoryID is the ID of a category from Categories.List.
	CategoryID string
	// Icon is the https or http address of a square image.
	Icon string
	// Visibility defaults to [Public].
	Visibility Visibility
	// KeepDays and KeepCount are how many days notifications are kept, and how many of them; 0 is as the server does,
	// which may also keep less.
	KeepDays, KeepCount int
}

// Create creates a channel at an address, publisher/channel. The publisher is the one that the API
// key belongs to, or one that the signed-in person owns or edits. An API key needs the scope
// channels. Create fails with [ErrConflict] if the slug is taken.
func (s *ChannelsService) Create(
	ctx context.Context, channel string, in ChannelInput, opts ...CallOption,
) (*Channel, error) {
	address, err := ParseAddress(channel)
	if err != nil {
		return nil, err
	}
	c, err := newCall(opts)
	if err != nil {
		return nil, err
	}
	body, err := in.toAPI(address)
	if err != nil {
		return nil, err
	}
	return decodeVersion[Channel](s.api.CreateChannel(ctx, &api.CreateChannelParams{IdempotencyKey: &c.key}, body))
}

// Validate returns an [*InputError] with every fault of the texts and the visibility that can be
// found without the server.
func (in ChannelInput) Validate() error {
	check := rules.Channel{
		Name: in.Name, Description: in.Description, Icon: in.Icon, Visibility: string(in.Visibility)}
	return inputError(check.Faults(anyServer))
}

func (in ChannelInput) toAPI(address Address) (api.ChannelInput, error) {
	var f faults
	f.text("name", in.Name)
	f.text("description", in.Description)
	f.text("icon", in.Icon)
	category := f.id("categoryId", in.CategoryID)
	return api.ChannelInput{
		PublisherSlug: address.Publisher, Slug: address.Channel, Name: in.Name,
		Description: optional(in.Description), CategoryID: category, Icon: optional(in.Icon),
		Visibility: optional(api.Visibility(in.Visibility)),
		KeepDays:   optional(int32(in.KeepDays)), KeepCount: optional(int32(in.KeepCount)), //nolint:gosec // bounded
	}, f.err()
}

// Get returns a channel that the caller may see.
func (s *ChannelsService) Get(ctx context.Context, channel string) (*Channel, error) {
	address, err := ParseAddress(channel)
	if err != nil {
		return nil, err
	}
	return decodeVersion[Channel](s.api.GetChannel(ctx, address.Publisher, address.Channel))
}

// FollowerDay is a day and how many subscribers a channel had at its end.
type FollowerDay struct {
	// Day is in UTC, in the layout [time.DateOnly].
	Day       string `json:"day"`
	Followers int64  `json:"followers"`
}

// Followers returns the number of a channel's subscribers on each of the last days, oldest first; the last is today,
// and its number that of now. days is 1 to 90; 0 is 30. There are fewer days for a channel that was created since, or
// that is older than the server's version that began to count. It fails with [ErrNotFound] if there is no such channel.
// API: GET /channels/{publisherSlug}/{channelSlug}/followers.
func (s *ChannelsService) Followers(ctx context.Context, channel string, days int) ([]FollowerDay, error) {
	address, err := ParseAddress(channel)
	if err != nil {
		return nil, err
	}
	params := &api.GetChannelFollowersParams{Days: optional(int32(days))} //nolint:gosec // the server refuses others
	out, err := decode[struct {
		Data []FollowerDay `json:"data"`
	}](s.api.GetChannelFollowers(ctx, address.Publisher, address.Channel, params))
	if err != nil {
		return nil, err
	}
	return out.Data, nil
}

// ChannelUpdate holds the fields to change; nil fields stay unchanged. In Go 1.26, new("text")
// makes a pointer to a text.
type ChannelUpdate struct {
	Name        *string
	Description *string
	CategoryID  *string
	// Icon is removed if it points to an empty text.
	Icon       *string
	Visibility *Visibility
	// KeepDays and KeepCount are removed if they point to 0.
	KeepDays, KeepCount *int
}

// Update changes a channel and returns its new state. The address does not change.
func (s *ChannelsService) Update(
	ctx context.Context, channel string, in ChannelUpdate, opts ...ChangeOption,
) (*Channel, error) {
	address, err := ParseAddress(channel)
	if err != nil {
		return nil, err
	}
	body, err := in.toAPI()
	if err != nil {
		return nil, err
	}
	return decodeVersion[Channel](s.api.UpdateChannel(ctx, address.Publisher, address.Channel,
		&api.UpdateChannelParams{IfMatch: newChange(opts).version}, body))
}

// Validate checks the fields that are set, as [ChannelInput.Validate] does.
func (in ChannelUpdate) Validate() error {
	check := rules.Channel{Name: unchanged, Description: value(in.Description), Icon: value(in.Icon),
		Visibility: string(value(in.Visibility))}
	if in.Name != nil {
		check.Name = *in.Name
	}
	return inputError(check.Faults(anyServer))
}

func (in ChannelUpdate) toAPI() (api.ChannelPatch, error) {
	var f faults
	f.texts(map[string]*string{"name": in.Name, "description": in.Description, "icon": in.Icon})
	out := api.ChannelPatch{
		Name: in.Name, Description: in.Description, Icon: removable(in.Icon),
		Visibility: (*api.Visibility)(in.Visibility),
		KeepDays:   removableNumber(in.KeepDays), KeepCount: removableNumber(in.KeepCount),
	}
	if in.CategoryID != nil {
		category := f.id("categoryId", *in.CategoryID)
		out.CategoryID = &category
	}
	return out, f.err()
}

// Delete permanently deletes a channel, with its notifications, its webhooks and all subscriptions to it.
func (s *ChannelsService) Delete(ctx context.Context, channel string, opts ...ChangeOption) error {
	address, err := ParseAddress(channel)
	if err != nil {
		return err
	}
	return check(s.api.DeleteChannel(ctx, address.Publisher, address.Channel,
		&api.DeleteChannelParams{IfMatch: newChange(opts).version}))
}

// ChannelSort is the order of a list of channels.
type ChannelSort string

// The sort orders: most subscribers, most subscribers gained today and on the 6 days before in UTC, newest channel, or
// latest notification first.
const (
	SortPopular  ChannelSort = "popular"
	SortTrending ChannelSort = "trending"
	SortNewest   ChannelSort = "newest"
	SortActive   ChannelSort = "active"
)

// ChannelListOptions filters and sorts a list of channels; zero values do not filter.
type ChannelListOptions struct {
	// Query holds at most 8 words, each of which must begin a word in the name, slug or
	// description, in the name or slug of the publisher or the category, or in one of the 50 latest
	// notifications. Channels whose name has all words come first, then those that have them in
	// description, publisher or category, then those that have published them.
	Query string
	// Category and Publisher are slugs.
	Category, Publisher string
	// Sort defaults to [SortPopular]. With a Query, it is the order of channels that match alike.
	Sort ChannelSort
	// PageSize is the number of channels fetched per request, 1 to 100 (default 50).
	PageSize int
}

// List iterates over the public channels, fetching pages as the loop proceeds. Each channel comes once, but one
// whose place in the order changes during the iteration can be missed. The iteration ends at the first error.
func (s *ChannelsService) List(ctx context.Context, opts ChannelListOptions) iter.Seq2[Channel, error] {
	size, err := pageSize(opts.PageSize)
	if err != nil {
		return failed[Channel](err)
	}
	params := api.ListChannelsParams{
		Limit: &size, Q: optional(opts.Query), Category: optional(opts.Category),
		Publisher: optional(opts.Publisher), Sort: optional(api.ChannelSort(opts.Sort)),
	}
	return eachOffset(func(c Channel) string { return c.ID }, func(offset int32) (*page[Channel], error) {
		params.Offset = &offset
		return decode[page[Channel]](s.api.ListChannels(ctx, &params))
	})
}
