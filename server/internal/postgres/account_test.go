package postgres_test

import (
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

// TestWhoAnswersForAPublisher expects the person who created a publisher to answer for it until they are no longer an
// owner, and then the oldest owner. Its API keys and webhooks tell.
func TestWhoAnswersForAPublisher(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	creator, later, latest := w.other(t, "creator"), w.other(t, "later"), w.other(t, "latest")
	p := w.publisher(t, "metro", "Metro", creator)
	hook := w.webhook(t, "CI")
	w.execute(t, "update channels set publisher_id = $1 where id = $2", p.ID, w.channel.ID)
	k := w.apiKey(t, p.ID, "CI", nil)
	answers := func(what string, want core.ID) {
		t.Helper()
		key, err := w.APIKeyBySecret(t.Context(), k.ID[:], w.now)
		succeed(t, "find the key when "+what, err)
		equal(t, "account of the key when "+what, key.AccountID, want)
		found, _, err := w.WebhookByAddress(t.Context(), hook.AddressHash)
		succeed(t, "find the webhook when "+what, err)
		equal(t, "account of the webhook when "+what, found.AccountID, want)
	}
	member := func(id core.ID, role core.Role) {
		t.Helper()
		w.now = w.now.Add(time.Second)
		w.execute(t, `insert into publisher_members (publisher_id, subscriber_id, role, created_at)
			values ($1, $2, $3, $4)`, p.ID, id, string(role), w.now)
	}
	member(w.subscriber, core.RoleEditor)
	member(later, core.RoleOwner)
	member(latest, core.RoleOwner)
	answers("others are owners too", creator)

	must(w.UpdateMember(t.Context(), p.ID, creator, core.RoleEditor))
	answers("the creator is an editor", later)
	must(w.RemoveMember(t.Context(), p.ID, creator, unchanged, false, w.now))
	answers("the creator has left", later)
	member(creator, core.RoleOwner)
	answers("the creator is an owner again", later)
	must(w.DeleteSubscriber(t.Context(), later, unchanged, w.now))
	answers("an account was deleted", latest)

	w.execute(t, "delete from publisher_members where publisher_id = $1", p.ID)
	answers("there is no owner", p.ID)
	member(creator, core.RoleEditor)
	answers("there is only an editor", p.ID)
	member(w.subscriber, core.RoleOwner)
	answers("there is an owner again", w.subscriber)
}
