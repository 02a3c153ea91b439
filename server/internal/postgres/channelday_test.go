package postgres_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sininho/sininho/server/internal/core"
)

// followed makes people who follow the channel.
func (w *world) followed(t *testing.T, n int) (people []core.ID) {
	t.Helper()
	for range n {
		subject := core.NewID().String()
		profile := core.Profile{Subject: subject, Email: subject + "@example.com", Name: "Seguidor", Locale: "pt"}
		id := must(w.SignIn(t.Context(), profile, core.SignUp{Open: true}, w.now)).ID
		must(w.Subscribe(t.Context(), id, w.channel.ID, w.now))
		people = append(people, id)
	}
	return people
}

// daysPass makes days pass: everything so far was that much earlier.
func (w *world) daysPass(t *testing.T, days int) {
	t.Helper()
	w.execute(t, "update channel_days set day = day - 1000")
	w.execute(t, "update channel_days set day = day + 1000 - $1::integer", days)
	w.execute(t, "update channels set followers_since = followers_since - $1::integer", days)
}

// wantFollowers compares the numbers of the last days, of which the last is today.
func (w *world) wantFollowers(t *testing.T, what string, days int, want ...int64) {
	t.Helper()
	data := must(w.ChannelFollowers(t.Context(), w.channel.ID, days))
	var got []int64
	today := time.Now().UTC().Truncate(24 * time.Hour)
	for i, d := range data {
		got = append(got, d.Followers)
		if day := today.AddDate(0, 0, i+1-len(data)); !d.Day.Equal(day) {
			t.Errorf("%s: day %d: got %s, want %s", what, i, d.Day, day)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s: followers by day (-want +got):\n%s", what, diff)
	}
}

func TestChannelFollowers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.wantFollowers(t, "a new channel", 30, 0)
	people := w.followed(t, 3)
	must(w.Subscribe(t.Context(), people[0], w.channel.ID, w.now)) // follows it already
	w.wantFollowers(t, "the first day", 30, 3)
	w.daysPass(t, 2)
	w.wantFollowers(t, "two days later", 30, 3, 3, 3)
	succeed(t, "unfollow", w.Unsubscribe(t.Context(), people[0], w.channel.ID, w.now))
	w.daysPass(t, 1)
	must(w.DeleteSubscriber(t.Context(), people[1], nil, w.now))
	w.followed(t, 3)
	w.wantFollowers(t, "after an account was deleted", 30, 3, 3, 2, 4)
	w.wantFollowers(t, "fewer days", 2, 2, 4)
	w.wantFollowers(t, "one day", 1, 4)

	want := []int64{3, 3, 2, 2, 2, 2, 4}
	w.execute(t, "update channel_days set day = day - 3 where day < (now() at time zone 'utc')::date")
	w.execute(t, "update channels set followers_since = followers_since - 3")
	w.wantFollowers(t, "with a gap", 7, want...)
	succeed(t, "prune", w.Prune(t.Context(), time.Now()))
	w.wantFollowers(t, "with merged stripes", 7, want...)
	equal(t, "rows of days before yesterday that are not merged",
		w.count(t, "select count(*) from channel_days where stripe > 0 and day < current_date - 2"), 0)
	succeed(t, "prune much later", w.Prune(t.Context(), time.Now().AddDate(0, 0, core.FollowerDaysShown-4)))
	w.wantFollowers(t, "of which the first days are deleted", 3, 2, 2, 4)

	_, err := w.ChannelFollowers(t.Context(), core.NewID(), 30)
	wantCode(t, "followers of no channel", err, core.CodeNotFound)
	succeed(t, "delete the channel", w.DeleteChannel(t.Context(), w.channel.ID, nil, w.now))
	_, err = w.ChannelFollowers(t.Context(), w.channel.ID, 30)
	wantCode(t, "followers of a deleted channel", err, core.CodeNotFound)
}

// TestChannelFollowersAreExact follows and unfollows at the same time, and deletes accounts. At each moment the first
// day has what it had, and in the end today has the number of subscriptions.
func TestChannelFollowersAreExact(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	people := w.followed(t, 20)
	w.daysPass(t, 1)
	ctx, stop := context.WithCancel(t.Context())
	var reading, changing sync.WaitGroup
	reading.Go(func() {
		for ctx.Err() == nil {
			if data, err := w.ChannelFollowers(ctx, w.channel.ID, 2); err == nil && data[0].Followers != 20 {
				t.Errorf("followers yesterday, while they change: got %d, want 20", data[0].Followers)
			}
		}
	})
	for i, id := range people {
		changing.Go(func() {
			for range 10 {
				if err := w.Unsubscribe(context.Background(), id, w.channel.ID, w.now); err != nil {
					t.Errorf("unfollow: %v", err)
				}
				if _, err := w.Subscribe(context.Background(), id, w.channel.ID, w.now); err != nil {
					t.Errorf("follow: %v", err)
				}
			}
			if i%4 == 0 {
				if _, err := w.DeleteSubscriber(context.Background(), id, nil, w.now); err != nil {
					t.Errorf("delete an account: %v", err)
				}
			}
		})
	}
	changing.Wait()
	stop()
	reading.Wait()
	w.wantFollowers(t, "afterwards", 30, 20, 15)
	equal(t, "subscriptions", w.count(t, "select count(*) from subscriptions"), 15)
}

// owner returns the publisher of the channel.
func (w *world) owner(t *testing.T) core.ID {
	t.Helper()
	return must(w.PublisherBySlug(t.Context(), w.channel.PublisherSlug)).ID
}

// TestTrending sorts by the followers gained in seven days, and then by all.
func TestTrending(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.followed(t, 5)
	w.daysPass(t, 7)
	agenda := w.channel
	for i, slug := range []string{"novo", "curto", "perdido"} {
		w.channel = w.newChannel(t, w.owner(t), w.category(t, "cidade"), slug, slug).ChannelRef
		w.followed(t, i+1)
	}
	w.execute(t, `update channel_days set day = day - 6 where channel_id = (select id from channels where slug = 'curto')`)
	w.channel = agenda
	trending := func(what string, want ...string) {
		t.Helper()
		f := core.ChannelFilter{Sort: core.SortTrending, Page: core.Page{Limit: 10}}
		list, total, err := w.Channels(t.Context(), f)
		succeed(t, "list channels", err)
		equal(t, "total", total, 4)
		got := []string{}
		for _, c := range list {
			got = append(got, c.Slug)
		}
		equal(t, fmt.Sprintf("trending channels %s", what), got, want)
	}
	trending("at first", "perdido", "curto", "novo", "agenda")
	w.execute(t, "delete from channel_days where channel_id <> $1", agenda.ID)
	trending("that gained nothing", "agenda", "perdido", "curto", "novo")
	w.followed(t, 1)
	trending("of which one gained", "agenda", "perdido", "curto", "novo")
}
