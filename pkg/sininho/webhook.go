package sininho

import (
	"context"
	"iter"
	"net/http"
	"time"

	"github.com/sininho/sininho/pkg/api"
)

// WebhooksService makes addresses at which others publish to a channel
// (API: /channels/{publisherSlug}/{channelSlug}/webhooks). Each method takes the channel as
// publisher/channel. What is posted there is signed with package webhook of this module.
type WebhooksService struct{ api *api.Client }

// Webhook is an address at which others publish to a channel.
type Webhook struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	// URL is where to post. Who knows that of an unsigned one can publish.
	URL string `json:"url"`
	// Signed says whether what is posted must be signed.
	Signed bool `json:"signed"`
	// LastEventAt is zero when nothing was posted yet.
	LastEventAt time.Time `json:"lastEventAt,omitzero"`
	CreatedAt   time.Time `json:"createdAt"`
	// Version is set by Get and Update, for [IfVersion].
	Version string `json:"-"`
}

func (w *Webhook) setVersion(version string) { w.Version = version }

// WebhookSecret is a new webhook, or one with a new secret or address. Keep the secret: it
// is shown this once.
type WebhookSecret struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	URL    string `json:"url"`
	Signed bool   `json:"signed"`
	// Secret is what to sign with, `whsec_…`. It is empty for an unsigned one, and when an
	// idempotency key was used again.
	Secret    string    `json:"secret,omitzero"`
	CreatedAt time.Time `json:"createdAt"`
}

// WebhookInput is a webhook to create. Name is needed.
type WebhookInput struct {
	// Name has 1 to 100 characters.
	Name string
	// Unsigned lets anyone publish who knows the address.
	Unsigned bool
}

// WebhookOutcome is what became of an event.
type WebhookOutcome string

// An event was published or refused. Others may come.
const (
	WebhookPublished WebhookOutcome = "published"
	WebhookRefused   WebhookOutcome = "refused"
)

// WebhookEvent is something that was posted to a webhook.
type WebhookEvent struct {
	// ID is the sender's `webhook-id`, or one that the server made.
	ID         string         `json:"id"`
	ReceivedAt time.Time      `json:"receivedAt"`
	Outcome    WebhookOutcome `json:"outcome"`
	// NotificationID is what it became.
	NotificationID string `json:"notificationId,omitzero"`
	// Detail says why it was refused.
	Detail string `json:"detail,omitzero"`
}

// List goes through the webhooks of a channel, oldest first. An error ends it.
func (s *WebhooksService) List(ctx context.Context, channel string) iter.Seq2[Webhook, error] {
	address, err := ParseAddress(channel)
	if err != nil {
		return failed[Webhook](err)
	}
	return listed(func(w Webhook) string { return w.ID }, func(limit, offset *int32) (*http.Response, error) {
		return s.api.ListWebhooks(ctx, address.Publisher, address.Channel, &api.ListWebhooksParams{Limit: limit, Offset: offset})
	})
}

// Get shows one webhook with its address.
func (s *WebhooksService) Get(ctx context.Context, channel, id string) (*Webhook, error) {
	address, parsed, err := parseChannelItem(channel, id)
	if err != nil {
		return nil, err
	}
	return decodeVersion[Webhook](s.api.GetWebhook(ctx, address.Publisher, address.Channel, parsed))
}

// Create makes a webhook, with its secret unless it is unsigned.
func (s *WebhooksService) Create(ctx context.Context, channel string, in WebhookInput, opts ...CallOption) (*WebhookSecret, error) {
	address, err := ParseAddress(channel)
	if err != nil {
		return nil, err
	}
	c, err := newCall(opts)
	if err != nil {
		return nil, err
	}
	var f faults
	f.text("name", in.Name)
	if err := f.err(); err != nil {
		return nil, err
	}
	return decode[WebhookSecret](s.api.CreateWebhook(ctx, address.Publisher, address.Channel,
		&api.CreateWebhookParams{IdempotencyKey: &c.key}, api.WebhookInput{Name: in.Name, Signed: new(!in.Unsigned)}))
}

// Update gives a webhook another name and returns it as it is now.
func (s *WebhooksService) Update(ctx context.Context, channel, id, name string, opts ...ChangeOption) (*Webhook, error) {
	address, parsed, err := parseChannelItem(channel, id)
	if err != nil {
		return nil, err
	}
	var f faults
	f.text("name", name)
	if err := f.err(); err != nil {
		return nil, err
	}
	return decodeVersion[Webhook](s.api.UpdateWebhook(ctx, address.Publisher, address.Channel, parsed,
		&api.UpdateWebhookParams{IfMatch: newChange(opts).version}, api.WebhookPatch{Name: name}))
}

// WebhookPart is what of a webhook can be made anew.
type WebhookPart string

// An old secret stays good for 24 hours; an old address is refused at once.
const (
	RotateSecret  WebhookPart = "secret"
	RotateAddress WebhookPart = "address"
)

// Rotate makes a new secret or a new address, [RotateSecret] or [RotateAddress].
func (s *WebhooksService) Rotate(ctx context.Context, channel, id string, what WebhookPart, opts ...CallOption) (*WebhookSecret, error) {
	address, parsed, err := parseChannelItem(channel, id)
	if err != nil {
		return nil, err
	}
	c, err := newCall(opts)
	if err != nil {
		return nil, err
	}
	return decode[WebhookSecret](s.api.RotateWebhook(ctx, address.Publisher, address.Channel, parsed,
		&api.RotateWebhookParams{IdempotencyKey: &c.key}, api.WebhookRotation{What: api.WebhookRotationWhat(what)}))
}

// Delete ends a webhook: what is sent to its address from now on is refused.
func (s *WebhooksService) Delete(ctx context.Context, channel, id string, opts ...ChangeOption) error {
	address, parsed, err := parseChannelItem(channel, id)
	if err != nil {
		return err
	}
	return check(s.api.DeleteWebhook(ctx, address.Publisher, address.Channel, parsed,
		&api.DeleteWebhookParams{IfMatch: newChange(opts).version}))
}

// Events goes through what was posted to a webhook, newest first; it is kept for 30 days.
// An error ends it.
func (s *WebhooksService) Events(ctx context.Context, channel, id string) iter.Seq2[WebhookEvent, error] {
	address, parsed, err := parseChannelItem(channel, id)
	if err != nil {
		return failed[WebhookEvent](err)
	}
	// The sender's id may come again, so the time is part of what tells events apart.
	name := func(e WebhookEvent) string { return e.ReceivedAt.String() + e.ID }
	return listed(name, func(limit, offset *int32) (*http.Response, error) {
		return s.api.ListWebhookEvents(ctx, address.Publisher, address.Channel, parsed,
			&api.ListWebhookEventsParams{Limit: limit, Offset: offset})
	})
}
