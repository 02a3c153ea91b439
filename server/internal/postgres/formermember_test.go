package postgres_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sininho/sininho/server/internal/core"
)

// renamed is a Renewal that shows in the webhook's name.
func renamed(s *core.SealedWebhook) { s.Name += " renewed" }

// TestFormerMember checks what changes when a member leaves, and what when they delete their account.
func TestFormerMember(t *testing.T) {
	t.Parallel()
	for name, leave := range map[string]func(w *world, publisher, person core.ID) error{
		"removal": func(w *world, publisher, person core.ID) error {
			_, err := w.RemoveMember(t.Context(), publisher, person, renamed, false, w.now)
			return err
		},
		"deletion of the account": func(w *world, _, person core.ID) error {
			_, err := w.DeleteSubscriber(t.Context(), person, renamed, w.now)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			p, other := w.publisher(t, "metro", "Metro", w.subscriber), w.publisher(t, "cp", "CP", w.subscriber)
			rui := w.other(t, "rui")
			w.join(t, p.Slug, rui, core.RoleEditor)
			mine := w.hookOf(t, p.ID, "linhas", false)
			public := w.hookOf(t, p.ID, "demonstracao", true)
			theirs := w.hookOf(t, other.ID, "linhas", false)

			succeed(t, name, leave(w, p.ID, rui))
			for _, check := range []struct {
				what string
				hook core.SealedWebhook
				want string
			}{
				{"a webhook of the publisher", mine, "CI renewed"},
				{"a webhook of a demonstration", public, "CI"},
				{"a webhook of another publisher", theirs, "CI"},
			} {
				got := must(w.Webhook(t.Context(), check.hook.ChannelID, check.hook.ID))
				equal(t, "name of "+check.what, got.Name, check.want)
				equal(t, "whether the version of "+check.what+" changed",
					got.UpdatedAt.After(check.hook.UpdatedAt), check.want != "CI")
			}
		})
	}
}

// hookOf creates a channel of a publisher with a webhook.
func (w *world) hookOf(t *testing.T, publisherID core.ID, slug string, demonstration bool) core.SealedWebhook {
	t.Helper()
	category := must(w.EnsureCategory(t.Context(), core.Category{ID: core.NewID(), Slug: "cidade", Name: "Cidade"}))
	in := core.ChannelInput{
		Slug: slug, Name: slug, CategoryID: category, Visibility: core.Unlisted, Demonstration: demonstration,
	}
	channel := must3(w.CreateChannel(t.Context(), core.NewID(), publisherID, in, w.now, core.Idempotency{}))
	hook := w.sealed("CI")
	hook.ChannelID = channel.ID
	return must3(w.CreateWebhook(t.Context(), hook, core.Idempotency{}))
}

func TestKeysOfAFormerMember(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.publisher(t, "metro", "Metro", w.subscriber)
	rui := w.other(t, "rui")
	w.join(t, p.Slug, rui, core.RoleOwner)
	by := func(name string, creator core.ID) core.APIKey {
		k := core.APIKey{ID: core.NewID(), PublisherID: p.ID, Name: name, Hint: "9f2c", Scopes: keyScopes,
			CreatedAt: w.now, CreatedBy: &core.KeyCreator{ID: creator}}
		return must3(w.CreateAPIKey(t.Context(), k, k.ID[:], core.Idempotency{}))
	}
	theirs := by("theirs", rui)
	mine, unrecorded := by("mine", w.subscriber), w.apiKey(t, p.ID, "unrecorded", nil)
	w.wantCreators(t, p.ID, map[string]*core.KeyCreator{
		"theirs": {ID: rui, Name: "rui", Member: true}, "mine": {ID: w.subscriber, Name: "Ana", Member: true},
		"unrecorded": nil,
	})

	_, err := w.RemoveMember(t.Context(), p.ID, rui, unchanged, false, w.now)
	succeed(t, "remove the member", err)
	w.wantGood(t, "a key of a former member", theirs, w.now, true)
	w.wantCreators(t, p.ID, map[string]*core.KeyCreator{
		"theirs": {ID: rui, Name: "rui"}, "mine": {ID: w.subscriber, Name: "Ana", Member: true}, "unrecorded": nil,
	})

	w.join(t, p.Slug, rui, core.RoleOwner)
	revoked, err := w.RemoveMember(t.Context(), p.ID, rui, unchanged, true, w.now)
	succeed(t, "remove the member with their keys", err)
	equal(t, "revoked keys", revoked, []core.ID{theirs.ID})
	w.wantGood(t, "a key that was to be revoked", theirs, w.now, false)
	w.wantGood(t, "a key of another member", mine, w.now, true)
	w.wantGood(t, "a key without a recorded creator", unrecorded, w.now, true)

	last := by("last", rui)
	_, err = w.DeleteSubscriber(t.Context(), rui, unchanged, w.now)
	succeed(t, "delete the account", err)
	w.wantGood(t, "a key of a deleted account", last, w.now, true)
	w.wantCreators(t, p.ID, map[string]*core.KeyCreator{
		"last": {}, "mine": {ID: w.subscriber, Name: "Ana", Member: true}, "unrecorded": nil,
	})
}

// wantCreators checks the creators of all keys of a publisher, by the names of the keys.
func (w *world) wantCreators(t *testing.T, publisherID core.ID, want map[string]*core.KeyCreator) {
	t.Helper()
	list, _, err := w.APIKeys(t.Context(), publisherID, core.Page{Limit: 10})
	succeed(t, "list the keys", err)
	got := map[string]*core.KeyCreator{}
	for _, k := range list {
		got[k.Name] = k.CreatedBy
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("creators of the keys (-want +got):\n%s", diff)
	}
}
