package sininho

import (
	"context"
	"iter"
	"net/http"
	"time"

	"github.com/sininho/sininho/pkg/api"
)

// PublishersService creates, finds and changes publishers (API: /publishers). Creating and changing
// need a person's access token.
type PublishersService struct{ api *api.Client }

// Publisher is an owner of channels, for which its members act.
type Publisher struct {
	ID          string `json:"id"`
	Slug        string `json:"slug"`
	Name        string `json:"name"`
	Description string `json:"description"`
	// Website and Avatar are URLs. AvatarProxy is where the server serves the same picture, as in [Notification].
	Website     string `json:"website,omitzero"`
	Avatar      string `json:"avatar,omitzero"`
	AvatarProxy string `json:"avatarProxy,omitzero"`
	// ChannelCount is the number of public channels.
	ChannelCount int64 `json:"channelCount"`
	// SubscriberCount is the sum of the subscribers of these channels.
	SubscriberCount int64 `json:"subscriberCount"`
	// Role is the signed-in person's role; empty if they are not a member.
	Role      Role      `json:"role,omitzero"`
	CreatedAt time.Time `json:"createdAt"`
	// Suspension is set if the publisher is suspended; only its members and operators see it then.
	Suspension *Suspension `json:"suspension,omitempty"`
	// Version is set by Get, Create and Update, for [IfVersion].
	Version string `json:"-"`
}

func (p *Publisher) setVersion(version string) { p.Version = version }

// PublisherInput describes a publisher to create. Name is required.
type PublisherInput struct {
	// Name has 1 to 100 characters, Description at most 1,000.
	Name        string
	Description string
	// Website is an https address, and Avatar, a square image, an https or http address.
	Website, Avatar string
}

// Create creates a publisher with the signed-in person as its owner. It fails with [ErrConflict] if
// the slug is taken.
func (s *PublishersService) Create(
	ctx context.Context, slug string, in PublisherInput, opts ...CallOption,
) (*Publisher, error) {
	slug, err := parseSlug(slug)
	if err != nil {
		return nil, err
	}
	c, err := newCall(opts)
	if err != nil {
		return nil, err
	}
	var f faults
	f.texts(map[string]*string{
		"name": &in.Name, "description": &in.Description, "website": &in.Website, "avatar": &in.Avatar,
	})
	if err := f.err(); err != nil {
		return nil, err
	}
	body := api.PublisherInput{
		Slug: slug, Name: in.Name, Description: optional(in.Description),
		Website: optional(in.Website), Avatar: optional(in.Avatar),
	}
	params := &api.CreatePublisherParams{IdempotencyKey: &c.key}
	return decodeVersion[Publisher](s.api.CreatePublisher(ctx, params, body))
}

// Get returns a publisher's public profile and, to its members, their role.
func (s *PublishersService) Get(ctx context.Context, slug string) (*Publisher, error) {
	slug, err := parseSlug(slug)
	if err != nil {
		return nil, err
	}
	return decodeVersion[Publisher](s.api.GetPublisher(ctx, slug))
}

// PublisherUpdate holds the fields to change; nil fields stay unchanged. In Go 1.26, new("text")
// makes a pointer to a text.
type PublisherUpdate struct {
	Name        *string
	Description *string
	// Website and Avatar are removed if they point to an empty text.
	Website, Avatar *string
}

// Update changes a publisher and returns its new state. Only owners may change it. The slug does not change.
func (s *PublishersService) Update(
	ctx context.Context, slug string, in PublisherUpdate, opts ...ChangeOption,
) (*Publisher, error) {
	slug, err := parseSlug(slug)
	if err != nil {
		return nil, err
	}
	var f faults
	f.texts(map[string]*string{
		"name": in.Name, "description": in.Description, "website": in.Website, "avatar": in.Avatar,
	})
	if err := f.err(); err != nil {
		return nil, err
	}
	body := api.PublisherPatch{
		Name: in.Name, Description: in.Description, Website: removable(in.Website), Avatar: removable(in.Avatar),
	}
	params := &api.UpdatePublisherParams{IfMatch: newChange(opts).version}
	return decodeVersion[Publisher](s.api.UpdatePublisher(ctx, slug, params, body))
}

// Delete deletes a publisher and revokes its API keys. Only owners may delete it. If it has
// channels, Delete fails with [ErrConflict] and the code [CodeInUse]: delete them first.
func (s *PublishersService) Delete(ctx context.Context, slug string, opts ...ChangeOption) error {
	slug, err := parseSlug(slug)
	if err != nil {
		return err
	}
	return check(s.api.DeletePublisher(ctx, slug, &api.DeletePublisherParams{IfMatch: newChange(opts).version}))
}

// PublisherListOptions filters a list of publishers; zero values do not filter.
type PublisherListOptions struct {
	// Query holds at most 8 words, each of which must begin a word in the name, slug or description.
	Query string
}

// List iterates over all publishers by name. The iteration ends at the first error.
func (s *PublishersService) List(ctx context.Context, opts PublisherListOptions) iter.Seq2[Publisher, error] {
	return s.list(ctx, api.ListPublishersParams{Q: optional(opts.Query)})
}

// Mine iterates over the publishers that the signed-in person is a member of, or the one that the
// API key belongs to. The iteration ends at the first error.
func (s *PublishersService) Mine(ctx context.Context) iter.Seq2[Publisher, error] {
	return s.list(ctx, api.ListPublishersParams{Mine: pointerTo(true)})
}

func (s *PublishersService) list(ctx context.Context, params api.ListPublishersParams) iter.Seq2[Publisher, error] {
	return listed(func(p Publisher) string { return p.ID }, func(limit, offset *int32) (*http.Response, error) {
		params.Limit, params.Offset = limit, offset
		return s.api.ListPublishers(ctx, &params)
	})
}
