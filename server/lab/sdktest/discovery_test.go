package sdktest_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/sininho/sininho/internal/eventually"
	"github.com/sininho/sininho/pkg/sininho"
	"github.com/sininho/sininho/server/lab/check"
)

func testChannelFollowers(t *testing.T, f *fixture) {
	ctx := t.Context()
	numbers := func(days int) []int64 {
		t.Helper()
		data, err := f.Client().Channels.Followers(ctx, f.channel, days) // as a visitor
		if err != nil {
			t.Fatalf("followers: %v", err)
		}
		var out []int64
		for _, d := range data {
			if _, err := time.Parse(time.DateOnly, d.Day); err != nil {
				t.Errorf("day of followers: %v", err)
			}
			out = append(out, d.Followers)
		}
		return out
	}
	if got := numbers(0); len(got) > 2 || got[0] != 0 { // two around midnight
		t.Errorf("followers of a new channel: got %v, want 0 today", got)
	}
	if _, err := f.owner.Subscriptions.Follow(ctx, f.channel); err != nil {
		t.Fatalf("follow: %v", err)
	}
	check.Equal(t, "followers of a channel that one person follows", numbers(1), []int64{1})
	publisher, err := f.Client().Publishers.Get(ctx, f.slug)
	if err != nil {
		t.Fatalf("get the publisher: %v", err)
	}
	check.Equal(t, "followers of the publisher", publisher.SubscriberCount, 1)
	for _, days := range []int{-1, 91} {
		if _, err := f.key.Channels.Followers(ctx, f.channel, days); !errors.Is(err, sininho.ErrInvalid) {
			t.Errorf("followers of %d days: got error %v, want %v", days, err, sininho.ErrInvalid)
		}
	}
	if _, err := f.key.Channels.Followers(ctx, f.slug+"/nada", 30); !errors.Is(err, sininho.ErrNotFound) {
		t.Errorf("followers of no channel: got error %v, want %v", err, sininho.ErrNotFound)
	}
}

// testDiscovery finds a channel by its publisher and by what it has published, as a visitor.
func testDiscovery(t *testing.T, f *fixture) {
	ctx := t.Context()
	update := sininho.PublisherUpdate{Name: new("Descoberta"), Website: new("https://example.com/descoberta")}
	if _, err := f.owner.Publishers.Update(ctx, f.slug, update); err != nil {
		t.Fatalf("change the publisher: %v", err)
	}
	text := sininho.PublishInput{Title: "Estação", Body: "Encerrada em " + f.slug + " por inundação"}
	if _, err := f.key.Notifications.Publish(ctx, f.channel, text); err != nil {
		t.Fatalf("publish: %v", err)
	}
	visitor := f.Client()
	find := func(opts sininho.ChannelListOptions) (addresses []string) {
		t.Helper()
		for c, err := range visitor.Channels.List(ctx, opts) {
			if err != nil {
				t.Fatalf("list channels: %v", err)
			}
			addresses = append(addresses, c.Address().String())
			check.Equal(t, "website of the publisher", c.Publisher.Website, *update.Website)
		}
		return addresses
	}
	want := []string{f.channel}
	check.Equal(t, "channels of the publisher", find(sininho.ChannelListOptions{Publisher: f.slug}), want)
	check.Equal(t, "channels found by the publisher", find(sininho.ChannelListOptions{Query: "descoberta"}), want)
	for _, sort := range []sininho.ChannelSort{sininho.SortTrending, sininho.SortNewest} {
		eventually.True(t, "the channel to be found by what it published", func() bool {
			return slices.Equal(find(sininho.ChannelListOptions{Query: "estacao inundacao " + f.slug, Sort: sort}), want)
		})
	}
}
