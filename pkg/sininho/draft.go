package sininho

import (
	"context"
	"iter"
	"net/http"
	"time"

	"github.com/sininho/sininho/pkg/api"
)

// DraftsService saves what a person has begun to write in a channel
// (API: /channels/{publisherSlug}/{channelSlug}/drafts). Nobody else sees it. It needs the access token of a member of
// the publisher: an API key has no drafts. Each method takes the channel as publisher/channel.
type DraftsService struct{ api *api.Client }

// Draft is what a person has begun to write.
type Draft struct {
	ID        string `json:"id"`
	ChannelID string `json:"channelId"`
	// Content need not be valid before it is published.
	Content   PublishInput `json:"content"`
	CreatedAt time.Time    `json:"createdAt"`
	UpdatedAt time.Time    `json:"updatedAt"`
	// Version is set by Get, Create and Update, for [IfVersion].
	Version string `json:"-"`
}

func (d *Draft) setVersion(version string) { d.Version = version }

// List iterates over the person's drafts in a channel, the latest change first. The iteration ends at the first error.
func (s *DraftsService) List(ctx context.Context, channel string) iter.Seq2[Draft, error] {
	a, err := ParseAddress(channel)
	if err != nil {
		return failed[Draft](err)
	}
	return listed(func(d Draft) string { return d.ID }, func(limit, offset *int32) (*http.Response, error) {
		return s.api.ListDrafts(ctx, a.Publisher, a.Channel, &api.ListDraftsParams{Limit: limit, Offset: offset})
	})
}

// Get returns one draft.
func (s *DraftsService) Get(ctx context.Context, channel, id string) (*Draft, error) {
	a, parsed, err := parseChannelItem(channel, id)
	if err != nil {
		return nil, err
	}
	return decodeVersion[Draft](s.api.GetDraft(ctx, a.Publisher, a.Channel, parsed))
}

// Create saves a draft. A person may have a limited number of them in a channel.
func (s *DraftsService) Create(
	ctx context.Context, channel string, content PublishInput, opts ...CallOption,
) (*Draft, error) {
	a, err := ParseAddress(channel)
	if err != nil {
		return nil, err
	}
	c, err := newCall(opts)
	if err != nil {
		return nil, err
	}
	if err := content.checkText().err(); err != nil {
		return nil, err
	}
	return decodeVersion[Draft](s.api.CreateDraft(ctx, a.Publisher, a.Channel,
		&api.CreateDraftParams{IdempotencyKey: &c.key}, api.DraftInput{Content: content.toDraft()}))
}

// Update replaces the whole content of a draft. Pass [IfVersion] so that what the person wrote on another device
// meanwhile is not lost.
func (s *DraftsService) Update(
	ctx context.Context, channel, id string, content PublishInput, opts ...ChangeOption,
) (*Draft, error) {
	a, parsed, err := parseChannelItem(channel, id)
	if err != nil {
		return nil, err
	}
	if err := content.checkText().err(); err != nil {
		return nil, err
	}
	return decodeVersion[Draft](s.api.UpdateDraft(ctx, a.Publisher, a.Channel, parsed,
		&api.UpdateDraftParams{IfMatch: newChange(opts).version}, api.DraftInput{Content: content.toDraft()}))
}

// Delete deletes a draft, which publishing does not.
func (s *DraftsService) Delete(ctx context.Context, channel, id string, opts ...ChangeOption) error {
	a, parsed, err := parseChannelItem(channel, id)
	if err != nil {
		return err
	}
	return check(s.api.DeleteDraft(ctx, a.Publisher, a.Channel, parsed,
		&api.DeleteDraftParams{IfMatch: newChange(opts).version}))
}

func (in PublishInput) toDraft() api.DraftContent {
	whole := in.toAPI()
	return api.DraftContent{
		Title: optional(in.Title), Body: whole.Body, Image: whole.Image, Icon: whole.Icon, Link: whole.Link,
		Importance: optional(string(in.Importance)), Data: whole.Data, ExternalID: whole.ExternalID,
		ScheduledAt: whole.ScheduledAt, ExpiresAt: whole.ExpiresAt,
	}
}
