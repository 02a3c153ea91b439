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

// WebhookSigning is how what is posted to a webhook proves who sent it.
type WebhookSigning string

// The ways of signing. With SigningStandard it is package webhook of this module that signs.
const (
	SigningStandard WebhookSigning = "standard"
	SigningGitHub   WebhookSigning = "github"
	SigningGitLab   WebhookSigning = "gitlab"
	SigningStripe   WebhookSigning = "stripe"
	SigningSentry   WebhookSigning = "sentry"
	// SigningBearer: the secret itself is sent, by senders that cannot sign.
	SigningBearer WebhookSigning = "bearer"
	// SigningNone lets anyone publish who knows the address.
	SigningNone WebhookSigning = "none"
)

// WebhookSender is whose payloads are posted to a webhook, and so by which template they
// become notifications.
type WebhookSender string

// The senders whose payloads a server knows. SenderPlain takes the members of a notification
// from any JSON object.
const (
	SenderPlain        WebhookSender = "plain"
	SenderGitHub       WebhookSender = "github"
	SenderGitLab       WebhookSender = "gitlab"
	SenderAlertmanager WebhookSender = "alertmanager"
	SenderGrafana      WebhookSender = "grafana"
	SenderStripe       WebhookSender = "stripe"
	SenderSentry       WebhookSender = "sentry"
)

// Webhook is an address at which others publish to a channel.
type Webhook struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	// URL is where to post. Who knows that of an unsigned one can publish.
	URL string `json:"url"`
	// Signed says whether what is posted must be signed: Signing is not [SigningNone].
	Signed  bool           `json:"signed"`
	Signing WebhookSigning `json:"signing"`
	Sender  WebhookSender  `json:"sender"`
	// Template is one of your own; nil for the sender's.
	Template *WebhookTemplate `json:"template,omitempty"`
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
	ID      string         `json:"id"`
	Name    string         `json:"name"`
	URL     string         `json:"url"`
	Signed  bool           `json:"signed"`
	Signing WebhookSigning `json:"signing"`
	Sender  WebhookSender  `json:"sender"`
	// Secret is what to sign with, `whsec_…`. It is empty for an unsigned one, for one whose
	// secret you gave, and when an idempotency key was used again.
	Secret    string    `json:"secret,omitzero"`
	CreatedAt time.Time `json:"createdAt"`
}

// WebhookInput is a webhook to create. Name is needed.
type WebhookInput struct {
	// Name has 1 to 100 characters.
	Name string
	// Sender is [SenderPlain] unless set.
	Sender WebhookSender
	// Signing is that of the sender unless set.
	Signing WebhookSigning
	// Secret is the sender's own, where it makes it (Stripe, Sentry). Otherwise leave it
	// empty: the server makes one.
	Secret string
	// Template takes the place of the sender's.
	Template *WebhookTemplate
}

// WebhookUpdate is what to change; what is nil stays.
type WebhookUpdate struct {
	Name   *string
	Sender *WebhookSender
	// Template takes the place of the one there is; the zero one goes back to the sender's.
	Template *WebhookTemplate
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
	f.text("secret", in.Secret)
	f.template(in.Template)
	if err := f.err(); err != nil {
		return nil, err
	}
	return decode[WebhookSecret](s.api.CreateWebhook(ctx, address.Publisher, address.Channel, &api.CreateWebhookParams{IdempotencyKey: &c.key}, api.WebhookInput{
		Name: in.Name, Sender: optional(api.WebhookSender(in.Sender)), Signing: optional(api.WebhookSigning(in.Signing)),
		Secret: optional(in.Secret), Template: in.Template.toAPI(),
	}))
}

// Update changes a webhook and returns it as it is now.
func (s *WebhooksService) Update(ctx context.Context, channel, id string, in WebhookUpdate, opts ...ChangeOption) (*Webhook, error) {
	address, parsed, err := parseChannelItem(channel, id)
	if err != nil {
		return nil, err
	}
	var f faults
	f.texts(map[string]*string{"name": in.Name})
	f.template(in.Template)
	if err := f.err(); err != nil {
		return nil, err
	}
	patch := api.WebhookPatch{Name: in.Name, Sender: (*api.WebhookSender)(in.Sender)}
	switch {
	case in.Template == nil:
	case *in.Template == WebhookTemplate{}:
		patch.Template.SetNull()
	default:
		patch.Template.Set(*in.Template.toAPI())
	}
	return decodeVersion[Webhook](s.api.UpdateWebhook(ctx, address.Publisher, address.Channel, parsed,
		&api.UpdateWebhookParams{IfMatch: newChange(opts).version}, patch))
}

// RotateSecret gives a webhook a new secret: the sender's own, where it makes it, or with ""
// one that the server makes. The old one stays good for 24 hours, or until the next rotation.
func (s *WebhooksService) RotateSecret(ctx context.Context, channel, id, secret string, opts ...CallOption) (*WebhookSecret, error) {
	return s.rotate(ctx, channel, id, api.WebhookRotation{What: api.WebhookRotationWhatSecret, Secret: optional(secret)}, opts)
}

// RotateAddress gives a webhook a new URL. The old one is refused at once.
func (s *WebhooksService) RotateAddress(ctx context.Context, channel, id string, opts ...CallOption) (*WebhookSecret, error) {
	return s.rotate(ctx, channel, id, api.WebhookRotation{What: api.WebhookRotationWhatAddress}, opts)
}

func (s *WebhooksService) rotate(ctx context.Context, channel, id string, what api.WebhookRotation, opts []CallOption) (*WebhookSecret, error) {
	address, parsed, err := parseChannelItem(channel, id)
	if err != nil {
		return nil, err
	}
	c, err := newCall(opts)
	if err != nil {
		return nil, err
	}
	return decode[WebhookSecret](s.api.RotateWebhook(ctx, address.Publisher, address.Channel, parsed,
		&api.RotateWebhookParams{IdempotencyKey: &c.key}, what))
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
