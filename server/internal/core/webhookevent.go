package core

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"
	"unicode/utf8"
)

// WebhookEvent is something a sender posted.
type WebhookEvent struct {
	ID   string // the sender's; empty when it gave none
	Body []byte
}

// ReceivedEvent is what is kept of an event.
type ReceivedEvent struct {
	ID             string // the sender's, or one made here
	ReceivedAt     time.Time
	NotificationID *ID    // nil: it was refused
	Detail         string // why it was refused, in English
}

// EventsKept is how long events are kept, and so how long one that is sent again is recognized.
const EventsKept = 30 * 24 * time.Hour

// EventStore keeps what webhooks received.
type EventStore interface {
	// PublishEvent stores the notification and the event in one commit. An event that was published before answers its
	// notification's id and Replayed; one that was refused before is replaced.
	PublishEvent(ctx context.Context, webhookID ID, eventID string, n Notification, now time.Time) (ID, Creation, error)
	// RefuseEvent keeps an event and why it was refused, unless one with its id was published.
	RefuseEvent(ctx context.Context, webhookID ID, eventID, detail string, now time.Time) error
	// Events answers what the webhook received, newest first.
	Events(ctx context.Context, webhookID ID, page Page) (data []ReceivedEvent, total int64, err error)
}

// WebhookVerifier checks an event's signature: it must be by one of the secrets.
type WebhookVerifier func(secrets []string, body []byte) error

// Find looks a webhook up by its address; CodeNotFound when there is none.
func (w *Webhooks) Find(ctx context.Context, address string) (Webhook, error) {
	sealed, channel, err := w.Store.WebhookByAddress(ctx, HashSecret(address))
	if err != nil {
		return Webhook{}, err
	}
	found := sealed.webhook(channel)
	found.Secrets, err = w.secrets(sealed)
	return found, err
}

// secrets are those that are good now.
func (w *Webhooks) secrets(sealed SealedWebhook) ([]string, error) {
	good := [][]byte{sealed.SecretSealed}
	if sealed.PreviousUntil != nil && w.Now().Before(*sealed.PreviousUntil) {
		good = append(good, sealed.PreviousSealed)
	}
	var secrets []string
	for _, s := range good {
		if s == nil {
			continue
		}
		secret, err := w.Sealer.Open(s)
		if err != nil {
			return nil, err
		}
		secrets = append(secrets, string(secret))
	}
	return secrets, nil
}

// Receive publishes what was posted to a webhook that Find found. verify is asked when the webhook is a signed one. What
// is well signed and yet no notification is kept too.
func (w *Webhooks) Receive(ctx context.Context, to Webhook, e WebhookEvent, verify WebhookVerifier) (ID, Creation, error) {
	if err := to.check(e, verify); err != nil {
		return ID{}, 0, err
	}
	now := w.Now()
	in, err := plainPayload(e.Body)
	if err == nil {
		err = in.Validate(w.Links, now)
	}
	if err != nil {
		return ID{}, 0, w.refused(ctx, to, e, err)
	}
	id, creation, err := w.Store.PublishEvent(ctx, to.ID, e.id(), newNotification(to.Channel, in, now), now)
	if err == nil && creation == Created {
		w.Nudge()
	}
	return id, creation, err
}

// Refuse keeps an event that has been found not to be a notification before Receive could see it, and answers why: that
// its signature is not good, or else fault.
func (w *Webhooks) Refuse(ctx context.Context, to Webhook, e WebhookEvent, verify WebhookVerifier, fault error) error {
	if err := to.check(e, verify); err != nil {
		return err
	}
	return w.refused(ctx, to, e, fault)
}

// refused keeps an event with its fault, which it answers.
func (w *Webhooks) refused(ctx context.Context, to Webhook, e WebhookEvent, fault error) error {
	if err := w.Store.RefuseEvent(ctx, to.ID, e.id(), reason(fault), w.Now()); err != nil {
		return err
	}
	return fault
}

// id is the sender's, or a new one.
func (e WebhookEvent) id() string { return cmp.Or(e.ID, NewID().String()) }

func (w Webhook) check(e WebhookEvent, verify WebhookVerifier) error {
	if !w.Signed {
		return nil
	}
	if err := verify(w.Secrets, e.Body); err != nil {
		return &Error{Code: CodeUnauthenticated, Reason: "signature", Err: err,
			Detail: Text{"The signature is missing, too old or not right.", "A assinatura falta, é antiga ou não está certa."}}
	}
	return nil
}

const maxReason = 1000

// reason is a fault in one line that can be kept.
func reason(fault error) string {
	var e *Error
	if !errors.As(fault, &e) {
		return "It could not be read."
	}
	s := e.Detail.EN
	for _, f := range e.Fields {
		s += " " + f.Pointer + " " + f.Detail.EN + "."
	}
	s = strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "\uFFFD") // it may quote the sender
	if utf8.RuneCountInString(s) > maxReason {
		s = string([]rune(s)[:maxReason])
	}
	return s
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
