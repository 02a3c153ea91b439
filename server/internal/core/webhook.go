package core

import (
	"context"
	"time"

	"github.com/sininho/sininho/pkg/rules"
)

// Webhook is an inbound address that publishes to one channel.
type Webhook struct {
	ID          ID
	Name        string
	Channel     ChannelRef
	Signing     WebhookSigning
	Sender      WebhookSender
	Template    *WebhookTemplate // custom; nil for the sender's
	Address     string           // a credential; not set by Find, whose caller knows it
	Secrets     []string         // the valid ones; set only by Find
	PublisherID ID               // set only by Find
	AccountID   ID               // that answers for the publisher; likewise
	LastEventAt *time.Time
	CreatedAt   time.Time
	UpdatedAt   time.Time

	// When the server replaced the address or the secret because a member who knew it left the publisher; nil if it did
	// not since the publisher did so itself.
	AddressReplacedAt, SecretReplacedAt *time.Time
}

// Signed reports whether the webhook accepts only payloads that prove knowledge of its secret.
func (w Webhook) Signed() bool { return w.Signing != SigningNone }

// Version returns the time of the latest change to the webhook.
func (w Webhook) Version() time.Time { return w.UpdatedAt }

// SealedWebhook is a webhook as it is stored, with encrypted credentials.
type SealedWebhook struct {
	ID             ID               `json:"id"`
	ChannelID      ID               `json:"channelId"`
	PublisherID    ID               `json:"-"` // set only by WebhookByAddress
	AccountID      ID               `json:"-"` // that answers for the publisher; likewise
	Name           string           `json:"name"`
	AddressHash    []byte           `json:"-"`
	AddressSealed  []byte           `json:"addressSealed"`
	Signing        WebhookSigning   `json:"signing"`
	Sender         WebhookSender    `json:"sender"`
	Template       *WebhookTemplate `json:"template"`
	SecretSealed   []byte           `json:"-"` // nil: unsigned, by the owner's choice
	PreviousSealed []byte           `json:"-"` // the previous secret, valid until PreviousUntil
	PreviousUntil  *time.Time       `json:"-"`
	LastEventAt    *time.Time       `json:"lastEventAt"`
	CreatedAt      time.Time        `json:"createdAt"`
	UpdatedAt      time.Time        `json:"updatedAt"`

	AddressReplacedAt *time.Time `json:"addressReplacedAt"`
	SecretReplacedAt  *time.Time `json:"secretReplacedAt"`
	SecretKnownTo     ID         `json:"-"` // the person who set it; zero for nobody
}

func (s SealedWebhook) webhook(channel ChannelRef) Webhook {
	return Webhook{ID: s.ID, Name: s.Name, Channel: channel, Signing: s.Signing, Sender: s.Sender, Template: s.Template,
		LastEventAt: s.LastEventAt, CreatedAt: s.CreatedAt, UpdatedAt: s.UpdatedAt,
		AddressReplacedAt: s.AddressReplacedAt, SecretReplacedAt: s.SecretReplacedAt}
}

// secretKept is how long the previous secret stays valid after a rotation.
const secretKept = 24 * time.Hour

// WebhookInput is the input for a new webhook. Zero fields get the sender's defaults; without a sender it is plain.
type WebhookInput struct {
	Name     string
	Signed   *bool // false is short for SigningNone
	Signing  WebhookSigning
	Secret   string // from the sender; without one, a secret is created
	Sender   WebhookSender
	Template *WebhookTemplate
}

// Validate implements Input.
func (in WebhookInput) Validate(r *Rules, _ time.Time) []FieldError {
	var f faults
	f.Name("#/name", in.Name, rules.MaxName)
	f.contradictions(in)
	if in.Secret != "" {
		f.secret(in.Secret, in.signing())
	}
	if in.Template != nil {
		f.Faults = append(f.Faults, r.templates.Check(*in.Template)...)
	}
	return f.Faults
}

// WebhookPatch is a change to a webhook. Unset fields stay unchanged.
type WebhookPatch struct {
	Name     *string
	Sender   *WebhookSender
	Template Patch[WebhookTemplate]
}

// Validate implements Input.
func (p WebhookPatch) Validate(r *Rules, now time.Time) []FieldError {
	in := WebhookInput{Name: unchanged, Template: p.Template.Value}
	set(&in.Name, p.Name)
	return in.Validate(r, now)
}

func (p WebhookPatch) apply(s *SealedWebhook) {
	set(&s.Name, p.Name)
	set(&s.Sender, p.Sender)
	if p.Template.Set {
		s.Template = p.Template.Value
	}
}

// Rotation is the part of a webhook that is replaced.
type Rotation string

// The rotations.
const (
	RotateSecret  Rotation = "secret"
	RotateAddress Rotation = "address"
)

// WebhookRotation is the input for replacing a part of a webhook.
type WebhookRotation struct {
	What   Rotation
	Secret string // from the sender; without one, a secret is created
}

// Validate implements Input.
func (in WebhookRotation) Validate(*Rules, time.Time) []FieldError {
	var f faults
	if in.What == RotateAddress && in.Secret != "" {
		f.Add("#/secret", "exclusive",
			Text{EN: "cannot be combined with a new address", PT: "não pode ser combinado com um endereço novo"})
	}
	return f.Faults
}

// WebhookStore keeps webhooks.
type WebhookStore interface {
	// CreateWebhook fails with CodeInvalid at CapWebhooks.
	CreateWebhook(ctx context.Context, w SealedWebhook, key Idempotency) (SealedWebhook, Creation, error)
	// Webhook returns a webhook of the channel; it fails with CodeNotFound when there is none.
	Webhook(ctx context.Context, channelID, id ID) (SealedWebhook, error)
	// Webhooks returns the channel's webhooks, oldest first.
	Webhooks(ctx context.Context, channelID ID, page Page) (data []SealedWebhook, total int64, err error)
	// WebhookByAddress returns the webhook with that hash of its address; it fails with CodeNotFound when there is
	// none.
	WebhookByAddress(ctx context.Context, hash []byte) (SealedWebhook, ChannelRef, error)
	// WebhookByName returns a webhook of the channel; it fails with CodeNotFound when there is none.
	WebhookByName(ctx context.Context, channelID ID, name string) (SealedWebhook, error)
	// UpdateWebhook locks the webhook, calls change to alter it, and stores the result.
	UpdateWebhook(
		ctx context.Context, channelID, id ID, now time.Time, key Idempotency, change func(*SealedWebhook) error,
	) (SealedWebhook, Creation, error)
	// DeleteWebhook fails with CodeChanged when seen is not the webhook's version.
	DeleteWebhook(ctx context.Context, channelID, id ID, seen *time.Time) error
}

type webhooksStore interface {
	WebhookStore
	EventStore
	ChannelStore
	PublisherStore
	SuspensionStore
}

// Webhooks manages webhooks and receives their events.
type Webhooks struct {
	store     webhooksStore
	writer    Writer
	rules     *Rules
	sealer    *Sealer
	newSecret func() string
	now       func() time.Time
}

// NewWebhooks returns the service for webhooks. newSecret returns a new signing secret.
func NewWebhooks(
	store webhooksStore, writer Writer, rules *Rules, sealer *Sealer, newSecret func() string, now func() time.Time,
) *Webhooks {
	return &Webhooks{store: store, writer: writer, rules: rules, sealer: sealer, newSecret: newSecret, now: now}
}

// List returns the webhooks of a channel that the caller may edit.
func (w *Webhooks) List(
	ctx context.Context, caller Caller, publisherSlug, slug string, page Page,
) ([]Webhook, int64, error) {
	channel, err := editable(ctx, w.store, caller, publisherSlug, slug, ScopeChannels, ScopePublish)
	if err != nil {
		return nil, 0, err
	}
	sealed, total, err := w.store.Webhooks(ctx, channel.ID, page)
	if err != nil {
		return nil, 0, err
	}
	data := make([]Webhook, len(sealed))
	for i, s := range sealed {
		if data[i], err = s.open(w.sealer, channel); err != nil {
			return nil, 0, err
		}
	}
	return data, total, nil
}

// Get returns a webhook of a channel that the caller may edit.
func (w *Webhooks) Get(ctx context.Context, caller Caller, publisherSlug, slug string, id ID) (Webhook, error) {
	channel, err := editable(ctx, w.store, caller, publisherSlug, slug, ScopeChannels, ScopePublish)
	if err != nil {
		return Webhook{}, err
	}
	sealed, err := w.store.Webhook(ctx, channel.ID, id)
	if err != nil {
		return Webhook{}, err
	}
	return sealed.open(w.sealer, channel)
}

// Create creates a webhook. It returns the secret of a signed webhook only if it created the secret, and not on a
// replay.
func (w *Webhooks) Create(
	ctx context.Context, caller Caller, publisherSlug, slug string, in WebhookInput, key Idempotency,
) (made Webhook, secret string, creation Creation, err error) {
	channel, err := editable(ctx, w.store, caller, publisherSlug, slug, ScopeChannels, ScopePublish)
	if err != nil {
		return made, "", 0, err
	}
	now := w.now()
	if err := w.rules.check(in, now); err != nil {
		return made, "", 0, err
	}
	given := in.Secret
	if given == "" && in.signing() != SigningNone {
		secret = w.newSecret()
	}
	_, sealed := sealWebhook(w.sealer, channel.ID, in, given+secret, now)
	sealed.SecretKnownTo = caller.SubscriberID
	sealed, creation, err = w.store.CreateWebhook(ctx, sealed, key)
	if err != nil {
		return made, "", 0, err
	}
	if creation != Created {
		secret = ""
	}
	made, err = sealed.open(w.sealer, channel)
	return made, secret, creation, err
}

// EnsureWebhook returns the address of the channel's webhook with that name, and creates the webhook if there is none.
// A new webhook has the given secret; it is unsigned if the secret is empty.
func EnsureWebhook(
	ctx context.Context, store WebhookStore, sealer *Sealer, channelID ID, name, secret string, now time.Time,
) (address string, err error) {
	sealed, err := store.WebhookByName(ctx, channelID, name)
	if err == nil {
		opened, err := sealed.open(sealer, ChannelRef{ID: channelID})
		return opened.Address, err
	}
	if !IsCode(err, CodeNotFound) {
		return "", err
	}
	signed := secret != ""
	address, sealed = sealWebhook(sealer, channelID, WebhookInput{Name: name, Signed: &signed}, secret, now)
	_, _, err = store.CreateWebhook(ctx, sealed, Idempotency{})
	return address, err
}

// Update changes a webhook's name, sender or template.
func (w *Webhooks) Update(
	ctx context.Context, caller Caller, publisherSlug, slug string, id ID, patch WebhookPatch, seen *time.Time,
) (Webhook, error) {
	changed, _, err := w.change(ctx, caller, publisherSlug, slug, id, Idempotency{},
		func(s *SealedWebhook, now time.Time) error {
			if err := CheckSeen(seen, s.UpdatedAt); err != nil {
				return err
			}
			patch.apply(s)
			return w.rules.check(patch, now)
		})
	return changed, err
}

// Rotate replaces the secret or the address. The old secret stays valid for secretKept; the old address stops working
// immediately. If in has no secret, a new one is created and returned, unless the request is a replay.
func (w *Webhooks) Rotate(
	ctx context.Context, caller Caller, publisherSlug, slug string, id ID, in WebhookRotation, key Idempotency,
) (rotated Webhook, secret string, creation Creation, err error) {
	rotated, creation, err = w.change(ctx, caller, publisherSlug, slug, id, key,
		func(s *SealedWebhook, now time.Time) error {
			if err := invalid(s.faultsOf(in)); err != nil {
				return err
			}
			if in.What == RotateAddress {
				_, s.AddressHash, s.AddressSealed = newAddress(w.sealer)
				s.AddressReplacedAt = nil
				return nil
			}
			if in.Secret == "" {
				secret = w.newSecret()
			}
			s.PreviousSealed, s.PreviousUntil = s.SecretSealed, new(now.Add(secretKept))
			s.SecretSealed = w.sealer.Seal([]byte(in.Secret + secret))
			s.SecretKnownTo, s.SecretReplacedAt = caller.SubscriberID, nil
			return nil
		})
	return rotated, secret, creation, err
}

// faultsOf returns every fault of the rotation of this webhook.
func (s SealedWebhook) faultsOf(in WebhookRotation) []FieldError {
	f := faults{in.Validate(nil, time.Time{})}
	switch {
	case in.What == RotateAddress:
	case s.SecretSealed == nil:
		f.Add("#/what", "unsigned",
			Text{EN: "an unsigned webhook has no secret", PT: "um webhook sem assinatura não tem segredo"})
	case in.Secret != "":
		f.secret(in.Secret, s.Signing)
	}
	return f.Faults
}

// Delete deletes a webhook. Requests to its address fail from then on.
func (w *Webhooks) Delete(
	ctx context.Context, caller Caller, publisherSlug, slug string, id ID, seen *time.Time,
) error {
	channel, err := editable(ctx, w.store, caller, publisherSlug, slug, ScopeChannels, ScopePublish)
	if err != nil {
		return err
	}
	return w.store.DeleteWebhook(ctx, channel.ID, id, seen)
}

// Events returns the events that a webhook received, newest first.
func (w *Webhooks) Events(
	ctx context.Context, caller Caller, publisherSlug, slug string, id ID, page Page,
) ([]ReceivedEvent, int64, error) {
	found, err := w.Get(ctx, caller, publisherSlug, slug, id)
	if err != nil {
		return nil, 0, err
	}
	return w.store.Events(ctx, found.ID, page)
}

func (w *Webhooks) change(
	ctx context.Context, caller Caller, publisherSlug, slug string, id ID, key Idempotency,
	change func(*SealedWebhook, time.Time) error,
) (Webhook, Creation, error) {
	channel, err := editable(ctx, w.store, caller, publisherSlug, slug, ScopeChannels, ScopePublish)
	if err != nil {
		return Webhook{}, 0, err
	}
	now := w.now()
	sealed, creation, err := w.store.UpdateWebhook(ctx, channel.ID, id, now, key,
		func(s *SealedWebhook) error { return change(s, now) })
	if err != nil {
		return Webhook{}, 0, err
	}
	changed, err := sealed.open(w.sealer, channel)
	return changed, creation, err
}

const addressLength = 22 // letters and digits: 131 bits

func newAddress(sealer *Sealer) (address string, hash, sealed []byte) {
	address = RandomText(addressLength)
	return address, HashSecret(address), sealer.Seal([]byte(address))
}

// sealWebhook returns a new webhook with a new address.
func sealWebhook(
	sealer *Sealer, channelID ID, in WebhookInput, secret string, now time.Time,
) (address string, s SealedWebhook) {
	s = SealedWebhook{ID: NewID(), ChannelID: channelID, Name: in.Name, Signing: in.signing(), Sender: in.sender(),
		Template: in.Template, CreatedAt: now, UpdatedAt: now}
	address, s.AddressHash, s.AddressSealed = newAddress(sealer)
	if secret != "" {
		s.SecretSealed = sealer.Seal([]byte(secret))
	}
	return address, s
}

// open returns the webhook with its decrypted address.
func (s SealedWebhook) open(sealer *Sealer, channel ChannelRef) (Webhook, error) {
	opened := s.webhook(channel)
	address, err := sealer.Open(s.AddressSealed)
	opened.Address = string(address)
	return opened, err
}
