package sininho

import (
	"context"
	"iter"
	"net/http"
	"time"

	"github.com/sininho/sininho/pkg/api"
)

// PublishersService creates, finds and changes who owns channels (API: /publishers).
// Creating and changing needs a person's access token.
type PublishersService struct{ api *api.Client }

// Publisher owns channels.
type Publisher struct {
	ID          string `json:"id"`
	Slug        string `json:"slug"`
	Name        string `json:"name"`
	Description string `json:"description"`
	// Website and Avatar are addresses.
	Website string `json:"website,omitzero"`
	Avatar  string `json:"avatar,omitzero"`
	// ChannelCount counts the public channels.
	ChannelCount int64 `json:"channelCount"`
	// Role is the signed-in person's; empty for who is no member.
	Role      Role      `json:"role,omitzero"`
	CreatedAt time.Time `json:"createdAt"`
	// Version is set by Get, Create and Update, for [IfVersion].
	Version string `json:"-"`
}

func (p *Publisher) setVersion(version string) { p.Version = version }

// PublisherInput is a publisher to create. Name is needed.
type PublisherInput struct {
	// Name has 1 to 100 characters, Description at most 1,000.
	Name        string
	Description string
	// Website and Avatar, a square image, are https addresses.
	Website, Avatar string
}

// Create creates a publisher with the signed-in person as its owner. A slug that is taken
// is an [ErrConflict].
func (s *PublishersService) Create(ctx context.Context, slug string, in PublisherInput, opts ...CallOption) (*Publisher, error) {
	slug, err := parseSlug(slug)
	if err != nil {
		return nil, err
	}
	c, err := newCall(opts)
	if err != nil {
		return nil, err
	}
	var f faults
	f.texts(map[string]*string{"name": &in.Name, "description": &in.Description, "website": &in.Website, "avatar": &in.Avatar})
	if err := f.err(); err != nil {
		return nil, err
	}
	return decodeVersion[Publisher](s.api.CreatePublisher(ctx, &api.CreatePublisherParams{IdempotencyKey: &c.key}, api.PublisherInput{
		Slug: slug, Name: in.Name, Description: optional(in.Description), Website: optional(in.Website), Avatar: optional(in.Avatar),
	}))
}

// Get shows a publisher's public profile, and to its members their role.
func (s *PublishersService) Get(ctx context.Context, slug string) (*Publisher, error) {
	slug, err := parseSlug(slug)
	if err != nil {
		return nil, err
	}
	return decodeVersion[Publisher](s.api.GetPublisher(ctx, slug))
}

// PublisherUpdate is what to change; what is nil stays. In Go 1.26 write new("text").
type PublisherUpdate struct {
	Name        *string
	Description *string
	// Website and Avatar: an empty text removes.
	Website, Avatar *string
}

// Update changes a publisher, as its owners may, and returns it as it is now. Its slug stays.
func (s *PublishersService) Update(ctx context.Context, slug string, in PublisherUpdate, opts ...ChangeOption) (*Publisher, error) {
	slug, err := parseSlug(slug)
	if err != nil {
		return nil, err
	}
	var f faults
	f.texts(map[string]*string{"name": in.Name, "description": in.Description, "website": in.Website, "avatar": in.Avatar})
	if err := f.err(); err != nil {
		return nil, err
	}
	return decodeVersion[Publisher](s.api.UpdatePublisher(ctx, slug, &api.UpdatePublisherParams{IfMatch: newChange(opts).version}, api.PublisherPatch{
		Name: in.Name, Description: in.Description, Website: removable(in.Website), Avatar: removable(in.Avatar),
	}))
}

// Delete deletes a publisher, as its owners may, and its keys end. One that has channels is
// an [ErrConflict] with the code [CodeInUse]: delete them first.
func (s *PublishersService) Delete(ctx context.Context, slug string, opts ...ChangeOption) error {
	slug, err := parseSlug(slug)
	if err != nil {
		return err
	}
	return check(s.api.DeletePublisher(ctx, slug, &api.DeletePublisherParams{IfMatch: newChange(opts).version}))
}

// PublisherListOptions says which publishers to list; zero values leave the choice open.
type PublisherListOptions struct {
	// Query has words to look for in name, slug and description.
	Query string
}

// List goes through all publishers by name. An error ends it.
func (s *PublishersService) List(ctx context.Context, opts PublisherListOptions) iter.Seq2[Publisher, error] {
	return s.list(ctx, api.ListPublishersParams{Q: optional(opts.Query)})
}

// Mine goes through the publishers that the signed-in person is a member of, or the one
// whose key calls. An error ends it.
func (s *PublishersService) Mine(ctx context.Context) iter.Seq2[Publisher, error] {
	return s.list(ctx, api.ListPublishersParams{Mine: new(true)})
}

func (s *PublishersService) list(ctx context.Context, params api.ListPublishersParams) iter.Seq2[Publisher, error] {
	return listed(func(p Publisher) string { return p.ID }, func(limit, offset *int32) (*http.Response, error) {
		params.Limit, params.Offset = limit, offset
		return s.api.ListPublishers(ctx, &params)
	})
}
