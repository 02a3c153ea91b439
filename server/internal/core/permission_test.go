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

// TestOwnersAndOperators calls the operations that only people have, as the owner, an editor, a stranger and an
// operator, on a publisher and on one that is not there.
func TestOwnersAndOperators(t *testing.T) {
	t.Parallel()
	page, reason := core.Page{}, core.SuspensionInput{Reason: "spam"}
	endpoint := core.EventEndpointInput{URL: "https://example.com/", Name: "n"}
	for what, c := range map[string]struct {
		want string
		do   func(w *world, c core.Caller, publisher string) error
	}{
		"update a publisher": {".FNN", func(w *world, c core.Caller, s string) error {
			_, err := w.publishers.Update(t.Context(), c, s, core.PublisherPatch{}, nil)
			return err
		}},
		"delete a publisher with channels": {"CFNN", func(w *world, c core.Caller, s string) error {
			return w.publishers.Delete(t.Context(), c, s, nil)
		}},
		"members": {"..NN", func(w *world, c core.Caller, s string) error {
			_, _, err := w.members.List(t.Context(), c, s, page)
			return err
		}},
		"add a member": {".FNN", func(w *world, c core.Caller, s string) error {
			_, err := w.members.Add(t.Context(), c, s, "editor@example.com")
			return err
		}},
		"add somebody else": {"IFNN", func(w *world, c core.Caller, s string) error {
			_, err := w.members.Add(t.Context(), c, s, "stranger@example.com")
			return err
		}},
		"make an editor an owner": {"IFNN", func(w *world, c core.Caller, s string) error {
			_, err := w.members.Update(t.Context(), c, s, w.editor.SubscriberID, core.RoleOwner)
			return err
		}},
		"make the only owner an editor": {"CFNN", func(w *world, c core.Caller, s string) error {
			_, err := w.members.Update(t.Context(), c, s, w.owner.SubscriberID, core.RoleEditor)
			return err
		}},
		"remove an editor": {"..NN", func(w *world, c core.Caller, s string) error {
			return w.members.Remove(t.Context(), c, s, w.editor.SubscriberID, true)
		}},
		"remove an editor and keep their keys": {".FNN", func(w *world, c core.Caller, s string) error {
			return w.members.Remove(t.Context(), c, s, w.editor.SubscriberID, false)
		}},
		"remove the only owner": {"CFNN", func(w *world, c core.Caller, s string) error {
			return w.members.Remove(t.Context(), c, s, w.owner.SubscriberID, true)
		}},
		"invitations": {".FNN", func(w *world, c core.Caller, s string) error {
			_, _, err := w.invitations.List(t.Context(), c, s, page)
			return err
		}},
		"invite": {".FNN", func(w *world, c core.Caller, s string) error {
			in := core.MembershipInvitationInput{Email: "x@example.com", Role: core.RoleOwner}
			_, _, err := w.invitations.Create(t.Context(), c, s, in, noKey)
			return err
		}},
		"withdraw an invitation": {".FNN", func(w *world, c core.Caller, s string) error {
			in := core.MembershipInvitationInput{Email: "x@example.com", Role: core.RoleEditor}
			inv := made(first(w.invitations.Create(t.Context(), w.owner, "metro", in, noKey)))
			return w.invitations.Withdraw(t.Context(), c, s, inv.ID)
		}},
		"keys": {"..NN", func(w *world, c core.Caller, s string) error {
			_, _, err := w.keys.List(t.Context(), c, s, page)
			return err
		}},
		"create a key": {".FNN", func(w *world, c core.Caller, s string) error {
			_, _, _, err := w.keys.Create(t.Context(), c, s, core.APIKeyInput{Name: "CI"}, noKey)
			return err
		}},
		"rotate a key": {".FNN", func(w *world, c core.Caller, s string) error {
			_, _, _, err := w.keys.Rotate(t.Context(), c, s, w.key().KeyID, core.APIKeyRotation{}, noKey)
			return err
		}},
		"revoke a key": {".FNN", func(w *world, c core.Caller, s string) error {
			return w.keys.Revoke(t.Context(), c, s, w.key().KeyID)
		}},
		"endpoints": {"..NN", func(w *world, c core.Caller, s string) error {
			_, _, err := w.endpoints.List(t.Context(), c, s, page)
			return err
		}},
		"get an endpoint": {"..NN", func(w *world, c core.Caller, s string) error {
			_, err := w.endpoints.Get(t.Context(), c, s, w.endpoint(false).ID)
			return err
		}},
		"create an endpoint": {".FNN", func(w *world, c core.Caller, s string) error {
			_, _, _, err := w.endpoints.Create(t.Context(), c, s, endpoint, noKey)
			return err
		}},
		"update an endpoint": {".FNN", func(w *world, c core.Caller, s string) error {
			_, err := w.endpoints.Update(t.Context(), c, s, w.endpoint(false).ID, core.EventEndpointPatch{}, nil)
			return err
		}},
		"rotate an endpoint": {".FNN", func(w *world, c core.Caller, s string) error {
			_, _, _, err := w.endpoints.Rotate(t.Context(), c, s, w.endpoint(false).ID, noKey)
			return err
		}},
		"delete an endpoint": {".FNN", func(w *world, c core.Caller, s string) error {
			return w.endpoints.Delete(t.Context(), c, s, w.endpoint(false).ID, nil)
		}},
		"challenge an endpoint": {".FNN", func(w *world, c core.Caller, s string) error {
			_, _, err := w.endpoints.Challenge(t.Context(), c, s, w.endpoint(false).ID)
			return err
		}},
		"confirm an endpoint": {".FNN", func(w *world, c core.Caller, s string) error {
			_, err := w.endpoints.Confirm(t.Context(), c, s, w.endpoint(true).ID, "x")
			return err
		}},
		"test an endpoint": {"..NN", func(w *world, c core.Caller, s string) error {
			_, err := w.endpoints.Test(t.Context(), c, s, w.endpoint(true).ID)
			return err
		}},
		"deliveries": {"..NN", func(w *world, c core.Caller, s string) error {
			_, _, err := w.endpoints.Deliveries(t.Context(), c, s, w.endpoint(true).ID, "", page)
			return err
		}},
		"get a delivery": {"..NN", func(w *world, c core.Caller, s string) error {
			e := w.endpoint(true)
			d := made(w.endpoints.Test(t.Context(), w.owner, "metro", e.ID))
			_, _, err := w.endpoints.Delivery(t.Context(), c, s, e.ID, d.ID)
			return err
		}},
		"resend": {"..NN", func(w *world, c core.Caller, s string) error {
			e := w.endpoint(true)
			d := made(w.endpoints.Test(t.Context(), w.owner, "metro", e.ID))
			_, err := w.endpoints.Resend(t.Context(), c, s, e.ID, d.ID)
			return err
		}},
		"audit log": {".FNN", func(w *world, c core.Caller, s string) error {
			_, _, err := w.audit.Publisher(t.Context(), c, s, page)
			return err
		}},
		"all of the audit log of a publisher": {"FFF.", func(w *world, c core.Caller, s string) error {
			_, _, err := w.audit.All(t.Context(), c, s, page)
			return err
		}},
		"suspend a publisher": {"FFF.", func(w *world, c core.Caller, s string) error {
			_, err := w.moderation.SuspendPublisher(t.Context(), c, s, reason)
			return err
		}},
		"end the suspension of a publisher": {"FFF.", func(w *world, c core.Caller, s string) error {
			return w.moderation.UnsuspendPublisher(t.Context(), c, s)
		}},
		"suspend a channel": {"FFF.", func(w *world, c core.Caller, s string) error {
			_, err := w.moderation.SuspendChannel(t.Context(), c, s, "avisos", reason)
			return err
		}},
		"end the suspension of a channel": {"FFF.", func(w *world, c core.Caller, s string) error {
			return w.moderation.UnsuspendChannel(t.Context(), c, s, "avisos")
		}},
		"set a quota": {"FFF.", func(w *world, c core.Caller, s string) error {
			_, err := w.moderation.SetQuota(t.Context(), c, s, core.QuotaInput{Bytes: 1})
			return err
		}},
		"reset a quota": {"FFF.", func(w *world, c core.Caller, s string) error {
			return w.moderation.ResetQuota(t.Context(), c, s)
		}},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			got, missing, none := "", "", ""
			for i := range 4 {
				w := newWorld(t)
				caller := []core.Caller{w.owner, w.editor, w.stranger, w.operator}[i]
				got += letterOf(c.do(w, caller, "metro"))
				missing += letterOf(c.do(w, caller, "carris"))
				none += map[bool]string{true: "F", false: "N"}[c.want[2:] == "F." && i < 3]
			}
			check.Equal(t, "responses to "+what, got, c.want)
			check.Equal(t, "responses to "+what+" of no publisher", missing, none)
		})
	}
}

// TestOperatorsOnly calls the operations for operators that are about no publisher.
func TestOperatorsOnly(t *testing.T) {
	t.Parallel()
	page, id, reason := core.Page{}, core.NewID(), core.SuspensionInput{Reason: "spam"}
	for what, c := range map[string]struct {
		want string // for an operator
		do   func(w *world, c core.Caller) error
	}{
		"create a category": {".", func(w *world, c core.Caller) error {
			_, _, err := w.categories.Create(t.Context(), c, core.CategoryInput{Slug: "b", Name: "B"}, noKey)
			return err
		}},
		"update a category": {".", func(w *world, c core.Caller) error {
			_, err := w.categories.Update(t.Context(), c, w.category, core.CategoryPatch{Name: new("B")}, nil)
			return err
		}},
		"delete a category with channels": {"C", func(w *world, c core.Caller) error {
			return w.categories.Delete(t.Context(), c, w.category, nil)
		}},
		"the whole audit log": {".", func(w *world, c core.Caller) error {
			_, _, err := w.audit.All(t.Context(), c, "", page)
			return err
		}},
		"suspend a person": {".", func(w *world, c core.Caller) error {
			_, err := w.moderation.SuspendSubscriber(t.Context(), c, w.stranger.SubscriberID, reason)
			return err
		}},
		"suspend an operator": {"I", func(w *world, c core.Caller) error {
			_, err := w.moderation.SuspendSubscriber(t.Context(), c, w.operator.SubscriberID, reason)
			return err
		}},
		"suspend nobody": {"N", func(w *world, c core.Caller) error {
			_, err := w.moderation.SuspendSubscriber(t.Context(), c, id, reason)
			return err
		}},
		"end the suspension of a person": {".", func(w *world, c core.Caller) error {
			return w.moderation.UnsuspendSubscriber(t.Context(), c, w.stranger.SubscriberID)
		}},
		"end the suspension of nobody": {"N", func(w *world, c core.Caller) error {
			return w.moderation.UnsuspendSubscriber(t.Context(), c, id)
		}},
		"search channels": {".", func(w *world, c core.Caller) error {
			_, _, err := w.moderation.Channels(t.Context(), c, core.Search{}, page)
			return err
		}},
		"search publishers": {".", func(w *world, c core.Caller) error {
			_, _, err := w.moderation.Publishers(t.Context(), c, core.Search{}, page)
			return err
		}},
		"search people": {".", func(w *world, c core.Caller) error {
			_, _, err := w.moderation.Subscribers(t.Context(), c, "", page)
			return err
		}},
		"withdraw a notification": {".", func(w *world, c core.Caller) error {
			return w.moderation.Withdraw(t.Context(), c, w.publish(core.PublishInput{}).ID, reason)
		}},
		"withdraw without a reason": {"I", func(w *world, c core.Caller) error {
			return w.moderation.Withdraw(t.Context(), c, w.publish(core.PublishInput{}).ID, core.SuspensionInput{})
		}},
		"storage of all": {".", func(w *world, c core.Caller) error {
			_, err := w.moderation.Storage(t.Context(), c)
			return err
		}},
		"reports": {".", func(w *world, c core.Caller) error {
			_, _, err := w.reports.List(t.Context(), c, "", page)
			return err
		}},
		"close a report": {"N", func(w *world, c core.Caller) error {
			_, err := w.reports.Close(t.Context(), c, id, core.ReportResolved)
			return err
		}},
		"health": {".", func(w *world, c core.Caller) error {
			_, err := w.installation.Health(t.Context(), c, 1, "")
			return err
		}},
		"failing endpoints": {".", func(w *world, c core.Caller) error {
			_, _, err := w.installation.FailingEndpoints(t.Context(), c, page)
			return err
		}},
		"settings": {".", func(w *world, c core.Caller) error {
			all, err := w.installation.Settings(t.Context(), c)
			check.Equal(t, "whether settings are shown", len(all) == 1, err == nil)
			return err
		}},
	} {
		w := newWorld(t)
		check.Equal(t, what+" as the owner", letterOf(c.do(w, w.owner)), "F")
		check.Equal(t, what+" as a visitor", letterOf(c.do(w, w.visitor)), "N")
		check.Equal(t, what+" as an operator", letterOf(c.do(w, w.operator)), c.want)
	}
}
