package core

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"encoding/json"
	"errors"
	"strings"
	"time"
)

// Webhook is an inbound address that publishes to one channel.
type Webhook struct {
	ID      ID
	Name    string
	Channel ChannelRef
	Secret  string // empty: unsigned, by the owner's choice
}

// Signed reports whether the webhook takes only what its secret signed.
func (w Webhook) Signed() bool { return w.Secret != "" }

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

// Find looks a webhook up by its address; CodeNotFound when there is none.
func (w *Webhooks) Find(ctx context.Context, address string) (Webhook, error) {
	sealed, channel, err := w.Store.WebhookByAddress(ctx, HashSecret(address))
	if err != nil {
		return Webhook{}, err
	}
	found := Webhook{ID: sealed.ID, Name: sealed.Name, Channel: channel}
	if sealed.SecretSealed == nil {
		return found, nil
	}
	secret, err := w.Sealer.Open(sealed.SecretSealed)
	found.Secret = string(secret)
	return found, err
}

// Receive publishes what was posted to a webhook that Find found. verify is asked when the webhook is a signed one.
func (w *Webhooks) Receive(ctx context.Context, to Webhook, e WebhookEvent, verify WebhookVerifier) (ID, Creation, error) {
	if err := to.check(e, verify); err != nil {
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
	id, creation, err := w.Store.PublishEvent(ctx, to.ID, e.ID, newNotification(to.Channel, in, now))
	if err == nil && creation == Created {
		w.Nudge()
	}
	return id, creation, err
}

func (w Webhook) check(e WebhookEvent, verify WebhookVerifier) error {
	if !w.Signed() {
		return nil
	}
	if err := verify(w.Secret, e.Body); err != nil {
		return &Error{Code: CodeUnauthenticated, Reason: "signature", Err: err,
			Detail: Text{"The signature is missing, too old or not right.", "A assinatura falta, é antiga ou não está certa."}}
	}
	return nil
}

// plainPayload reads the members of a notification from any JSON object and leaves the others.
func plainPayload(body []byte) (PublishInput, error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(body, &members); err != nil {
		return PublishInput{}, Malformed(Text{"The body is not a JSON object.", "O corpo não é um objeto JSON."})
	}
	var f faults
	text := func(name string) string { return f.readText("#/"+name, members[name]) }
	in := PublishInput{Title: text("title"), Body: text("body"), Image: text("image"), Icon: text("icon"), Link: text("link"),
		Importance: Importance(text("importance")), Data: f.readTexts("#/data", members["data"])}
	if in.Importance != "" && in.Importance != Normal && in.Importance != Important {
		f.add("#/importance", "enum", Text{"is neither normal nor important", "não é normal nem important"})
	}
	return in, f.err()
}

// readText reads a text; what is missing or null is an empty one.
func (f *faults) readText(pointer string, raw json.RawMessage) (s string) {
	if raw != nil && json.Unmarshal(raw, &s) != nil {
		f.add(pointer, "type", Text{"is not a text", "não é um texto"})
	}
	return s
}

// readTexts reads an object of texts.
func (f *faults) readTexts(pointer string, raw json.RawMessage) map[string]string {
	var members map[string]json.RawMessage
	if raw != nil && json.Unmarshal(raw, &members) != nil {
		f.add(pointer, "type", Text{"is not an object", "não é um objeto"})
	}
	texts := make(map[string]string, len(members))
	for name, member := range members {
		texts[name] = f.readText(pointer+"/"+escapePointer.Replace(name), member)
	}
	return texts
}

var escapePointer = strings.NewReplacer("~", "~0", "/", "~1")

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
