package core

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/sininho/sininho/pkg/mend"
	"github.com/sininho/sininho/pkg/rules"
	"github.com/sininho/sininho/server/lab/check"
)

func TestReceiveRefuses(t *testing.T) {
	bad := func([]string) error { return errors.New("bad") }
	good := func([]string) error { return nil }
	for name, test := range map[string]struct {
		verify     WebhookVerifier
		body, want string
	}{
		"a bad signature": {bad, `{"title":"x"}`, ""},
		"no title":        {good, `{}`, "The request has 1 fault. #/title is blank."},
		"only a link":     {good, `{"link":"x"}`, "The request has 1 fault. #/title is blank."},
		"not an object":   {good, `1`, "The body is not a JSON object."},
	} {
		store := &webhookStore{}
		w := newWebhooks(t, store, time.Now)
		to, e := Webhook{Sender: SenderPlain}, WebhookEvent{Body: []byte(test.body)}
		if _, _, err := w.Receive(t.Context(), to, e, test.verify); err == nil {
			t.Errorf("receive an event with %s: got no error", name)
		}
		check.Equal(t, "stored reason for an event with "+name, store.refused, test.want)
	}
}

func TestStoredReasonIsTruncated(t *testing.T) {
	got := reason(Invalid(FieldError{Pointer: strings.Repeat("é", 2*maxReason)}))
	check.Equal(t, "characters of the reason", utf8.RuneCountInString(got), maxReason)
}

// receiver is an unsigned webhook of GitHub, with its service, store and clock.
type receiver struct {
	*Webhooks
	hook  Webhook
	store *webhookStore
	now   time.Time
}

func newReceiver(t *testing.T) *receiver {
	t.Helper()
	r := &receiver{store: &webhookStore{}, now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	r.Webhooks = newWebhooks(t, r.store, func() time.Time { return r.now })
	r.hook, _ = createWebhook(t, r.Webhooks, WebhookInput{Name: "w", Sender: SenderGitHub, Signing: SigningNone})
	return r
}

func (r *receiver) receive(t *testing.T, body string) (ReceivedEvent, error) {
	t.Helper()
	in := WebhookEvent{ID: "header", Headers: map[string]string{"a": "b"}, Body: []byte(body)}
	e, _, err := r.Receive(t.Context(), r.hook, in, nil)
	return e, err
}

func (r *receiver) replay(t *testing.T) (ReceivedEvent, error) {
	t.Helper()
	return r.Replay(t.Context(), webhookOwner, "p", "c", r.hook.ID, "own")
}

func TestReceivePublishes(t *testing.T) {
	r := newReceiver(t)
	e, err := r.receive(t, "a title")
	Succeed(t, "receive", err)
	if len(r.store.published) != 1 {
		t.Fatalf("published notifications: got %+v, want one", r.store.published)
	}
	n := r.store.published[0]
	want := ReceivedEvent{ID: "own", Kind: "kind", ReceivedAt: r.now, Outcome: OutcomePublished, NotificationID: &n.ID,
		Payload: []byte("a title"), Headers: map[string]string{"a": "b"}, Adjusted: mend.Adjustments{{Pointer: "#/link",
			Reason: "was dropped, because it " + rules.NotDestination().EN}}}
	check.Equal(t, "event", e, want)
	check.Equal(t, "title", n.Title, "a title")
	check.Equal(t, "link, which is not allowed", n.Link, "")
	check.Equal(t, "icon", n.Icon, "https://example.com/i.png")

	again, err := r.replay(t)
	Succeed(t, "replay a published event", err)
	check.Equal(t, "notification of the replayed event", again.NotificationID, e.NotificationID)
	check.Equal(t, "published notifications after the replay", len(r.store.published), 1)
}

func TestReceiveSkips(t *testing.T) {
	r := newReceiver(t)
	received := r.now
	e, err := r.receive(t, "skip")
	Succeed(t, "receive", err)
	check.Equal(t, "outcome", e.Outcome, OutcomeSkipped)
	check.Equal(t, "detail", e.Detail, "not now")
	r.now = r.now.Add(time.Hour)
	e, err = r.replay(t)
	Succeed(t, "replay", err)
	check.Equal(t, "outcome of the replay", e.Outcome, OutcomeSkipped)
	check.Equal(t, "time of the replayed event", e.ReceivedAt, received)
}

func TestReceiveStoresRefusedEvents(t *testing.T) {
	r := newReceiver(t)
	_, err := r.receive(t, "fail")
	CheckCode(t, "receive an event whose template fails", err, CodeMalformed)
	check.Equal(t, "outcome of an event whose template fails", r.store.event.Outcome, OutcomeRefused)
	check.Equal(t, "reason for an event whose template fails", r.store.refused, "It is broken.")
	_, err = r.receive(t, " ")
	CheckCode(t, "receive an event without a title", err, CodeInvalid)
	if want := "#/title is blank"; !strings.Contains(r.store.refused, want) {
		t.Errorf("reason for an event without a title: got %q, want %q in it", r.store.refused, want)
	}
	r.store.event = ReceivedEvent{ID: "own", Outcome: OutcomeRefused}
	_, err = r.replay(t)
	CheckCode(t, "replay an event without its payload", err, CodeInvalid)
}

func TestShortUnsignedPayloadsAreKept(t *testing.T) {
	r := newReceiver(t)
	for body, want := range map[string]bool{
		"\xff": false, "a\x00": false,
		strings.Repeat("a", maxUnsignedKept): true, strings.Repeat("a", maxUnsignedKept+1): false,
	} {
		_, _ = r.receive(t, body) // also an invalid event is stored
		what := fmt.Sprintf("whether %d bytes that begin with %.5q are kept", len(body), body)
		check.Equal(t, what, r.store.event.Payload != nil, want)
	}
}

func TestEventID(t *testing.T) {
	r := newReceiver(t)
	signed := Webhook{Signing: SigningStandard, Sender: SenderGitHub}
	good := func([]string) error { return nil }
	e, _, err := r.Receive(t.Context(), signed, WebhookEvent{ID: "signed", Body: []byte("x")}, good)
	Succeed(t, "receive a signed event", err)
	check.Equal(t, "id from the signed header", e.ID, "signed")
	_, err = r.receive(t, "x")
	Succeed(t, "receive an unsigned event", err)
	check.Equal(t, "id from the payload", r.store.event.ID, "own")
}

// TestBodyHashIsOfWhatWasSigned reads one signed body in two ways, by headers that no signature covers.
func TestBodyHashIsOfWhatWasSigned(t *testing.T) {
	to := Webhook{Signing: SigningGitHub}
	one := WebhookEvent{Signed: []byte("signed"), Body: []byte(`{"title":"a"}`)}.bodyHash(to)
	other := WebhookEvent{Signed: []byte("signed"), Body: []byte(`{"title":"b"}`)}.bodyHash(to)
	check.Equal(t, "hash of the same signed body, read in another way", other, one)
}
