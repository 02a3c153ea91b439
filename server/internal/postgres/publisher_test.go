package postgres_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sininho/sininho/server/internal/core"
)

// publisher makes a publisher that the person owns.
func (w *world) publisher(t *testing.T, slug, name string, owner core.ID) core.Publisher {
	t.Helper()
	p := core.Publisher{
		ID: core.NewID(), Slug: slug, Name: name, CreatedAt: w.now, UpdatedAt: w.now, Role: core.RoleOwner,
	}
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
	p := core.Publisher{
		ID: core.NewID(), Slug: "metro", Name: "Metro", Description: "Linhas", Website: "https://example.com",
		CreatedAt: w.now, UpdatedAt: w.now, Role: core.RoleOwner,
	}
	made := must3(w.CreatePublisher(t.Context(), p, w.subscriber, key))
	p.ID = core.NewID()
	again, creation, err := w.CreatePublisher(t.Context(), p, w.subscriber, key)
	if err != nil || creation != core.Replayed {
		t.Errorf("repeated creation: got creation %v and error %v, want %v", creation, err, core.Replayed)
	}
	if diff := cmp.Diff(made, again); diff != "" {
		t.Errorf("publisher of a repeated creation (-want +got):\n%s", diff)
	}
	want := made
	want.Role = "" // nobody reads it
	if diff := cmp.Diff(want, must(w.PublisherBySlug(t.Context(), "metro"))); diff != "" {
		t.Errorf("publisher by its slug (-want +got):\n%s", diff)
	}
	if role := must(w.Role(t.Context(), made.ID, w.subscriber)); role != core.RoleOwner {
		t.Errorf("role of the creator: got %q, want %q", role, core.RoleOwner)
	}
	if _, _, err := w.CreatePublisher(t.Context(), p, w.subscriber, core.Idempotency{}); !core.IsCode(err,
		core.CodeConflict) {
		t.Errorf("creation with a taken slug: got %v, want CodeConflict", err)
	}
	x := core.Publisher{ID: core.NewID(), Slug: "x"}
	_, _, err = w.CreatePublisher(t.Context(), x, core.NewID(), core.Idempotency{})
	if !core.IsCode(err, core.CodeUnauthenticated) {
		t.Errorf("creation by a deleted account: got %v, want CodeUnauthenticated", err)
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
		"mine and words": {
			core.PublisherFilter{Search: search(t, "metro"), Member: &rui}, []string{"metro-do-porto"},
		},
	} {
		test.filter.Limit = 10
		list, total, err := w.Publishers(t.Context(), test.filter)
		if err != nil {
			t.Errorf("%s: publishers: %v", name, err)
		}
		if !slices.Equal(slugs(list), test.want) {
			t.Errorf("%s: got %v, want %v", name, slugs(list), test.want)
		}
		if total != int64(len(test.want)) {
			t.Errorf("%s: length of the list: got %d, want %d", name, total, len(test.want))
		}
	}
	list, total, err := w.Publishers(t.Context(),
		core.PublisherFilter{Reader: &w.subscriber, Page: core.Page{Limit: 2, Offset: 1}})
	if err != nil || total != 4 {
		t.Fatalf("page of the publishers: got a list of %d and error %v, want 4", total, err)
	}
	if want := []string{"metro", "metro-do-porto"}; !slices.Equal(slugs(list), want) {
		t.Fatalf("page of the publishers: got %v, want %v", slugs(list), want)
	}
	if list[0].Role != core.RoleOwner || list[1].Role != "" {
		t.Errorf("roles of the reader: got %q and %q, want owner and none", list[0].Role, list[1].Role)
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
		t.Fatalf("delete a channel: %v", err)
	}
	if p := must(w.Publisher(t.Context(), vila.ID)); p.ChannelCount != 1 {
		t.Errorf("public channels: got %d, want 1", p.ChannelCount)
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
	patch := core.PublisherPatch{Name: new("Metropolitano"), Website: core.Patch[string]{Set: true, Value: &web}}
	changed := must(w.UpdatePublisher(t.Context(), p.ID, patch, &p.UpdatedAt, w.now))
	want := p
	want.Name, want.Website = "Metropolitano", web
	want.Role, want.UpdatedAt = "", w.now.Add(time.Microsecond)
	if diff := cmp.Diff(want, changed); diff != "" {
		t.Errorf("publisher with another name and website (-want +got):\n%s", diff)
	}
	if _, err := w.UpdatePublisher(t.Context(), p.ID, core.PublisherPatch{Name: new("late")}, &p.UpdatedAt,
		w.now); !core.IsCode(err, core.CodeChanged) {
		t.Errorf("update of an earlier version: got %v, want CodeChanged", err)
	}
	if err := w.DeletePublisher(t.Context(), p.ID, &p.UpdatedAt); !core.IsCode(err, core.CodeChanged) {
		t.Errorf("deletion of an earlier version: got %v, want CodeChanged", err)
	}
	w.now = w.now.Add(time.Hour)
	patch = core.PublisherPatch{Description: new("D"), Website: core.Patch[string]{Set: true}}
	changed = must(w.UpdatePublisher(t.Context(), p.ID, patch, nil, w.now))
	want.Description, want.Website = "D", ""
	want.UpdatedAt = w.now
	if diff := cmp.Diff(want, changed); diff != "" {
		t.Errorf("publisher with a description and no website (-want +got):\n%s", diff)
	}
	if _, err := w.UpdatePublisher(t.Context(), core.NewID(), core.PublisherPatch{}, nil, w.now); !core.IsCode(err,
		core.CodeNotFound) {
		t.Errorf("update of no publisher: got %v, want CodeNotFound", err)
	}
}

func TestDeletePublisher(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.join(t, "vila", w.subscriber, core.RoleOwner)
	vila := must(w.PublisherBySlug(t.Context(), "vila"))
	k := w.apiKey(t, vila.ID, "CI", nil)
	if err := w.DeletePublisher(t.Context(), vila.ID, nil); !core.IsCode(err, core.CodeConflict) {
		t.Errorf("deletion of a publisher with a channel: got %v, want CodeConflict", err)
	}
	n := w.publish(t, "kept until it is purged")
	if err := w.DeleteChannel(t.Context(), w.channel.ID, nil, w.now); err != nil {
		t.Fatalf("delete the channel: %v", err)
	}
	if err := w.DeletePublisher(t.Context(), vila.ID, &vila.UpdatedAt); err != nil {
		t.Fatalf("delete the publisher: %v", err)
	}
	if _, err := w.APIKeyBySecret(t.Context(), k.ID[:], w.now); !core.IsCode(err, core.CodeNotFound) {
		t.Errorf("API key of a deleted publisher: got %v, want CodeNotFound", err)
	}
	if left := w.count(t, "select count(*) from publisher_members where publisher_id = $1", vila.ID); left != 0 {
		t.Errorf("members of a deleted publisher: got %d, want none", left)
	}
	if w.count(t, "select count(*) from notifications where id = $1", n.ID) != 1 {
		t.Error("notification of a deleted publisher: got none, want it left to the purge")
	}
	if err := w.DeletePublisher(t.Context(), vila.ID, nil); !core.IsCode(err, core.CodeNotFound) {
		t.Errorf("second deletion: got %v, want CodeNotFound", err)
	}
	w.publisher(t, "vila", "Another", w.subscriber)
}

// TestDeletingAPublisherThatGetsAChannel does both at the same time: one succeeds.
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
		createdFirst := created == nil && core.IsCode(deleted, core.CodeConflict)
		deletedFirst := deleted == nil && core.IsCode(created, core.CodeNotFound)
		if !createdFirst && !deletedFirst {
			t.Errorf("creation of a channel: %v, deletion of its publisher: %v; want one to succeed", created, deleted)
		}
	}
}
