package postgres_test

import (
	"context"
	"fmt"
	"slices"
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
	if again, creation, err := w.CreateCategory(t.Context(), c, key); err != nil || creation != core.Replayed || again != made {
		t.Errorf("%+v, was %+v: %v %v", again, made, creation, err)
	}
	if _, _, err := w.CreateCategory(t.Context(), c, core.Idempotency{}); !core.IsCode(err, core.CodeConflict) {
		t.Errorf("the slug is taken: %v", err)
	}
	changed := must(w.UpdateCategory(t.Context(), made.ID, core.CategoryPatch{Name: new("Desportos")}, &made.UpdatedAt, w.now))
	if changed.Name != "Desportos" || changed.Slug != "desporto" || changed.Position != 3 || !changed.Version().After(w.now) {
		t.Errorf("%+v", changed)
	}
	for _, err := range []error{
		second(w.UpdateCategory(t.Context(), made.ID, core.CategoryPatch{Name: new("late")}, &made.UpdatedAt, w.now)),
		w.DeleteCategory(t.Context(), made.ID, &made.UpdatedAt),
	} {
		if !core.IsCode(err, core.CodeChanged) {
			t.Errorf("seen before it was changed: %v", err)
		}
	}
	if _, err := w.UpdateCategory(t.Context(), made.ID, core.CategoryPatch{Slug: new("cidade")}, nil, w.now); !core.IsCode(err, core.CodeConflict) {
		t.Errorf("the slug is taken: %v", err)
	}
	if c := must(w.UpdateCategory(t.Context(), made.ID, core.CategoryPatch{Slug: new("jogos"), Position: new(0)}, nil, w.now)); c.Slug != "jogos" || c.Position != 0 {
		t.Errorf("%+v", c)
	}
	if _, err := w.UpdateCategory(t.Context(), core.NewID(), core.CategoryPatch{}, nil, w.now); !core.IsCode(err, core.CodeNotFound) {
		t.Errorf("none: %v", err)
	}
}

func second[T any](_ T, err error) error { return err }

func TestDeleteCategory(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	used, other := w.category(t, "cidade"), w.category(t, "desporto")
	must(w.SaveOnboarding(t.Context(), w.subscriber, "channels", []core.ID{used, other}, w.now))
	in := core.ChannelPatch{Visibility: new(core.Unlisted)}
	must(w.UpdateChannel(t.Context(), w.channel.ID, in, nil, w.now, nil))
	if err := w.DeleteCategory(t.Context(), used, nil); !core.IsCode(err, core.CodeConflict) {
		t.Errorf("with a channel that is in no list: %v", err)
	}
	if err := w.DeleteChannel(t.Context(), w.channel.ID, nil, w.now); err != nil {
		t.Fatal(err)
	}
	for _, want := range []core.Code{"", core.CodeNotFound} {
		if err := w.DeleteCategory(t.Context(), used, nil); want == "" && err != nil || want != "" && !core.IsCode(err, want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if o := must(w.Onboarding(t.Context(), w.subscriber)); !slices.Equal(o.CategoryIDs, []core.ID{other}) {
		t.Errorf("interests: %v", o.CategoryIDs)
	}
}

// TestDeletingACategoryThatGetsAChannel sees one of both win.
func TestDeletingACategoryThatGetsAChannel(t *testing.T) {
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
		if !(created == nil && core.IsCode(deleted, core.CodeConflict) || deleted == nil && core.IsCode(created, core.CodeInvalid)) {
			t.Errorf("created: %v, deleted: %v", created, deleted)
		}
	}
}
