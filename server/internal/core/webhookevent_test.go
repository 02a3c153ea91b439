package core_test

import (
	"testing"
	"time"

	"github.com/sininho/sininho/pkg/mend"
	"github.com/sininho/sininho/pkg/rules"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/lab/check"
)

// receive posts a body to a webhook with an id and a header.
func (w *world) receive(to core.Webhook, body string) (core.ReceivedEvent, error) {
	in := core.WebhookEvent{ID: "header", Headers: map[string]string{"a": "b"}, Body: []byte(body)}
	return first(w.webhooks.Receive(w.t.Context(), to, in, nil))
}

func TestReceiveRefuses(t *testing.T) {
	for body, want := range map[string]string{
		`{}`:           "The request has 1 fault. #/title is blank.",
		`{"link":"x"}`: "The request has 1 fault. #/title is blank.",
		`1`:            "The body is not a JSON object.",
	} {
		w := newWorld(t)
		hook, _ := w.webhook(core.WebhookInput{Signing: core.SigningNone})
		e, err := w.receive(hook, body)
		if err == nil {
			t.Errorf("receive %s: got no error", body)
		}
		check.Equal(t, "stored reason for "+body, e.Detail, want)
	}
}

func TestReceivePublishes(t *testing.T) {
	w := newWorld(t)
	hook, _ := w.webhook(core.WebhookInput{Sender: core.SenderGitHub, Signing: core.SigningNone})
	e, err := w.receive(hook, "a title")
	core.Succeed(t, "receive", err)
	n := made(w.Notification(t.Context(), w.channel.ID, *e.NotificationID, nil))
	want := core.ReceivedEvent{ID: "own", Kind: "kind", ReceivedAt: now, Outcome: core.OutcomePublished,
		NotificationID: &n.ID, Payload: []byte("a title"), Headers: map[string]string{"a": "b"},
		Adjusted: mend.Adjustments{{Pointer: "#/link",
			Reason: "was dropped, because it " + rules.NotDestination().EN}}}
	check.Equal(t, "event", e, want)
	check.Equal(t, "notification", []string{n.Title, n.Link, n.Icon},
		[]string{"a title", "", "https://example.com/i.png"})
}

func TestReceiveSkips(t *testing.T) {
	w := newWorld(t)
	hook, _ := w.webhook(core.WebhookInput{Sender: core.SenderGitHub, Signing: core.SigningNone})
	e, err := w.receive(hook, "skip")
	core.Succeed(t, "receive", err)
	check.Equal(t, "event", []any{e.Outcome, e.Detail}, []any{core.OutcomeSkipped, "not now"})
	w.now = now.Add(time.Hour)
	e, err = w.webhooks.Replay(t.Context(), w.owner, "metro", "avisos", hook.ID, "own")
	check.Equal(t, "replay", []any{e.Outcome, e.ReceivedAt, err}, []any{core.OutcomeSkipped, now, nil})
}
