package postgres_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

// publisher makes a publisher that the person owns.
func (w *world) publisher(t *testing.T, slug, name string, owner core.ID) core.Publisher {
	t.Helper()
	p := core.Publisher{ID: core.NewID(), Slug: slug, Name: name, CreatedAt: w.now, UpdatedAt: w.now, Role: core.RoleOwner}
	return must3(w.CreatePublisher(t.Context(), p, owner, core.Idempotency{}))
}

func slugs(list []core.Publisher) []string {
	out := []string{}
	for _, p := range list {
		out = append(out, p.Slug)
	}
	return out
}

func TestCreatePublisher(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	key := core.Idempotency{Caller: "subscriber:1", Key: "k", Route: "POST /publishers", BodyHash: []byte{1}}
	p := core.Publisher{ID: core.NewID(), Slug: "metro", Name: "Metro", Description: "Linhas", Website: "https://example.com", CreatedAt: w.now, UpdatedAt: w.now, Role: core.RoleOwner}
	made := must3(w.CreatePublisher(t.Context(), p, w.subscriber, key))
	p.ID = core.NewID()
	again, creation, err := w.CreatePublisher(t.Context(), p, w.subscriber, key)
	if err != nil || creation != core.Replayed || again != made {
		t.Errorf("%+v, was %+v: %v %v", again, made, creation, err)
	}
	if got := must(w.PublisherBySlug(t.Context(), "metro")); got.ID != made.ID || got.Description != "Linhas" || got.Website != "https://example.com" || got.Avatar != "" ||
		!got.Version().Equal(w.now) || got.Role != "" {
		t.Errorf("%+v", got)
	}
	if role := must(w.Role(t.Context(), made.ID, w.subscriber)); role != core.RoleOwner {
		t.Errorf("%q", role)
	}
	if _, _, err := w.CreatePublisher(t.Context(), p, w.subscriber, core.Idempotency{}); !core.IsCode(err, core.CodeConflict) {
		t.Errorf("the slug is taken: %v", err)
	}
	if _, _, err := w.CreatePublisher(t.Context(), core.Publisher{ID: core.NewID(), Slug: "x"}, core.NewID(), core.Idempotency{}); !core.IsCode(err, core.CodeUnauthenticated) {
		t.Errorf("an owner who is gone: %v", err)
	}
}

func TestPublishers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	rui := w.other(t, "rui")
	metro := w.publisher(t, "metro", "metro de Lisboa", w.subscriber)
	w.publisher(t, "cp", "CP 100%_", rui)
	w.publisher(t, "metro-do-porto", "Metro do Porto", rui)
	w.join(t, "cp", w.subscriber, core.RoleEditor)
	w.execute(t, "update publishers set description = 'Ligações INTERCIDADES' where slug = 'cp'")
	for name, test := range map[string]struct {
		filter core.PublisherFilter
		want   []string
	}{
		"all, by name":      {core.PublisherFilter{}, []string{"cp", "metro", "metro-do-porto", "vila"}},
		"mine":              {core.PublisherFilter{Member: &w.subscriber}, []string{"cp", "metro"}},
		"one":               {core.PublisherFilter{ID: &metro.ID}, []string{"metro"}},
		"in the name":       {core.PublisherFilter{Search: search(t, "LISBOA")}, []string{"metro"}},
		"without accents":   {core.PublisherFilter{Search: search(t, "LIGACOES")}, []string{"cp"}},
		"in the slug":       {core.PublisherFilter{Search: search(t, "do-porto")}, []string{"metro-do-porto"}},
		"description":       {core.PublisherFilter{Search: search(t, "intercidades")}, []string{"cp"}},
		"every word":        {core.PublisherFilter{Search: search(t, " porto  metro")}, []string{"metro-do-porto"}},
		"no wildcards":      {core.PublisherFilter{Search: search(t, "m%o")}, nil},
		"punctuation":       {core.PublisherFilter{Search: search(t, "100%_")}, []string{"cp"}},
		"nor one character": {core.PublisherFilter{Search: search(t, "v_la")}, nil},
		"quotes":            {core.PublisherFilter{Search: search(t, `a'b"c\?`)}, nil},
		"mine and words":    {core.PublisherFilter{Search: search(t, "metro"), Member: &rui}, []string{"metro-do-porto"}},
	} {
		test.filter.Limit = 10
		list, total, err := w.Publishers(t.Context(), test.filter)
		if err != nil || !slices.Equal(slugs(list), test.want) || total != int64(len(test.want)) {
			t.Errorf("%s: %v of %d, want %v: %v", name, slugs(list), total, test.want, err)
		}
	}
	list, total, err := w.Publishers(t.Context(), core.PublisherFilter{Reader: &w.subscriber, Page: core.Page{Limit: 2, Offset: 1}})
	if err != nil || total != 4 || !slices.Equal(slugs(list), []string{"metro", "metro-do-porto"}) || list[0].Role != core.RoleOwner || list[1].Role != "" {
		t.Errorf("%+v of %d: %v", list, total, err)
	}
}

func TestPublisherCountsPublicChannels(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	vila := must(w.PublisherBySlug(t.Context(), "vila"))
	in := core.ChannelInput{Slug: "hidden", Name: "H", CategoryID: w.category(t, "cidade"), Visibility: core.Unlisted}
	must3(w.CreateChannel(t.Context(), core.NewID(), vila.ID, in, w.now, core.Idempotency{}))
	in.Slug, in.Visibility = "deleted", core.Public
	deleted := must3(w.CreateChannel(t.Context(), core.NewID(), vila.ID, in, w.now, core.Idempotency{}))
	if err := w.DeleteChannel(t.Context(), deleted.ID, nil, w.now); err != nil {
		t.Fatal(err)
	}
	if p := must(w.Publisher(t.Context(), vila.ID)); p.ChannelCount != 1 {
		t.Errorf("%d channels", p.ChannelCount)
	}
}

func (w *world) category(t *testing.T, slug string) core.ID {
	t.Helper()
	return must(w.EnsureCategory(t.Context(), core.Category{ID: core.NewID(), Slug: slug, Name: slug}))
}

func TestUpdatePublisher(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.publisher(t, "metro", "Metro", w.subscriber)
	web := "https://example.com"
	changed := must(w.UpdatePublisher(t.Context(), p.ID, core.PublisherPatch{Name: new("Metropolitano"), Website: core.Patch[string]{Set: true, Value: &web}}, &p.UpdatedAt, w.now))
	if changed.Name != "Metropolitano" || changed.Website != web || changed.Slug != "metro" || !changed.UpdatedAt.After(w.now) {
		t.Errorf("%+v", changed)
	}
	if _, err := w.UpdatePublisher(t.Context(), p.ID, core.PublisherPatch{Name: new("late")}, &p.UpdatedAt, w.now); !core.IsCode(err, core.CodeChanged) {
		t.Errorf("a change on what is no more: %v", err)
	}
	if err := w.DeletePublisher(t.Context(), p.ID, &p.UpdatedAt); !core.IsCode(err, core.CodeChanged) {
		t.Errorf("a deletion of what is no more: %v", err)
	}
	w.now = w.now.Add(time.Hour)
	changed = must(w.UpdatePublisher(t.Context(), p.ID, core.PublisherPatch{Description: new("D"), Website: core.Patch[string]{Set: true}}, nil, w.now))
	if changed.Name != "Metropolitano" || changed.Website != "" || changed.Description != "D" || !changed.UpdatedAt.Equal(w.now) {
		t.Errorf("%+v", changed)
	}
	if _, err := w.UpdatePublisher(t.Context(), core.NewID(), core.PublisherPatch{}, nil, w.now); !core.IsCode(err, core.CodeNotFound) {
		t.Errorf("none: %v", err)
	}
}

func TestDeletePublisher(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.join(t, "vila", w.subscriber, core.RoleOwner)
	vila := must(w.PublisherBySlug(t.Context(), "vila"))
	k := w.apiKey(t, vila.ID, "CI", nil)
	if err := w.DeletePublisher(t.Context(), vila.ID, nil); !core.IsCode(err, core.CodeConflict) {
		t.Errorf("with a channel: %v", err)
	}
	n := w.publish(t, "kept until it is purged")
	if err := w.DeleteChannel(t.Context(), w.channel.ID, nil, w.now); err != nil {
		t.Fatal(err)
	}
	if err := w.DeletePublisher(t.Context(), vila.ID, &vila.UpdatedAt); err != nil {
		t.Fatal(err)
	}
	if _, err := w.APIKeyBySecret(t.Context(), k.ID[:], w.now); !core.IsCode(err, core.CodeNotFound) {
		t.Errorf("its key: %v", err)
	}
	if left := w.count(t, "select count(*) from publisher_members where publisher_id = $1", vila.ID); left != 0 {
		t.Errorf("%d members", left)
	}
	if w.count(t, "select count(*) from notifications where id = $1", n.ID) != 1 {
		t.Error("its notifications are not left to the purge")
	}
	if err := w.DeletePublisher(t.Context(), vila.ID, nil); !core.IsCode(err, core.CodeNotFound) {
		t.Errorf("again: %v", err)
	}
	w.publisher(t, "vila", "Another", w.subscriber)
}

// TestDeletingAPublisherThatGetsAChannel sees one of both win.
func TestDeletingAPublisherThatGetsAChannel(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	category := w.category(t, "cidade")
	for i := range 10 {
		p := w.publisher(t, fmt.Sprint("p", i), "P", w.subscriber)
		var created, deleted error
		var both sync.WaitGroup
		both.Go(func() {
			in := core.ChannelInput{Slug: "c", Name: "C", CategoryID: category, Visibility: core.Public}
			_, _, created = w.CreateChannel(context.Background(), core.NewID(), p.ID, in, w.now, core.Idempotency{})
		})
		both.Go(func() { deleted = w.DeletePublisher(context.Background(), p.ID, nil) })
		both.Wait()
		if !(created == nil && core.IsCode(deleted, core.CodeConflict) || deleted == nil && core.IsCode(created, core.CodeNotFound)) {
			t.Errorf("created: %v, deleted: %v", created, deleted)
		}
	}
}
