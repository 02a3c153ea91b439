package core

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"encoding/json"
	"errors"
	"time"
)

// Webhook is an inbound address that publishes to one channel.
type Webhook struct {
	ID      ID
	Name    string
	Channel ChannelRef
	Secret  string // empty: unsigned, by the owner's choice
}

// WebhookEvent is something a sender posted.
type WebhookEvent struct {
	ID   string // the sender's; empty when it gave none
	Body []byte
}

// SealedWebhook is a webhook as it is kept.
type SealedWebhook struct {
	ID            ID
	ChannelID     ID
	Name          string
	AddressHash   []byte
	AddressSealed []byte
	SecretSealed  []byte
}

// WebhookStore keeps webhooks.
type WebhookStore interface {
	CreateWebhook(ctx context.Context, w SealedWebhook) error
	// WebhookByAddress finds one by the hash of its address; CodeNotFound when there is none.
	WebhookByAddress(ctx context.Context, hash []byte) (SealedWebhook, ChannelRef, error)
	// WebhookByName finds a channel's webhook; CodeNotFound when there is none.
	WebhookByName(ctx context.Context, channelID ID, name string) (SealedWebhook, error)
	// PublishEvent stores the notification and the event in one commit. An event that was received before answers its
	// notification's id and Replayed.
	PublishEvent(ctx context.Context, webhookID ID, eventID string, n Notification) (ID, Creation, error)
}

// WebhookVerifier checks an event's signature against the webhook's secret.
type WebhookVerifier func(secret string, body []byte) error

// Webhooks makes webhooks and receives events.
type Webhooks struct {
	Store  WebhookStore
	Sealer *Sealer
	Links  LinkRules
	Now    func() time.Time
	Nudge  func()
}

const addressLength = 22 // letters and digits: 131 bits

// Create makes a webhook and returns its address.
func (w *Webhooks) Create(ctx context.Context, channelID ID, name, secret string) (address string, err error) {
	address = RandomText(addressLength)
	sealed := SealedWebhook{ID: NewID(), ChannelID: channelID, Name: name, AddressHash: HashSecret(address), AddressSealed: w.Sealer.Seal([]byte(address))}
	if secret != "" {
		sealed.SecretSealed = w.Sealer.Seal([]byte(secret))
	}
	return address, w.Store.CreateWebhook(ctx, sealed)
}

// Reveal tells the address and secret of a channel's webhook again; CodeNotFound when there is none of that name.
func (w *Webhooks) Reveal(ctx context.Context, channelID ID, name string) (address, secret string, err error) {
	sealed, err := w.Store.WebhookByName(ctx, channelID, name)
	if err != nil {
		return "", "", err
	}
	a, err := w.Sealer.Open(sealed.AddressSealed)
	if err != nil || sealed.SecretSealed == nil {
		return string(a), "", err
	}
	s, err := w.Sealer.Open(sealed.SecretSealed)
	return string(a), string(s), err
}

// Receive publishes what was posted to a webhook's address. verify is asked when the webhook is a signed one.
func (w *Webhooks) Receive(ctx context.Context, address string, e WebhookEvent, verify WebhookVerifier) (ID, Creation, error) {
	sealed, channel, err := w.Store.WebhookByAddress(ctx, HashSecret(address))
	if err != nil {
		return ID{}, 0, err
	}
	if err := w.verify(sealed, e, verify); err != nil {
		return ID{}, 0, err
	}
	in, err := plainPayload(e.Body)
	if err != nil {
		return ID{}, 0, err
	}
	now := w.Now()
	if err := in.Validate(w.Links, now); err != nil {
		return ID{}, 0, err
	}
	id, creation, err := w.Store.PublishEvent(ctx, sealed.ID, e.ID, newNotification(channel, in, now))
	if err == nil && creation == Created {
		w.Nudge()
	}
	return id, creation, err
}

func (w *Webhooks) verify(sealed SealedWebhook, e WebhookEvent, verify WebhookVerifier) error {
	if sealed.SecretSealed == nil {
		return nil
	}
	secret, err := w.Sealer.Open(sealed.SecretSealed)
	if err != nil {
		return err
	}
	if err := verify(string(secret), e.Body); err != nil {
		return &Error{Code: CodeUnauthenticated, Reason: "signature", Err: err,
			Detail: Text{"The signature is missing, too old or not right.", "A assinatura falta, é antiga ou não está certa."}}
	}
	return nil
}

// plainPayload reads the members of a notification from any JSON object and leaves the others.
func plainPayload(body []byte) (PublishInput, error) {
	var p struct {
		Title, Body, Image, Icon, Link string
		Importance                     Importance
		Data                           map[string]string
	}
	var wrong *json.UnmarshalTypeError
	if err := json.Unmarshal(body, &p); errors.As(err, &wrong) {
		return PublishInput{}, Invalid(FieldError{"#/" + wrong.Field, "type", Text{"is of the wrong type: " + wrong.Value, "é do tipo errado: " + wrong.Value}})
	} else if err != nil {
		return PublishInput{}, Malformed(Text{"The body is not JSON.", "O corpo não é JSON."})
	}
	if p.Importance != "" && p.Importance != Normal && p.Importance != Important {
		return PublishInput{}, Invalid(FieldError{"#/importance", "enum", Text{"is neither normal nor important", "não é normal nem important"}})
	}
	return PublishInput{Title: p.Title, Body: p.Body, Image: p.Image, Icon: p.Icon, Link: p.Link, Importance: p.Importance, Data: p.Data}, nil
}

// Sealer encrypts secrets that must be read again, with a key from the settings.
type Sealer struct{ aead cipher.AEAD }

// NewSealer takes a key of 32 bytes.
func NewSealer(key []byte) (*Sealer, error) {
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	return &Sealer{aead}, err
}

// Seal encrypts.
func (s *Sealer) Seal(plain []byte) []byte { return s.aead.Seal(nil, nil, plain, nil) }

// Open decrypts what Seal made with the same key.
func (s *Sealer) Open(sealed []byte) ([]byte, error) {
	plain, err := s.aead.Open(nil, nil, sealed, nil)
	if err != nil {
		return nil, errors.New("a sealed secret cannot be opened: is SECRET_KEY the one it was made with?")
	}
	return plain, nil
}

// NewSecretKey makes a key for NewSealer.
func NewSecretKey() []byte {
	k := make([]byte, 32)
	_, _ = rand.Read(k)
	return k
}
