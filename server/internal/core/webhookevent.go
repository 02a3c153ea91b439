package core

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/sininho/sininho/pkg/mend"
)

// WebhookEvent is a payload that a sender posted to a webhook.
type WebhookEvent struct {
	ID      string            // from the header webhook-id; empty without one
	Headers map[string]string // those that describe the event, in lower case; never a credential
	Body    []byte            // a JSON object, of at most MaxPayload bytes unless the event is refused
	Signed  []byte            // the bytes that were posted, which the signature is of; nil for Body

	Adjusted mend.Adjustments // what was changed to read Body
	Cut      bool             // something that was posted is not in Body
}

// posted returns the bytes that the signature is of.
func (e WebhookEvent) posted() []byte {
	if e.Signed != nil {
		return e.Signed
	}
	return e.Body
}

// WebhookOutcome is the result of a webhook event.
type WebhookOutcome string

// The outcomes.
const (
	OutcomePublished WebhookOutcome = "published"
	OutcomeSkipped   WebhookOutcome = "skipped" // its template skips it
	OutcomeRefused   WebhookOutcome = "refused" // it cannot become a notification
)

// ReceivedEvent is the stored record of a webhook event.
type ReceivedEvent struct {
	ID             string // from the sender, or created here
	Kind           string // the sender's name for this kind of event
	ReceivedAt     time.Time
	Outcome        WebhookOutcome
	NotificationID *ID    // set if it was published
	Detail         string // why it was not published, in English
	Payload        []byte // nil if not kept; not set in lists
	Adjusted       mend.Adjustments
	BodyHash       []byte // of a body that publishes only once, whatever the id; not set when read
	Headers        map[string]string
}

// EventsKept is how long webhook events are kept, and therefore how long a repeated event is recognized.
const EventsKept = 30 * 24 * time.Hour

// bodyHash returns the hash of a body whose signature does not cover the event's id, and otherwise nil: anyone who has
// seen such an event can send it again under another id.
func (e WebhookEvent) bodyHash(to Webhook) []byte {
	if to.Signing != SigningGitHub && to.Signing != SigningSentry {
		return nil
	}
	sum := sha256.Sum256(e.posted())
	return sum[:]
}

// EventStore keeps webhook events.
type EventStore interface {
	// KeepEvent stores an event that is not published. An event that was published before is returned as it was, with
	// Replayed.
	KeepEvent(ctx context.Context, webhookID ID, e ReceivedEvent) (ReceivedEvent, Creation, error)
	// Event returns one event; it fails with CodeNotFound when there is none.
	Event(ctx context.Context, webhookID ID, eventID string) (ReceivedEvent, error)
	// Events returns the events of a webhook, newest first, without payloads and headers.
	Events(ctx context.Context, webhookID ID, page Page) (data []ReceivedEvent, total int64, err error)
}

// WebhookVerifier returns an error unless the request was signed with one of the secrets. An *Error is for the sender,
// who has signed the request; the reason of any other would help only a forger.
type WebhookVerifier func(secrets []string) error

// Find returns the webhook with an address; it fails with CodeNotFound when there is none, and with CodeForbidden when
// its channel is suspended.
func (w *Webhooks) Find(ctx context.Context, address string) (Webhook, error) {
	sealed, channel, err := w.store.WebhookByAddress(ctx, HashSecret(address))
	if err != nil {
		return Webhook{}, err
	}
	if channel.Suspended { // the sender may be a stranger, to whom the reason is not shown
		return Webhook{}, &Error{Code: CodeForbidden, Reason: reasonSuspended,
			Detail: Text{EN: "The channel is suspended.", PT: "O canal está suspenso."}}
	}
	found := sealed.webhook(channel)
	found.PublisherID, found.AccountID = sealed.PublisherID, sealed.AccountID
	found.Secrets, err = w.secrets(sealed)
	return found, err
}

// secrets returns the secrets that are valid now.
func (w *Webhooks) secrets(sealed SealedWebhook) ([]string, error) {
	good := [][]byte{sealed.SecretSealed}
	if sealed.PreviousUntil != nil && w.now().Before(*sealed.PreviousUntil) {
		good = append(good, sealed.PreviousSealed)
	}
	var secrets []string
	for _, s := range good {
		if s == nil {
			continue
		}
		secret, err := w.sealer.Open(s)
		if err != nil {
			return nil, err
		}
		secrets = append(secrets, string(secret))
	}
	return secrets, nil
}

// Receive publishes an event for a webhook that Find returned. It calls verify only for a signed webhook. An event with
// a valid signature is kept even if it cannot be published.
func (w *Webhooks) Receive(
	ctx context.Context, to Webhook, e WebhookEvent, verify WebhookVerifier,
) (ReceivedEvent, Creation, error) {
	if err := to.check(verify); err != nil {
		return ReceivedEvent{}, 0, err
	}
	received, in, fault := w.render(ctx, to, e)
	received, creation, err := w.settle(ctx, to, received, in)
	err = repeatable(err)
	if err == nil && received.Outcome == OutcomeRefused {
		err = fault
	}
	return received, creation, err
}

// Refuse keeps an event that was found invalid before Receive could handle it. It returns an error for an invalid
// signature, otherwise fault.
func (w *Webhooks) Refuse(ctx context.Context, to Webhook, e WebhookEvent, verify WebhookVerifier, fault error) error {
	if err := to.check(verify); err != nil {
		return err
	}
	received, _, _ := w.render(ctx, to, e) // only for its id and kind: the outcome is known
	received.Outcome, received.Detail = OutcomeRefused, reason(fault)
	if _, _, err := w.store.KeepEvent(ctx, to.ID, received); err != nil {
		return repeatable(err)
	}
	return fault
}

// Event returns one event of a webhook.
func (w *Webhooks) Event(
	ctx context.Context, caller Caller, publisherSlug, slug string, id ID, eventID string,
) (ReceivedEvent, error) {
	found, err := w.Get(ctx, caller, publisherSlug, slug, id)
	if err != nil {
		return ReceivedEvent{}, err
	}
	return w.store.Event(ctx, found.ID, eventID)
}

// Replay renders an event with its webhook's current settings, and publishes it unless it was published before.
func (w *Webhooks) Replay(
	ctx context.Context, caller Caller, publisherSlug, slug string, id ID, eventID string,
) (ReceivedEvent, error) {
	to, err := w.Get(ctx, caller, publisherSlug, slug, id)
	if err != nil {
		return ReceivedEvent{}, err
	}
	was, err := w.store.Event(ctx, to.ID, eventID)
	if err != nil || was.Outcome == OutcomePublished {
		return was, err
	}
	if err := checkNotSuspended(ctx, w.store, to.Channel); err != nil {
		return was, err
	}
	if was.Payload == nil {
		return was, &Error{
			Code: CodeInvalid, Reason: "not_kept",
			Detail: Text{
				EN: "The payload of this event was not kept.", PT: "O conteúdo deste evento não foi guardado.",
			},
		}
	}
	again, in, _ := w.render(ctx, to, WebhookEvent{Headers: was.Headers, Body: was.Payload})
	for _, each := range was.Adjusted {
		if !strings.HasPrefix(each.Pointer, "#") { // of the payload, which is not read again
			again.Adjusted = append(again.Adjusted, each)
		}
	}
	again.ID = was.ID
	again.ReceivedAt = was.ReceivedAt
	again.Payload = was.Payload
	again, _, err = w.settle(ctx, to, again, in)
	return again, err
}

// settle publishes or stores a rendered event.
func (w *Webhooks) settle(
	ctx context.Context, to Webhook, e ReceivedEvent, in PublishInput,
) (ReceivedEvent, Creation, error) {
	if e.Outcome != OutcomePublished {
		return w.store.KeepEvent(ctx, to.ID, e)
	}
	return w.writer.PublishEvent(ctx, to.ID, e, newNotification(to.Channel, in, w.now()))
}

// id returns the event's id. Standard Webhooks signs the header, so it comes before own, the rendered id; for other
// methods own comes first. Without either, id returns a new one.
func (e WebhookEvent) id(to Webhook, own string) string {
	if own != "" && e.Cut { // own may be made of what is left
		own += "-" + mend.Digest(string(e.posted()))
	}
	if to.Signing == SigningStandard {
		return cmp.Or(e.ID, own, NewID().String())
	}
	return cmp.Or(own, e.ID, NewID().String())
}

// MaxPayload is the maximum size in bytes of what is read of a payload.
const MaxPayload = 256 << 10

// Anyone can post to an unsigned webhook, so its longer payloads are not kept.
const maxUnsignedKept = 32 << 10

// kept returns the payload for display and replay, or nil if it must not be kept: it is too long, is not valid text for
// the database, or was posted to a demonstration channel, where anyone can post.
func (e WebhookEvent) kept(to Webhook) []byte {
	limit := MaxPayload
	if !to.Signed() {
		limit = maxUnsignedKept
	}
	if to.Channel.Demonstration || len(e.Body) > limit || !utf8.Valid(e.Body) ||
		strings.ContainsRune(string(e.Body), 0) {
		return nil
	}
	return e.Body
}

func (w Webhook) check(verify WebhookVerifier) error {
	if !w.Signed() {
		return nil
	}
	err := verify(w.Secrets)
	if _, forSender := errors.AsType[*Error](err); err == nil || forSender {
		return err
	}
	return &Error{
		Code: CodeUnauthenticated, Reason: "signature", Err: err,
		Detail: Text{
			EN: "The signature is missing, too old or wrong.", PT: "A assinatura falta, é antiga ou está errada.",
		},
	}
}

const maxReason = 1000

// reason returns a fault as a text that can be stored.
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

// oneLine replaces what the database cannot store and truncates s to maxReason characters, because s may quote the
// sender.
func oneLine(s string) string {
	s = strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "\uFFFD")
	if utf8.RuneCountInString(s) > maxReason {
		s = string([]rune(s)[:maxReason])
	}
	return s
}
