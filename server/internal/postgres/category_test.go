package postgres_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/sininho/sininho/server/internal/core"
)

func TestCategoriesChange(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	key := core.Idempotency{Caller: "subscriber:1", Key: "k", Route: "POST /categories", BodyHash: []byte{1}}
	c := core.Category{ID: core.NewID(), Slug: "desporto", Name: "Desporto", Position: 3, UpdatedAt: w.now}
	made := must3(w.CreateCategory(t.Context(), c, key))
	c.ID = core.NewID()
	again, creation, err := w.CreateCategory(t.Context(), c, key)
	succeed(t, "repeat the creation", err)
	equal(t, "creation of the repetition", creation, core.Replayed)
	equal(t, "category of the repetition", again, made)
	_, _, err = w.CreateCategory(t.Context(), c, core.Idempotency{})
	wantCode(t, "create a category with a taken slug", err, core.CodeConflict)

	rename := core.CategoryPatch{Name: new("Desportos")}
	changed := must(w.UpdateCategory(t.Context(), made.ID, rename, &made.UpdatedAt, w.now))
	equal(t, "name after a change of the name", changed.Name, "Desportos")
	equal(t, "slug after a change of the name", changed.Slug, "desporto")
	equal(t, "position after a change of the name", changed.Position, 3)
	if !changed.Version().After(w.now) {
		t.Errorf("version after a change: got %s, want later than %s", changed.Version(), w.now)
	}
	_, err = w.UpdateCategory(t.Context(), made.ID, core.CategoryPatch{Name: new("late")}, &made.UpdatedAt, w.now)
	wantCode(t, "change an old version", err, core.CodeChanged)
	err = w.DeleteCategory(t.Context(), made.ID, &made.UpdatedAt)
	wantCode(t, "delete an old version", err, core.CodeChanged)
	_, err = w.UpdateCategory(t.Context(), made.ID, core.CategoryPatch{Slug: new("cidade")}, nil, w.now)
	wantCode(t, "change the slug to a taken one", err, core.CodeConflict)

	move := core.CategoryPatch{Slug: new("jogos"), Position: new(0)}
	moved := must(w.UpdateCategory(t.Context(), made.ID, move, nil, w.now))
	equal(t, "slug after its change", moved.Slug, "jogos")
	equal(t, "position after its change", moved.Position, 0)
	_, err = w.UpdateCategory(t.Context(), core.NewID(), core.CategoryPatch{}, nil, w.now)
	wantCode(t, "change an unknown category", err, core.CodeNotFound)
}

func TestDeleteCategory(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	used, other := w.category(t, "cidade"), w.category(t, "desporto")
	must(w.SaveOnboarding(t.Context(), w.subscriber, "channels", []core.ID{used, other}, w.now))
	in := core.ChannelPatch{Visibility: new(core.Unlisted)}
	must(w.UpdateChannel(t.Context(), w.channel.ID, in, nil, w.now, nil))
	err := w.DeleteCategory(t.Context(), used, nil)
	wantCode(t, "delete a category that has an unlisted channel", err, core.CodeConflict)
	succeed(t, "delete its channel", w.DeleteChannel(t.Context(), w.channel.ID, nil, w.now))
	wantCode(t, "delete the category", w.DeleteCategory(t.Context(), used, nil), "")
	wantCode(t, "delete the category twice", w.DeleteCategory(t.Context(), used, nil), core.CodeNotFound)
	interests := must(w.Onboarding(t.Context(), w.subscriber)).CategoryIDs
	equal(t, "interests without the deleted category", interests, []core.ID{other})
}

// TestDeleteCategoryWhileItGetsAChannel wants either the channel or the deletion to succeed.
func TestDeleteCategoryWhileItGetsAChannel(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.publisher(t, "metro", "Metro", w.subscriber)
	for i := range 10 {
		slug := fmt.Sprint("c", i)
		category := w.category(t, slug)
		var created, deleted error
		var both sync.WaitGroup
		both.Go(func() {
			in := core.ChannelInput{Slug: slug, Name: "C", CategoryID: category, Visibility: core.Public}
			_, _, created = w.CreateChannel(context.Background(), core.NewID(), p.ID, in, w.now, core.Idempotency{})
		})
		both.Go(func() { deleted = w.DeleteCategory(context.Background(), category, nil) })
		both.Wait()
		if created == nil {
			wantCode(t, "delete a category that has got a channel", deleted, core.CodeConflict)
		} else {
			wantCode(t, "create a channel in a deleted category", created, core.CodeInvalid)
			wantCode(t, "delete a category without channels", deleted, "")
		}
	}
}
