package core

import (
	"context"
	"time"
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
	LastEventAt *time.Time
	CreatedAt   time.Time
	UpdatedAt   time.Time
}

// Signed reports whether the webhook accepts only payloads that prove knowledge of its secret.
func (w Webhook) Signed() bool { return w.Signing != SigningNone }

// Version returns the time of the latest change to the webhook.
func (w Webhook) Version() time.Time { return w.UpdatedAt }

// SealedWebhook is a webhook as it is stored, with encrypted credentials.
type SealedWebhook struct {
	ID             ID               `json:"id"`
	ChannelID      ID               `json:"channelId"`
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
}

func (s SealedWebhook) webhook(channel ChannelRef) Webhook {
	return Webhook{ID: s.ID, Name: s.Name, Channel: channel, Signing: s.Signing, Sender: s.Sender, Template: s.Template,
		LastEventAt: s.LastEventAt, CreatedAt: s.CreatedAt, UpdatedAt: s.UpdatedAt}
}

// MaxWebhooks is how many webhooks a channel may have.
const MaxWebhooks = 50

// ErrTooManyWebhooks returns the error for a channel that already has MaxWebhooks.
func ErrTooManyWebhooks() *Error {
	return &Error{Code: CodeInvalid, Reason: "too_many",
		Detail: Text{"The channel has 50 webhooks already. Delete one first.", "O canal já tem 50 webhooks. Apague um primeiro."}}
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

// Validate reports every fault of the input.
func (in WebhookInput) Validate(templates Templates) error {
	var f faults
	f.name("#/name", in.Name)
	f.contradictions(in)
	if in.Secret != "" {
		f.secret(in.Secret, in.signing())
	}
	if in.Template != nil {
		f = append(f, templates.Check(*in.Template)...)
	}
	return f.err()
}

// WebhookPatch is a change to a webhook. Unset fields stay unchanged.
type WebhookPatch struct {
	Name     *string
	Sender   *WebhookSender
	Template Patch[WebhookTemplate]
}

// Validate reports every fault of the fields that are set.
func (p WebhookPatch) Validate(templates Templates) error {
	in := WebhookInput{Name: "-", Template: p.Template.Value}
	set(&in.Name, p.Name)
	return in.Validate(templates)
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

// WebhookStore keeps webhooks.
type WebhookStore interface {
	// CreateWebhook fails with CodeInvalid when the channel has MaxWebhooks.
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
	UpdateWebhook(ctx context.Context, channelID, id ID, now time.Time, key Idempotency, change func(*SealedWebhook) error) (SealedWebhook, Creation, error)
	// DeleteWebhook fails with CodeChanged when seen is not the webhook's version.
	DeleteWebhook(ctx context.Context, channelID, id ID, seen *time.Time) error
}

// Webhooks manages webhooks and receives their events.
type Webhooks struct {
	Store interface {
		WebhookStore
		EventStore
		ChannelStore
		PublisherStore
	}
	Sealer    *Sealer
	NewSecret func() string // returns a new signing secret
	Templates Templates
	Links     LinkRules
	Now       func() time.Time
	Nudge     func()
}

// List returns the webhooks of a channel that the caller may edit.
func (w *Webhooks) List(ctx context.Context, caller Caller, publisherSlug, slug string, page Page) ([]Webhook, int64, error) {
	channel, err := editable(ctx, w.Store, caller, publisherSlug, slug, ScopeChannels, ScopePublish)
	if err != nil {
		return nil, 0, err
	}
	sealed, total, err := w.Store.Webhooks(ctx, channel.ID, page)
	if err != nil {
		return nil, 0, err
	}
	data := make([]Webhook, len(sealed))
	for i, s := range sealed {
		if data[i], err = w.open(s, channel); err != nil {
			return nil, 0, err
		}
	}
	return data, total, nil
}

// Get returns a webhook of a channel that the caller may edit.
func (w *Webhooks) Get(ctx context.Context, caller Caller, publisherSlug, slug string, id ID) (Webhook, error) {
	channel, err := editable(ctx, w.Store, caller, publisherSlug, slug, ScopeChannels, ScopePublish)
	if err != nil {
		return Webhook{}, err
	}
	sealed, err := w.Store.Webhook(ctx, channel.ID, id)
	if err != nil {
		return Webhook{}, err
	}
	return w.open(sealed, channel)
}

// Create creates a webhook. It returns the secret of a signed webhook only if it created the secret, and not on a
// replay.
func (w *Webhooks) Create(ctx context.Context, caller Caller, publisherSlug, slug string, in WebhookInput, key Idempotency) (made Webhook, secret string, creation Creation, err error) {
	channel, err := editable(ctx, w.Store, caller, publisherSlug, slug, ScopeChannels, ScopePublish)
	if err != nil {
		return made, "", 0, err
	}
	if err := in.Validate(w.Templates); err != nil {
		return made, "", 0, err
	}
	given := in.Secret
	if given == "" && in.signing() != SigningNone {
		secret = w.NewSecret()
	}
	_, sealed := w.seal(channel.ID, in, given+secret)
	sealed, creation, err = w.Store.CreateWebhook(ctx, sealed, key)
	if err != nil {
		return made, "", 0, err
	}
	if creation != Created {
		secret = ""
	}
	made, err = w.open(sealed, channel)
	return made, secret, creation, err
}

// Ensure returns the address of the channel's webhook with that name, and creates the webhook if there is none. A new
// webhook has the given secret; it is unsigned if the secret is empty.
func (w *Webhooks) Ensure(ctx context.Context, channelID ID, name, secret string) (address string, err error) {
	sealed, err := w.Store.WebhookByName(ctx, channelID, name)
	if err == nil {
		opened, err := w.open(sealed, ChannelRef{ID: channelID})
		return opened.Address, err
	}
	if !IsCode(err, CodeNotFound) {
		return "", err
	}
	signed := secret != ""
	address, sealed = w.seal(channelID, WebhookInput{Name: name, Signed: &signed}, secret)
	_, _, err = w.Store.CreateWebhook(ctx, sealed, Idempotency{})
	return address, err
}

// Update changes a webhook's name, sender or template.
func (w *Webhooks) Update(ctx context.Context, caller Caller, publisherSlug, slug string, id ID, patch WebhookPatch, seen *time.Time) (Webhook, error) {
	changed, _, err := w.change(ctx, caller, publisherSlug, slug, id, Idempotency{}, func(s *SealedWebhook, _ time.Time) error {
		if err := CheckSeen(seen, s.UpdatedAt); err != nil {
			return err
		}
		patch.apply(s)
		return patch.Validate(w.Templates)
	})
	return changed, err
}

// Rotate replaces the secret or the address. The old secret stays valid for secretKept; the old address stops working
// immediately. If given is not empty, it becomes the new secret; otherwise a secret is created and returned, unless the
// request is a replay.
func (w *Webhooks) Rotate(ctx context.Context, caller Caller, publisherSlug, slug string, id ID, what Rotation, given string, key Idempotency) (rotated Webhook, secret string, creation Creation, err error) {
	rotated, creation, err = w.change(ctx, caller, publisherSlug, slug, id, key, func(s *SealedWebhook, now time.Time) error {
		if err := s.mayRotate(what, given); err != nil {
			return err
		}
		if what == RotateAddress {
			_, s.AddressHash, s.AddressSealed = w.newAddress()
			return nil
		}
		if given == "" {
			secret = w.NewSecret()
		}
		until := now.Add(secretKept)
		s.PreviousSealed, s.PreviousUntil, s.SecretSealed = s.SecretSealed, &until, w.Sealer.Seal([]byte(given+secret))
		return nil
	})
	return rotated, secret, creation, err
}

func (s SealedWebhook) mayRotate(what Rotation, given string) error {
	var f faults
	switch {
	case what == RotateAddress:
		if given != "" {
			f.add("#/secret", "exclusive", Text{"cannot go together with a new address", "não pode ir com um endereço novo"})
		}
	case s.SecretSealed == nil:
		f.add("#/what", "unsigned", Text{"is what an unsigned webhook does not have", "é o que um webhook sem assinatura não tem"})
	case given != "":
		f.secret(given, s.Signing)
	}
	return f.err()
}

// Delete deletes a webhook. Requests to its address fail from then on.
func (w *Webhooks) Delete(ctx context.Context, caller Caller, publisherSlug, slug string, id ID, seen *time.Time) error {
	channel, err := editable(ctx, w.Store, caller, publisherSlug, slug, ScopeChannels, ScopePublish)
	if err != nil {
		return err
	}
	return w.Store.DeleteWebhook(ctx, channel.ID, id, seen)
}

// Events returns the events that a webhook received, newest first.
func (w *Webhooks) Events(ctx context.Context, caller Caller, publisherSlug, slug string, id ID, page Page) ([]ReceivedEvent, int64, error) {
	found, err := w.Get(ctx, caller, publisherSlug, slug, id)
	if err != nil {
		return nil, 0, err
	}
	return w.Store.Events(ctx, found.ID, page)
}

func (w *Webhooks) change(ctx context.Context, caller Caller, publisherSlug, slug string, id ID, key Idempotency, change func(*SealedWebhook, time.Time) error) (Webhook, Creation, error) {
	channel, err := editable(ctx, w.Store, caller, publisherSlug, slug, ScopeChannels, ScopePublish)
	if err != nil {
		return Webhook{}, 0, err
	}
	now := w.Now()
	sealed, creation, err := w.Store.UpdateWebhook(ctx, channel.ID, id, now, key, func(s *SealedWebhook) error { return change(s, now) })
	if err != nil {
		return Webhook{}, 0, err
	}
	changed, err := w.open(sealed, channel)
	return changed, creation, err
}

const addressLength = 22 // letters and digits: 131 bits

func (w *Webhooks) newAddress() (address string, hash, sealed []byte) {
	address = RandomText(addressLength)
	return address, HashSecret(address), w.Sealer.Seal([]byte(address))
}

// seal returns a new webhook with a new address.
func (w *Webhooks) seal(channelID ID, in WebhookInput, secret string) (address string, s SealedWebhook) {
	now := w.Now()
	s = SealedWebhook{ID: NewID(), ChannelID: channelID, Name: in.Name, Signing: in.signing(), Sender: in.sender(), Template: in.Template,
		CreatedAt: now, UpdatedAt: now}
	address, s.AddressHash, s.AddressSealed = w.newAddress()
	if secret != "" {
		s.SecretSealed = w.Sealer.Seal([]byte(secret))
	}
	return address, s
}

// open returns the webhook with its decrypted address.
func (w *Webhooks) open(s SealedWebhook, channel ChannelRef) (Webhook, error) {
	opened := s.webhook(channel)
	address, err := w.Sealer.Open(s.AddressSealed)
	opened.Address = string(address)
	return opened, err
}
