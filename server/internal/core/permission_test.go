package core_test

import (
	"testing"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/lab/check"
)

// callers are those of the columns of TestPermissions.
var callers = []struct {
	name string
	of   func(w *world) core.Caller
}{
	{"the owner", func(w *world) core.Caller { return w.owner }},
	{"an editor", func(w *world) core.Caller { return w.editor }},
	{"a stranger", func(w *world) core.Caller { return w.stranger }},
	{"an operator", func(w *world) core.Caller { return w.operator }},
	{"a visitor", func(w *world) core.Caller { return w.visitor }},
	{"a key with all scopes", func(w *world) core.Caller { return w.key() }},
	{"a key that publishes", func(w *world) core.Caller { return w.key(core.ScopePublish) }},
	{"a key that reads", func(w *world) core.Caller { return w.key(core.ScopeRead) }},
	{"a key for channels", func(w *world) core.Caller { return w.key(core.ScopeChannels) }},
	{"a key of another publisher", func(w *world) core.Caller {
		c := w.key()
		c.PublisherID = core.NewID()
		return c
	}},
	{"the owner's token that reads", func(w *world) core.Caller { return w.token(w.owner, core.ScopeRead) }},
	{"the owner's token for all", func(w *world) core.Caller { return w.token(w.owner) }},
}

// TestPermissions calls each operation as each caller. A letter is the code of the response: . success, F forbidden,
// N not found, U unauthenticated. Who is asked first of all is proven for people; httpapi refuses the kinds of callers
// that an operation does not know.
func TestPermissions(t *testing.T) {
	t.Parallel()
	const a, s = "avisos", "metro"
	name, reason := new("Novo"), core.SuspensionInput{Reason: "spam"}
	for what, c := range map[string]struct {
		want string
		do   func(w *world, c core.Caller) error
	}{
		"create a channel": {"..NNU.FF.NF.", func(w *world, c core.Caller) error {
			in := core.ChannelInput{PublisherSlug: s, Slug: "b", Name: "B", CategoryID: w.category}
			_, _, err := w.channels.Create(t.Context(), c, in, noKey)
			return err
		}},
		"update a channel": {"..NNU.FF.NF.", func(w *world, c core.Caller) error {
			_, err := w.channels.Update(t.Context(), c, s, a, core.ChannelPatch{Name: name}, nil)
			return err
		}},
		"delete a channel": {"..NNU.FF.NF.", func(w *world, c core.Caller) error {
			return w.channels.Delete(t.Context(), c, s, a, nil)
		}},
		"get a suspended channel": {"..N.N....N..", func(w *world, c core.Caller) error {
			w.suspend()
			_, err := w.channels.Get(t.Context(), c, s, a)
			return err
		}},
		"followers of a suspended channel": {"..N.N....N..", func(w *world, c core.Caller) error {
			w.suspend()
			_, err := w.channels.Followers(t.Context(), c, s, a, 7)
			return err
		}},
		"get a suspended publisher": {"..N.N....N..", func(w *world, c core.Caller) error {
			_, err := w.moderation.SuspendPublisher(t.Context(), w.operator, s, reason)
			core.Succeed(t, "suspend", err)
			_, err = w.publishers.Get(t.Context(), c, s)
			return err
		}},
		"publish": {"..NNU..FFNF.", func(w *world, c core.Caller) error {
			_, _, err := w.notifications.Publish(t.Context(), c, s, a, core.PublishInput{Title: "t"}, noKey)
			return err
		}},
		"publish to a suspended channel": {"FFNNUFFFFNFF", func(w *world, c core.Caller) error {
			w.suspend()
			_, _, err := w.notifications.Publish(t.Context(), c, s, a, core.PublishInput{Title: "t"}, noKey)
			return err
		}},
		"publish a batch": {"..NNU..FFNF.", func(w *world, c core.Caller) error {
			in := core.PublishBatchInput{Notifications: []core.PublishInput{{Title: "t"}}}
			_, _, err := w.notifications.PublishBatch(t.Context(), c, s, a, in, noKey)
			return err
		}},
		"correct": {"..NNU..FFNF.", func(w *world, c core.Caller) error {
			n := w.publish(core.PublishInput{})
			_, err := w.notifications.Correct(t.Context(), c, s, a, n.ID, core.CorrectInput{Title: name}, nil)
			return err
		}},
		"withdraw in a suspended channel": {"..NNU..FFNF.", func(w *world, c core.Caller) error {
			n := w.publish(core.PublishInput{})
			w.suspend()
			return w.notifications.Withdraw(t.Context(), c, s, a, n.ID, nil)
		}},
		"get a scheduled notification": {"..NNN...NN..", func(w *world, c core.Caller) error {
			n := w.publish(core.PublishInput{ScheduledAt: new(w.now.Add(1e9))})
			_, err := w.notifications.Get(t.Context(), c, s, a, n.ID)
			return err
		}},
		"get a withdrawn notification": {"NNNNNNNNNNNN", func(w *world, c core.Caller) error {
			_, err := w.notifications.Get(t.Context(), c, s, a, w.withdrawn().ID)
			return err
		}},
		"get a notification of a suspended channel": {"..N.N....N..", func(w *world, c core.Caller) error {
			n := w.publish(core.PublishInput{})
			w.suspend()
			_, err := w.notifications.Get(t.Context(), c, s, a, n.ID)
			return err
		}},
		"list a suspended channel": {"..N.N....N..", func(w *world, c core.Caller) error {
			w.suspend()
			_, err := w.notifications.List(t.Context(), c, s, a, core.Page{})
			return err
		}},
		"scheduled notifications": {"..NNU...FN..", func(w *world, c core.Caller) error {
			_, _, err := w.notifications.Scheduled(t.Context(), c, s, a, core.Page{})
			return err
		}},
		"a summary of deliveries": {"..NNU.F.FN..", func(w *world, c core.Caller) error {
			_, err := w.notifications.DeliverySummary(t.Context(), c, s, a, w.publish(core.PublishInput{}).ID)
			return err
		}},
		"a summary of a channel": {"..NNU.F.FN..", func(w *world, c core.Caller) error {
			_, err := w.notifications.ChannelDeliverySummary(t.Context(), c, s, a, nil, nil, "")
			return err
		}},
		"storage": {"..N.U.F.FN..", func(w *world, c core.Caller) error {
			_, err := w.publishers.Storage(t.Context(), c, s)
			return err
		}},
		"webhooks": {"..NNU.FFFNF.", func(w *world, c core.Caller) error {
			_, _, err := w.webhooks.List(t.Context(), c, s, a, core.Page{})
			return err
		}},
		"get a webhook": {"..NNU.FFFNF.", func(w *world, c core.Caller) error {
			h, _ := w.webhook(core.WebhookInput{})
			_, err := w.webhooks.Get(t.Context(), c, s, a, h.ID)
			return err
		}},
		"create a webhook": {"..NNU.FFFNF.", func(w *world, c core.Caller) error {
			_, _, _, err := w.webhooks.Create(t.Context(), c, s, a, core.WebhookInput{Name: "n"}, noKey)
			return err
		}},
		"update a webhook": {"..NNU.FFFNF.", func(w *world, c core.Caller) error {
			h, _ := w.webhook(core.WebhookInput{})
			_, err := w.webhooks.Update(t.Context(), c, s, a, h.ID, core.WebhookPatch{Name: name}, nil)
			return err
		}},
		"rotate a webhook": {"..NNU.FFFNF.", func(w *world, c core.Caller) error {
			h, _ := w.webhook(core.WebhookInput{})
			in := core.WebhookRotation{What: core.RotateAddress}
			_, _, _, err := w.webhooks.Rotate(t.Context(), c, s, a, h.ID, in, noKey)
			return err
		}},
		"delete a webhook": {"..NNU.FFFNF.", func(w *world, c core.Caller) error {
			h, _ := w.webhook(core.WebhookInput{})
			return w.webhooks.Delete(t.Context(), c, s, a, h.ID, nil)
		}},
		"events of a webhook": {"..NNU.FFFNF.", func(w *world, c core.Caller) error {
			h, _ := w.webhook(core.WebhookInput{})
			_, _, err := w.webhooks.Events(t.Context(), c, s, a, h.ID, core.Page{})
			return err
		}},
		"preview": {"..NNU.FFFNF.", func(w *world, c core.Caller) error {
			in := core.WebhookPreview{Event: core.WebhookEvent{Body: []byte(`{"title":"t"}`)}}
			_, _, err := w.webhooks.Preview(t.Context(), c, s, a, in)
			return err
		}},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			got := ""
			for _, of := range callers {
				w := newWorld(t)
				got += letterOf(c.do(w, of.of(w)))
			}
			check.Equal(t, "responses to "+what, got, c.want)
		})
	}
}
