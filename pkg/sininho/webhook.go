package sininho

import (
	"context"
	"iter"
	"net/http"
	"time"

	"github.com/sininho/sininho/pkg/api"
)

// WebhooksService manages the addresses to which other systems post in order to publish to a channel
// (API: /channels/{publisherSlug}/{channelSlug}/webhooks). Each method takes the channel as
// publisher/channel. With [SigningStandard], a sender signs its payloads with package
// [github.com/sininho/sininho/pkg/webhook].
type WebhooksService struct{ api *api.Client }

// WebhookSigning is how a webhook verifies the sender of a payload.
type WebhookSigning string

// The ways of signing. SigningStandard is that of package [github.com/sininho/sininho/pkg/webhook].
const (
	SigningStandard WebhookSigning = "standard"
	SigningGitHub   WebhookSigning = "github"
	SigningGitLab   WebhookSigning = "gitlab"
	SigningStripe   WebhookSigning = "stripe"
	SigningSentry   WebhookSigning = "sentry"
	// SigningBearer means that the secret itself is sent, by senders that cannot sign: as a bearer token, or as a
	// password.
	SigningBearer WebhookSigning = "bearer"
	// SigningNone lets anyone who knows the address publish.
	SigningNone WebhookSigning = "none"
)

// WebhookSender is the system that posts to a webhook. It determines the template that turns
// payloads into notifications.
type WebhookSender string

// The senders whose payloads a server understands. SenderPlain takes the members of a notification
// from any JSON object.
const (
	SenderPlain        WebhookSender = "plain"
	SenderGitHub       WebhookSender = "github"
	SenderGitLab       WebhookSender = "gitlab"
	SenderAlertmanager WebhookSender = "alertmanager"
	SenderGrafana      WebhookSender = "grafana"
	SenderStripe       WebhookSender = "stripe"
	SenderSentry       WebhookSender = "sentry"
	// SenderSlack and SenderDiscord take what programs post to incoming webhooks of Slack and Discord, and respond as
	// those do. They are unsigned unless Signing says otherwise.
	SenderSlack   WebhookSender = "slack"
	SenderDiscord WebhookSender = "discord"
	// SenderGitea takes the payloads of Forgejo too.
	SenderGitea      WebhookSender = "gitea"
	SenderUptimeKuma WebhookSender = "uptimekuma"
	SenderSonarr     WebhookSender = "sonarr"
	SenderRadarr     WebhookSender = "radarr"
	// SenderJenkins takes the payloads of the plugin Notification.
	SenderJenkins WebhookSender = "jenkins"
)

// Webhook is an address to which other systems post in order to publish to a channel.
type Webhook struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	// URL is where to post. Anyone who knows the URL of an unsigned webhook can publish.
	URL string `json:"url"`
	// Signed reports whether payloads must be signed, that is, whether Signing is not [SigningNone].
	Signed  bool           `json:"signed"`
	Signing WebhookSigning `json:"signing"`
	Sender  WebhookSender  `json:"sender"`
	// Template is a custom template; nil if the sender's template is used.
	Template *WebhookTemplate `json:"template,omitempty"`
	// LastEventAt is zero if nothing was posted yet.
	LastEventAt time.Time `json:"lastEventAt,omitzero"`
	// AddressReplacedAt is when the server replaced the address because a member who knew it had left: give the new one
	// to the sender. It is zero if that did not happen since you last replaced the address.
	AddressReplacedAt time.Time `json:"addressReplacedAt,omitzero"`
	// SecretReplacedAt is when the server replaced the secret because a member who knew it had left. Nobody knows the
	// new one: rotate it. It is zero if that did not happen since you last replaced the secret.
	SecretReplacedAt time.Time `json:"secretReplacedAt,omitzero"`
	CreatedAt        time.Time `json:"createdAt"`
	// Version is set by Get and Update, for [IfVersion].
	Version string `json:"-"`
}

func (w *Webhook) setVersion(version string) { w.Version = version }

// WebhookSecret is a new webhook, or one with a new secret or address. Store the secret: it is shown only once.
type WebhookSecret struct {
	ID      string         `json:"id"`
	Name    string         `json:"name"`
	URL     string         `json:"url"`
	Signed  bool           `json:"signed"`
	Signing WebhookSigning `json:"signing"`
	Sender  WebhookSender  `json:"sender"`
	// Secret is the secret to sign with, `whsec_…`. It is empty for an unsigned webhook, if you
	// supplied the secret, and in the replayed response to a repeated idempotency key.
	Secret    string    `json:"secret,omitzero"`
	CreatedAt time.Time `json:"createdAt"`
}

// WebhookInput describes a webhook to create. Name is required.
type WebhookInput struct {
	// Name has 1 to 100 characters.
	Name string
	// Sender defaults to [SenderPlain].
	Sender WebhookSender
	// Signing defaults to that of the sender.
	Signing WebhookSigning
	// Secret is the secret that the sender created, if it does (Stripe, Sentry). Otherwise leave it
	// empty: the server creates one.
	Secret string
	// Template replaces the sender's template.
	Template *WebhookTemplate
}

// WebhookUpdate holds the fields to change; nil fields stay unchanged.
type WebhookUpdate struct {
	Name   *string
	Sender *WebhookSender
	// Template replaces the current template; a zero value restores the sender's template.
	Template *WebhookTemplate
}

// List iterates over the webhooks of a channel, oldest first. The iteration ends at the first error.
func (s *WebhooksService) List(ctx context.Context, channel string) iter.Seq2[Webhook, error] {
	address, err := ParseAddress(channel)
	if err != nil {
		return failed[Webhook](err)
	}
	return listed(func(w Webhook) string { return w.ID }, func(limit, offset *int32) (*http.Response, error) {
		return s.api.ListWebhooks(ctx, address.Publisher, address.Channel,
			&api.ListWebhooksParams{Limit: limit, Offset: offset})
	})
}

// Get returns one webhook with its address.
func (s *WebhooksService) Get(ctx context.Context, channel, id string) (*Webhook, error) {
	address, parsed, err := parseChannelItem(channel, id)
	if err != nil {
		return nil, err
	}
	return decodeVersion[Webhook](s.api.GetWebhook(ctx, address.Publisher, address.Channel, parsed))
}

// Create creates a webhook and returns it with its secret, unless it is unsigned.
func (s *WebhooksService) Create(
	ctx context.Context, channel string, in WebhookInput, opts ...CallOption,
) (*WebhookSecret, error) {
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
	body := api.WebhookInput{
		Name: in.Name, Sender: optional(api.WebhookSender(in.Sender)),
		Signing: optional(api.WebhookSigning(in.Signing)), Secret: optional(in.Secret), Template: in.Template.toAPI(),
	}
	return decode[WebhookSecret](s.api.CreateWebhook(ctx, address.Publisher, address.Channel,
		&api.CreateWebhookParams{IdempotencyKey: &c.key}, body))
}

// Update changes a webhook and returns its new state.
func (s *WebhooksService) Update(
	ctx context.Context, channel, id string, in WebhookUpdate, opts ...ChangeOption,
) (*Webhook, error) {
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

// RotateSecret sets a new secret: the given one, for senders that create their own, or one that the
// server creates if secret is empty. The old secret stays valid for 24 hours, or until the next rotation.
func (s *WebhooksService) RotateSecret(
	ctx context.Context, channel, id, secret string, opts ...CallOption,
) (*WebhookSecret, error) {
	return s.rotate(ctx, channel, id,
		api.WebhookRotation{What: api.WebhookRotationWhatSecret, Secret: optional(secret)}, opts)
}

// RotateAddress gives a webhook a new URL. Requests to the old one are refused at once.
func (s *WebhooksService) RotateAddress(
	ctx context.Context, channel, id string, opts ...CallOption,
) (*WebhookSecret, error) {
	return s.rotate(ctx, channel, id, api.WebhookRotation{What: api.WebhookRotationWhatAddress}, opts)
}

func (s *WebhooksService) rotate(
	ctx context.Context, channel, id string, what api.WebhookRotation, opts []CallOption,
) (*WebhookSecret, error) {
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

// Delete deletes a webhook. Requests to its address are refused from then on.
func (s *WebhooksService) Delete(ctx context.Context, channel, id string, opts ...ChangeOption) error {
	address, parsed, err := parseChannelItem(channel, id)
	if err != nil {
		return err
	}
	return check(s.api.DeleteWebhook(ctx, address.Publisher, address.Channel, parsed,
		&api.DeleteWebhookParams{IfMatch: newChange(opts).version}))
}
