package core

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"time"
	"unicode/utf8"
)

// WebhookEvent is something a sender posted.
type WebhookEvent struct {
	ID      string            // of its header webhook-id; empty without one
	Headers map[string]string // those that tell what it is, in lower case; never a credential
	Body    []byte            // JSON; it may have come in a form, and is not what was signed then
}

// WebhookOutcome is what came of an event.
type WebhookOutcome string

// The outcomes.
const (
	OutcomePublished WebhookOutcome = "published"
	OutcomeSkipped   WebhookOutcome = "skipped" // its template has no notification for it
	OutcomeRefused   WebhookOutcome = "refused" // no notification can be made of it
)

// ReceivedEvent is what is kept of an event.
type ReceivedEvent struct {
	ID             string // the sender's, or one made here
	Kind           string // what the sender says it is
	ReceivedAt     time.Time
	Outcome        WebhookOutcome
	NotificationID *ID    // when it was published
	Detail         string // why it was not, in English
	Payload        []byte // nil: not kept; not told in lists
	Headers        map[string]string
}

// EventsKept is how long events are kept, and so how long one that is sent again is recognized.
const EventsKept = 30 * 24 * time.Hour

// EventStore keeps what webhooks received.
type EventStore interface {
	// PublishEvent stores the notification and the event in one commit, and answers the event with its notification's id.
	// One that was published before is answered as it was, and Replayed; one that was not is replaced. With an external
	// id that the channel has, the event gets the notification that has it, and Existing.
	PublishEvent(ctx context.Context, webhookID ID, e ReceivedEvent, n Notification) (ReceivedEvent, Creation, error)
	// KeepEvent keeps an event that is not published. One that was published before is answered as it was, and Replayed.
	KeepEvent(ctx context.Context, webhookID ID, e ReceivedEvent) (ReceivedEvent, Creation, error)
	// Event finds one; CodeNotFound when there is none.
	Event(ctx context.Context, webhookID ID, eventID string) (ReceivedEvent, error)
	// Events answers what the webhook received, newest first, without payloads and headers.
	Events(ctx context.Context, webhookID ID, page Page) (data []ReceivedEvent, total int64, err error)
}

// WebhookVerifier checks the signature of what was posted: it must be by one of the secrets.
type WebhookVerifier func(secrets []string) error

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
func (w *Webhooks) Receive(ctx context.Context, to Webhook, e WebhookEvent, verify WebhookVerifier) (ReceivedEvent, Creation, error) {
	if err := to.check(verify); err != nil {
		return ReceivedEvent{}, 0, err
	}
	received, in, fault := w.render(ctx, to, e)
	received, creation, err := w.settle(ctx, to, received, in)
	if err == nil && received.Outcome == OutcomeRefused {
		err = fault
	}
	return received, creation, err
}

// Refuse keeps an event that has been found not to be a notification before Receive could see it, and answers why: that
// its signature is not good, or else fault.
func (w *Webhooks) Refuse(ctx context.Context, to Webhook, e WebhookEvent, verify WebhookVerifier, fault error) error {
	if err := to.check(verify); err != nil {
		return err
	}
	received, _, _ := w.render(ctx, to, e) // for its id and kind: what comes of it is settled
	received.Outcome, received.Detail = OutcomeRefused, reason(fault)
	if _, _, err := w.Store.KeepEvent(ctx, to.ID, received); err != nil {
		return err
	}
	return fault
}

// Event answers one of the events of a webhook.
func (w *Webhooks) Event(ctx context.Context, caller Caller, publisherSlug, slug string, id ID, eventID string) (ReceivedEvent, error) {
	found, err := w.Get(ctx, caller, publisherSlug, slug, id)
	if err != nil {
		return ReceivedEvent{}, err
	}
	return w.Store.Event(ctx, found.ID, eventID)
}

// Replay renders an event with its webhook as it is now, and publishes it unless it was published before.
func (w *Webhooks) Replay(ctx context.Context, caller Caller, publisherSlug, slug string, id ID, eventID string) (ReceivedEvent, error) {
	to, err := w.Get(ctx, caller, publisherSlug, slug, id)
	if err != nil {
		return ReceivedEvent{}, err
	}
	was, err := w.Store.Event(ctx, to.ID, eventID)
	if err != nil || was.Outcome == OutcomePublished {
		return was, err
	}
	if was.Payload == nil {
		return was, &Error{Code: CodeInvalid, Reason: "not_kept", Detail: Text{"The payload of this event was not kept.", "O conteúdo deste evento não foi guardado."}}
	}
	again, in, _ := w.render(ctx, to, WebhookEvent{Headers: was.Headers, Body: was.Payload})
	again.ID, again.ReceivedAt, again.Payload = was.ID, was.ReceivedAt, was.Payload
	again, _, err = w.settle(ctx, to, again, in)
	return again, err
}

// settle publishes or keeps an event that was rendered.
func (w *Webhooks) settle(ctx context.Context, to Webhook, e ReceivedEvent, in PublishInput) (ReceivedEvent, Creation, error) {
	if e.Outcome != OutcomePublished {
		return w.Store.KeepEvent(ctx, to.ID, e)
	}
	e, creation, err := w.Store.PublishEvent(ctx, to.ID, e, newNotification(to.Channel, in, w.Now()))
	if err == nil && creation == Created {
		w.Nudge()
	}
	return e, creation, err
}

// id is the one that the sender gave and, where it signs as Standard Webhooks, has signed; or a new one.
func (e WebhookEvent) id(to Webhook, own string) string {
	if to.Signing == SigningStandard {
		return cmp.Or(e.ID, own, NewID().String())
	}
	return cmp.Or(own, e.ID, NewID().String())
}

// MaxPayload is how many bytes an event may have.
const MaxPayload = 256 << 10

// Anyone can fill what is kept of an unsigned webhook, so that its long payloads are not.
const maxUnsignedKept = 32 << 10

// kept is what is kept of the payload, to be seen and replayed: nil for what no text column takes, and for what strangers
// post to a demonstration channel.
func (e WebhookEvent) kept(to Webhook) []byte {
	limit := MaxPayload
	if !to.Signed() {
		limit = maxUnsignedKept
	}
	if to.Channel.Demonstration || len(e.Body) > limit || !utf8.Valid(e.Body) || strings.ContainsRune(string(e.Body), 0) {
		return nil
	}
	return e.Body
}

func (w Webhook) check(verify WebhookVerifier) error {
	if !w.Signed() {
		return nil
	}
	if err := verify(w.Secrets); err != nil {
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
	return oneLine(s)
}

// oneLine makes a reason what can be kept: it may quote the sender.
func oneLine(s string) string {
	s = strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "\uFFFD")
	if utf8.RuneCountInString(s) > maxReason {
		s = string([]rune(s)[:maxReason])
	}
	return s
}
