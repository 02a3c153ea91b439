package core_test

import (
	"testing"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/lab/check"
)

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
