package postgres_test

import (
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sininho/sininho/server/internal/core"
)

// TestReach has followers whose devices ring, have never rung or are retired, and who muted the channel.
func TestReach(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	equal(t, "followers of a new channel", must(w.Reach(t.Context(), w.channel.ID, w.now)).Followers, 0)
	people := w.followed(t, 7)
	const device = `insert into devices (id, subscriber_id, installation_id, kind, address, platform, name, rings_since,
			retired_at)
		values (gen_random_uuid(), $1, $2, 'fcm', gen_random_uuid(), 'web', 'x', $3, $4)`
	for i, each := range []struct{ rings, retired *time.Time }{
		{&w.now, nil}, {&w.now, nil}, {&w.now, nil}, {&w.now, nil}, {nil, nil}, {&w.now, &w.now},
	} {
		w.exec(t, device, people[i], "first", each.rings, each.retired)
	}
	w.exec(t, device, people[0], "second", w.now, nil)
	for i, bell := range []core.Bell{core.BellAll, core.BellAll, core.BellImportant, core.BellNone} {
		must(w.UpdateSubscription(t.Context(), people[i], w.channel.ID, core.SubscriptionPatch{Bell: &bell}))
	}
	until := w.now.Add(time.Hour)
	must(w.UpdateSubscription(t.Context(), people[1], w.channel.ID,
		core.SubscriptionPatch{MutedUntil: core.Patch[time.Time]{Set: true, Value: &until}}))

	for at, all := range map[time.Time]int64{w.now: 1, until: 2} {
		want := core.Reach{Followers: 7, ByBell: map[core.Bell]int64{
			core.BellAll: all, core.BellImportant: 1, core.BellNone: 1}}
		if diff := cmp.Diff(want, must(w.Reach(t.Context(), w.channel.ID, at))); diff != "" {
			t.Errorf("reach at %s (-want +got):\n%s", at, diff)
		}
	}
}

// TestReachOfManyIsEstimated has a channel with many followers. Half of them want only what is important, and three of
// four have a device that rings. It takes some 60 ms, and with a million followers some 300 ms; the statement timeout
// of 10 s bounds it, however busy the machine is.
func TestReachOfManyIsEstimated(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const people = 60_500
	w.exec(t, `with people as (
			insert into subscribers (id, email, name, locale, timezone)
			select gen_random_uuid(), i || '@example.com', 'Ana', 'pt', 'Europe/Lisbon'
			from generate_series(1, $2::int) i
			returning id, split_part(email, '@', 1)::int as i
		), devices as (
			insert into devices (id, subscriber_id, installation_id, kind, address, platform, name, rings_since)
			select gen_random_uuid(), id, 'i', 'fcm', i, 'web', 'x', now() from people where i % 4 > 0
		)
		insert into subscriptions (subscriber_id, channel_id, bell, followed_at, read_ordinal, read_at)
		select id, $1, case when i / 4 % 2 = 0 then 'all' else 'important' end, now(), 0, now() from people`,
		w.channel.ID, people)
	w.exec(t, "insert into channel_counts (channel_id, stripe, subscribers) values ($1, 0, $2)", w.channel.ID, people)
	w.exec(t, "analyze")
	began := time.Now()
	r := must(w.Reach(t.Context(), w.channel.ID, w.now))
	t.Logf("reach of %d followers in %s", r.Followers, time.Since(began))
	equal(t, "followers", r.Followers, people)
	equal(t, "whether it is an estimate", r.Sampled, true)
	for _, bell := range []core.Bell{core.BellAll, core.BellImportant} {
		if got := float64(r.ByBell[bell]) / people; math.Abs(got-0.375) > 0.03 {
			t.Errorf("share of followers who are reached with the bell %s: got %.3f, want about 0.375", bell, got)
		}
	}
}
