package postgres_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/lab/check"
)

// TestWebFeedItems publishes to several channels in turn, and compares the feeds with all that was published.
func TestWebFeedItems(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	first := w.channel
	channels := []core.ChannelRef{first}
	c := must(w.Channel(t.Context(), first.PublisherSlug, first.Slug, nil))
	for i, visibility := range []core.Visibility{core.Public, core.Unlisted, core.Private, core.Public} {
		made, _, err := w.CreateChannel(t.Context(), core.NewID(), c.Publisher.ID, core.ChannelInput{
			Slug: fmt.Sprint("c", i), Name: "C", CategoryID: c.Category.ID, Visibility: visibility}, w.now, core.Idempotency{})
		check.Equal(t, "error of creating a channel", err, nil)
		channels = append(channels, made.ChannelRef)
	}
	var ofFirst, public, all []string
	for i := range 40 {
		k := []int{0, 0, 1, 2, 0, 3, 4, 0}[i%8]
		w.channel = channels[k]
		w.publish(t, fmt.Sprint(i))
		if k != 3 {
			all = append([]string{fmt.Sprint(i)}, all...)
		}
		if k == 0 {
			ofFirst = append([]string{fmt.Sprint(i)}, ofFirst...)
		}
		if k == 0 || k == 1 || k == 4 {
			public = append([]string{fmt.Sprint(i)}, public...)
		}
	}
	for i, channel := range channels {
		if i == 3 { // it is joined by invitation
			continue
		}
		must(w.Subscribe(t.Context(), w.subscriber, channel.ID, w.now))
	}
	must(w.PutFeedAddress(t.Context(), w.subscriber, core.FeedAddress{ID: core.NewID(), CreatedAt: w.now}, []byte("x")))
	feeds := map[string]core.WebFeed{
		"channel":   must(w.ChannelWebFeed(t.Context(), first.PublisherSlug, first.Slug)),
		"publisher": must(w.PublisherWebFeed(t.Context(), first.PublisherSlug)),
		"person":    must(w.PersonalWebFeed(t.Context(), []byte("x"))),
	}
	want := map[string][]string{"channel": ofFirst, "publisher": public, "person": all}
	for name, feed := range feeds {
		for _, limit := range []int{1, 7, 50} {
			var titles []string
			for _, item := range must(w.WebFeedItems(t.Context(), feed, limit)) {
				titles = append(titles, item.Title)
				check.Equal(t, "publisher in the feed of a "+name, item.Publisher, "Vila")
			}
			check.Equal(t, fmt.Sprintf("%d items of a %s", limit, name), titles, want[name][:min(limit, len(want[name]))])
		}
	}
}

// TestWebFeedVersions expects another version after each change that the feed shows, and none without one.
func TestWebFeedVersions(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.publish(t, "A")
	must(w.Subscribe(t.Context(), w.subscriber, w.channel.ID, w.now))
	must(w.PutFeedAddress(t.Context(), w.subscriber, core.FeedAddress{ID: core.NewID(), CreatedAt: w.now}, []byte("x")))
	versions := func() [3]string {
		return [3]string{must(w.ChannelWebFeed(t.Context(), w.channel.PublisherSlug, w.channel.Slug)).Version,
			must(w.PublisherWebFeed(t.Context(), w.channel.PublisherSlug)).Version,
			must(w.PersonalWebFeed(t.Context(), []byte("x"))).Version}
	}
	before := versions()
	changes := func(what string, of ...bool) {
		t.Helper()
		after := versions()
		var changed []bool
		for i := range after {
			changed = append(changed, after[i] != before[i])
		}
		check.Equal(t, "feeds that change with "+what, changed, of)
		before = after
	}
	changes("nothing", false, false, false)
	w.publish(t, "B")
	changes("a publication", true, true, true)
	must(w.UpdateReceipt(t.Context(), w.subscriber, n.ID, core.ReceiptPatch{Read: new(true)}, w.now))
	changes("reading", false, false, false)
	must(w.UpdateReceipt(t.Context(), w.subscriber, n.ID, core.ReceiptPatch{Archived: new(true)}, w.now))
	changes("archiving", false, false, true)
	must(w.UpdateReceipt(t.Context(), w.subscriber, n.ID, core.ReceiptPatch{Archived: new(false)}, w.now))
	changes("restoring", false, false, true)
	must(w.UpdateChannel(t.Context(), w.channel.ID, core.ChannelPatch{Name: new("Outro")}, nil,
		w.now.Add(time.Hour), nil))
	changes("another name", true, true, true)
	check.Equal(t, "error of unfollowing", w.Unsubscribe(t.Context(), w.subscriber, w.channel.ID, w.now), nil)
	changes("unfollowing", false, false, true)
}
