package core_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/lab/check"
	"github.com/sininho/sininho/server/lab/memory"
)

// endedSuspension is a store in which suspensions end as soon as they were seen.
type endedSuspension struct{ *memory.Store }

func (endedSuspension) ChannelSuspension(context.Context, core.ID) (core.Suspendable, core.Suspension, error) {
	return "", core.Suspension{}, core.NotFound()
}

func TestWebhooks(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	in := core.WebhookInput{Name: "w", Sender: core.SenderGitHub}
	h, secret, creation, err := w.webhooks.Create(t.Context(), w.owner, "metro", "avisos", in, key("k", ""))
	check.Equal(t, "creation", []any{secret != "", creation, err}, []any{true, core.Created, nil})
	check.Equal(t, "webhook", h, core.Webhook{ID: h.ID, Name: "w", Channel: w.channel, Signing: core.SigningGitHub,
		Sender: core.SenderGitHub, Address: h.Address, CreatedAt: now, UpdatedAt: now})
	again, secret, creation, err := w.webhooks.Create(t.Context(), w.owner, "metro", "avisos", in, key("k", ""))
	check.Equal(t, "repeated creation", []any{again.Address, secret, creation, err},
		[]any{h.Address, "", core.Replayed, nil})
	found, err := w.webhooks.Find(t.Context(), h.Address)
	core.Succeed(t, "find", err)
	check.Equal(t, "account of the webhook", found.AccountID, w.owner.SubscriberID)
	check.Equal(t, "found webhook", []any{found.Address, len(found.Secrets), found.Signed()}, []any{"", 1, true})
	w.Caps[core.CapWebhooks] = 1
	_, _, _, err = w.webhooks.Create(t.Context(), w.owner, "metro", "avisos", in, noKey)
	check.Equal(t, "reason against one too many", reasonOf(err), "too_many")
	w.now = now.Add(time.Hour)
	patch := core.WebhookPatch{Sender: new(core.SenderPlain),
		Template: core.Patch[core.WebhookTemplate]{Set: true, Value: &core.WebhookTemplate{Title: "T"}}}
	got, err := w.webhooks.Update(t.Context(), w.owner, "metro", "avisos", h.ID, patch, &now)
	check.Equal(t, "changed webhook", []any{got.Name, got.Sender, got.Template, got.Version(), err},
		[]any{"w", core.SenderPlain, patch.Template.Value, w.now, nil})
	_, err = w.webhooks.Update(t.Context(), w.owner, "metro", "avisos", h.ID, patch, &now)
	core.CheckCode(t, "update another version", err, core.CodeChanged)
	patch.Template.Value = &core.WebhookTemplate{Title: "bad"}
	_, err = w.webhooks.Update(t.Context(), w.owner, "metro", "avisos", h.ID, patch, nil)
	core.CheckCode(t, "update with a bad template", err, core.CodeInvalid)
	list, total, err := w.webhooks.List(t.Context(), w.owner, "metro", "avisos", core.Page{})
	check.Equal(t, "list", []any{list[0].Address, total, err}, []any{h.Address, int64(1), nil})
	_, secret, creation, err = w.webhooks.Rotate(t.Context(), w.owner, "metro", "avisos", h.ID,
		core.WebhookRotation{What: core.RotateSecret}, key("r", ""))
	check.Equal(t, "rotation", []any{secret != "", creation, err}, []any{true, core.Created, nil})
	_, secret, creation, err = w.webhooks.Rotate(t.Context(), w.owner, "metro", "avisos", h.ID,
		core.WebhookRotation{What: core.RotateSecret}, key("r", ""))
	check.Equal(t, "repeated rotation", []any{secret, creation, err}, []any{"", core.Replayed, nil})
	w.suspend()
	_, err = w.webhooks.Find(t.Context(), h.Address)
	check.Equal(t, "reason against the webhook of a suspended channel", reasonOf(err), "suspended")
	core.CheckCode(t, "delete another version", w.webhooks.Delete(t.Context(), w.owner, "metro", "avisos", h.ID, &now),
		core.CodeChanged)
	core.CheckCode(t, "delete", w.webhooks.Delete(t.Context(), w.owner, "metro", "avisos", h.ID, nil), "")
	_, err = w.webhooks.Find(t.Context(), h.Address)
	core.CheckCode(t, "find a deleted one", err, core.CodeNotFound)
}

func TestEnsureWebhook(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, secret := range []string{"", "whsec_given"} {
		name := "with the secret " + secret
		address, err := core.EnsureWebhook(t.Context(), w, testSealer, w.channel.ID, name, secret, now)
		core.Succeed(t, "create it", err)
		again, err := core.EnsureWebhook(t.Context(), w, testSealer, w.channel.ID, name, "another", now)
		check.Equal(t, "its address", []any{again, err}, []any{address, nil})
		found, err := w.webhooks.Find(t.Context(), address)
		check.Equal(t, "its secrets", []any{strings.Join(found.Secrets, " "), found.Signed(), err},
			[]any{secret, secret != "", nil})
	}
	_, err := core.EnsureWebhook(t.Context(), w, testSealer, core.NewID(), "n", "", now)
	core.CheckCode(t, "a webhook of no channel", err, core.CodeNotFound)
}

// TestReceive posts events, and replays them.
func TestReceive(t *testing.T) {
	t.Parallel()
	good := func([]string) error { return nil }
	for name, c := range map[string]struct {
		in      core.WebhookInput
		event   core.WebhookEvent
		verify  core.WebhookVerifier
		outcome core.WebhookOutcome
		reason  string
	}{
		"published": {core.WebhookInput{}, core.WebhookEvent{Body: []byte(`{"title":"t"}`)}, good, core.OutcomePublished, ""},
		"unsigned": {core.WebhookInput{Signing: core.SigningNone}, core.WebhookEvent{Body: []byte(`{"title":"t"}`)}, nil,
			core.OutcomePublished, ""},
		"forged": {core.WebhookInput{}, core.WebhookEvent{Body: []byte(`{"title":"t"}`)},
			func([]string) error { return errors.New("forged") }, "", "signature"},
		"too old": {core.WebhookInput{}, core.WebhookEvent{Body: []byte(`{"title":"t"}`)},
			func([]string) error { return core.Malformed(core.Text{EN: "old"}) }, "", "malformed"},
		"without a title": {core.WebhookInput{}, core.WebhookEvent{Body: []byte(`{}`)}, good, core.OutcomeRefused, "invalid"},
		"no object":       {core.WebhookInput{}, core.WebhookEvent{Body: []byte(`null`)}, good, core.OutcomeRefused, "malformed"},
		"skipped": {core.WebhookInput{Sender: core.SenderGitHub}, core.WebhookEvent{Body: []byte("skip")}, good,
			core.OutcomeSkipped, ""},
		"broken": {core.WebhookInput{Sender: core.SenderGitHub}, core.WebhookEvent{Body: []byte("fail")}, good,
			core.OutcomeRefused, "malformed"},
	} {
		w := newWorld(t)
		h, _ := w.webhook(c.in)
		to := made(w.webhooks.Find(t.Context(), h.Address))
		got, creation, err := w.webhooks.Receive(t.Context(), to, c.event, c.verify)
		check.Equal(t, "an event that is "+name, []any{got.Outcome, reasonOf(err)}, []any{c.outcome, c.reason})
		all, total, listErr := w.webhooks.Events(t.Context(), w.owner, "metro", "avisos", h.ID, core.Page{})
		check.Equal(t, "events that are kept of one that is "+name, []any{total > 0, listErr}, []any{c.outcome != "", nil})
		if c.outcome == "" {
			continue
		}
		check.Equal(t, "creation of an event that is "+name, creation, core.Created)
		check.Equal(t, "payload in the list", all[0].Payload, nil)
		kept, err := w.webhooks.Event(t.Context(), w.owner, "metro", "avisos", h.ID, got.ID)
		check.Equal(t, "payload of an event that is "+name, []any{string(kept.Payload), err}, []any{string(c.event.Body), nil})
		again, err := w.webhooks.Replay(t.Context(), w.owner, "metro", "avisos", h.ID, got.ID)
		check.Equal(t, "replay of an event that is "+name, []any{again.Outcome, err}, []any{c.outcome, nil})
		page := made(w.notifications.List(t.Context(), w.visitor, "metro", "avisos", core.Page{}))
		check.Equal(t, "notifications of an event that is "+name, page.Total > 0, c.outcome == core.OutcomePublished)
	}
}

// TestReplay publishes a refused event once its webhook can read it.
func TestReplay(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	h, _ := w.webhook(core.WebhookInput{Signing: core.SigningNone})
	e, _, err := w.webhooks.Receive(t.Context(), h, core.WebhookEvent{ID: "e", Body: []byte(`{"alert":"x"}`)}, nil)
	core.CheckCode(t, "receive", err, core.CodeInvalid)
	patch := core.WebhookPatch{Template: core.Patch[core.WebhookTemplate]{Set: true,
		Value: &core.WebhookTemplate{Title: "T"}}}
	made(w.webhooks.Update(t.Context(), w.owner, "metro", "avisos", h.ID, patch, nil))
	w.now = now.Add(time.Hour)
	w.suspend()
	_, err = w.webhooks.Replay(t.Context(), w.owner, "metro", "avisos", h.ID, e.ID)
	core.CheckCode(t, "replay in a suspended channel", err, core.CodeForbidden)
	core.Succeed(t, "end it", w.moderation.UnsuspendChannel(t.Context(), w.operator, "metro", "avisos"))
	again, err := w.webhooks.Replay(t.Context(), w.owner, "metro", "avisos", h.ID, e.ID)
	check.Equal(t, "replayed event", []any{again.Outcome, again.ID, again.ReceivedAt, string(again.Payload), err},
		[]any{core.OutcomePublished, "e", now, `{"alert":"x"}`, nil})
	repeated, err := w.webhooks.Replay(t.Context(), w.owner, "metro", "avisos", h.ID, e.ID)
	check.Equal(t, "notification of a second replay", []any{repeated.NotificationID, err}, []any{again.NotificationID, nil})
	_, err = w.webhooks.Replay(t.Context(), w.owner, "metro", "avisos", h.ID, "none")
	core.CheckCode(t, "replay nothing", err, core.CodeNotFound)
	_, err = w.webhooks.Replay(t.Context(), w.owner, "metro", "avisos", core.NewID(), "e")
	core.CheckCode(t, "replay of no webhook", err, core.CodeNotFound)
	_, err = w.webhooks.Event(t.Context(), w.owner, "metro", "avisos", core.NewID(), "e")
	core.CheckCode(t, "event of no webhook", err, core.CodeNotFound)
	_, _, err = w.webhooks.Events(t.Context(), w.owner, "metro", "avisos", core.NewID(), core.Page{})
	core.CheckCode(t, "events of no webhook", err, core.CodeNotFound)
	kept := strings.Repeat("a", 33<<10)
	e, _, _ = w.webhooks.Receive(t.Context(), h, core.WebhookEvent{ID: "f", Body: []byte(kept)}, nil)
	_, err = w.webhooks.Replay(t.Context(), w.owner, "metro", "avisos", h.ID, e.ID)
	check.Equal(t, "reason against an event whose payload was not kept", reasonOf(err), "not_kept")
}

// TestABodyIsPublishedOnce where the signature does not cover the id.
func TestABodyIsPublishedOnce(t *testing.T) {
	t.Parallel()
	for signing, want := range map[core.WebhookSigning]core.Creation{core.SigningGitHub: core.Replayed,
		core.SigningSentry: core.Replayed, core.SigningStandard: core.Created, core.SigningNone: core.Created} {
		w := newWorld(t)
		h, _ := w.webhook(core.WebhookInput{Signing: signing})
		for i, creation := range []core.Creation{core.Created, want} {
			e := core.WebhookEvent{ID: fmt.Sprint(i), Body: []byte(`{"title":"t"}`)}
			_, got, err := w.webhooks.Receive(t.Context(), h, e, func([]string) error { return nil })
			check.Equal(t, fmt.Sprintf("creation %d with %s", i, signing), []any{got, err}, []any{creation, nil})
		}
	}
}

func TestRefuse(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	h, _ := w.webhook(core.WebhookInput{})
	fault := &core.Error{Code: core.CodeTooLarge, Detail: core.Text{EN: "Too large."}}
	e := core.WebhookEvent{ID: "e", Body: []byte(`{"title":"t"}`)}
	err := w.webhooks.Refuse(t.Context(), h, e, func([]string) error { return errors.New("x") }, fault)
	core.CheckCode(t, "refuse a forged event", err, core.CodeUnauthenticated)
	err = w.webhooks.Refuse(t.Context(), h, e, func([]string) error { return nil }, fault)
	core.CheckCode(t, "refuse", err, core.CodeTooLarge)
	kept, err := w.webhooks.Event(t.Context(), w.owner, "metro", "avisos", h.ID, "e")
	check.Equal(t, "kept event", []any{kept.Outcome, kept.Detail, err}, []any{core.OutcomeRefused, "Too large.", nil})
	err = w.webhooks.Refuse(t.Context(), core.Webhook{ID: core.NewID(), Signing: core.SigningNone}, e, nil, fault)
	core.CheckCode(t, "refuse for no webhook", err, core.CodeNotFound)
	err = w.webhooks.Refuse(t.Context(), h, core.WebhookEvent{ID: "f"}, func([]string) error { return nil },
		errors.New("secret"))
	if err == nil {
		t.Error("refuse for a reason that is not shown: got no error")
	}
	kept = made(w.webhooks.Event(t.Context(), w.owner, "metro", "avisos", h.ID, "f"))
	check.Equal(t, "reason that is not shown", kept.Detail, "It could not be read.")
}

func TestPreview(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		in      core.WebhookPreview
		outcome core.WebhookOutcome
		title   string
		code    core.Code
	}{
		"plain": {core.WebhookPreview{Event: core.WebhookEvent{Body: []byte(`{"title":"t"}`)}}, core.OutcomePublished, "t", ""},
		"with a template": {core.WebhookPreview{Template: &core.WebhookTemplate{Title: "T"},
			Event: core.WebhookEvent{Body: []byte(`{}`)}}, core.OutcomePublished, "T", ""},
		"with a bad template": {core.WebhookPreview{Template: &core.WebhookTemplate{Title: "bad"}}, "", "", core.CodeInvalid},
		"without a title":     {core.WebhookPreview{Event: core.WebhookEvent{Body: []byte(`{}`)}}, core.OutcomeRefused, "", ""},
		"broken": {core.WebhookPreview{Sender: core.SenderGitHub, Event: core.WebhookEvent{Body: []byte("fail")}},
			core.OutcomeRefused, "", ""},
		"skipped": {core.WebhookPreview{Sender: core.SenderGitHub, Event: core.WebhookEvent{Body: []byte("skip")}},
			core.OutcomeSkipped, "", ""},
		"down": {core.WebhookPreview{Sender: core.SenderGitHub, Event: core.WebhookEvent{Body: []byte("down")}},
			core.OutcomeRefused, "", core.CodeUnavailable},
	} {
		w := newWorld(t)
		got, n, err := w.webhooks.Preview(t.Context(), w.owner, "metro", "avisos", c.in)
		core.CheckCode(t, "preview "+name, err, c.code)
		check.Equal(t, "preview "+name, []any{got.Outcome, n.Title}, []any{c.outcome, c.title})
		page := made(w.notifications.List(t.Context(), w.visitor, "metro", "avisos", core.Page{}))
		check.Equal(t, "notifications after a preview", page.Total, 0)
	}
}

// TestPlainPayloads reads the fields under the names that senders use, and mends the rest.
func TestPlainPayloads(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]core.PublishInput{
		`{"title":"t","body":"b"}`:                                {Title: "t", Body: "b"},
		`{"subject":"t","message":"b"}`:                           {Title: "t", Body: "b"},
		`{"title":" ","subject":"t","text":"b"}`:                  {Title: "t", Body: "b"},
		`{"title":"t","description":"d","msg":"m"}`:               {Title: "t", Body: "m"},
		`{"title":7,"content":null,"body":true}`:                  {Title: "7", Body: "true"},
		`{"title":"t","data":{"a":1,"b/c~d":[2]},"externalId":9}`: {Title: "t", Data: map[string]string{"a": "1"}, ExternalID: "9"},
		`{"title":"t","importance":"important","link":"https://example.com/"}`: {Title: "t", Importance: core.Important,
			Link: "https://example.com/"},
		`{"title":"t","image":"https://example.com/i","icon":"https://example.com/c","data":[]}`: {Title: "t",
			Image: "https://example.com/i", Icon: "https://example.com/c"},
	} {
		w := newWorld(t)
		_, n, err := w.webhooks.Preview(t.Context(), w.owner, "metro", "avisos",
			core.WebhookPreview{Event: core.WebhookEvent{Body: []byte(body)}})
		core.Succeed(t, "preview "+body, err)
		if n.Importance == "" || n.Importance == core.Normal {
			n.Importance = want.Importance
		}
		check.Equal(t, "title and body of "+body, []string{n.Title, n.Body, n.Link, n.Image, n.Icon, n.ExternalID},
			[]string{want.Title, want.Body, want.Link, want.Image, want.Icon, want.ExternalID})
		check.Equal(t, "importance of "+body, n.Importance, want.Importance)
		check.Equal(t, "datum of "+body, n.Data["a"], want.Data["a"])
	}
	for name, want := range map[string]bool{"title": true, "subject": true, "body": true, "msg": true, "link": false} {
		check.Equal(t, "IsPlainMember of "+name, core.IsPlainMember(name), want)
	}
	check.Equal(t, "a plain webhook reads texts", core.Webhook{Sender: core.SenderPlain}.ReadsTexts(), true)
	check.Equal(t, "another webhook reads texts", core.Webhook{Sender: core.SenderGitHub}.ReadsTexts(), false)
}
