package delivery_test

import (
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/sininho/sininho/internal/eventually"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/delivery"
	"github.com/sininho/sininho/server/internal/postgres"
	"github.com/sininho/sininho/server/lab/check"
	"github.com/sininho/sininho/server/lab/writertest"
)

var daily = []core.Weekday{"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"}

// plan makes a template of a member that is due each day at noon, for the first time at a moment.
func plan(store *postgres.Store, t *testing.T, channel, planner core.ID, makes core.PlanMakes, next time.Time) core.ID {
	t.Helper()
	id := core.NewID()
	d := core.Draft{DraftOwner: core.DraftOwner{ChannelID: channel}, ID: id, Name: id.String(),
		Content: core.PublishInput{Title: "Ementa", Importance: core.Important}, CreatedAt: next, UpdatedAt: next,
		PlannerID: planner, NextAt: &next,
		Plan: &core.Plan{Makes: makes, Weekdays: daily, Time: 12 * 60, Timezone: "UTC"}}
	if _, _, err := store.CreateDraft(t.Context(), d, core.Idempotency{}); err != nil {
		t.Fatalf("plan: %v", err)
	}
	return id
}

// plan plans something of a subscriber, who is made a member, now.
func (w *steps) plan(t *testing.T, makes core.PlanMakes) core.ID {
	t.Helper()
	w.exec(t, `insert into publisher_members (publisher_id, subscriber_id, role)
		select publisher_id, $1, 'editor' from channels where id = $2 on conflict do nothing`, w.subscriber, w.channel.ID)
	return plan(w.Store, t, w.channel.ID, w.subscriber, makes, w.now)
}

func (w *steps) template(t *testing.T, id core.ID) core.Draft {
	t.Helper()
	return must(w.Draft(t.Context(), core.DraftOwner{ChannelID: w.channel.ID}, id))
}

func (w *steps) titles(t *testing.T) []string {
	t.Helper()
	return scan[[]string](t, w, `select coalesce(array_agg(title || ' ' || importance || ' ' ||
		coalesce(actor_kind, 'system')), '{}') from notifications`)
}

// TestFollowPlans expects a plan to publish once when it is due, whatever was missed, and not in a suspended channel.
func TestFollowPlans(t *testing.T) {
	t.Parallel()
	w := newSteps(t)
	id := w.plan(t, core.MakesNotification)
	check.Equal(t, "plans followed", must(w.FollowPlans(t.Context())), 1)
	check.Equal(t, "followed again", must(w.FollowPlans(t.Context())), 0)
	check.Equal(t, "published", w.titles(t), []string{"Ementa important person"})
	check.Equal(t, "next", *w.template(t, id).NextAt, w.now.AddDate(0, 0, 1))

	w.now = w.now.AddDate(0, 0, 3).Add(time.Hour) // no server was there
	check.Equal(t, "followed late", must(w.FollowPlans(t.Context())), 1)
	check.Equal(t, "published late", len(w.titles(t)), 2)
	check.Equal(t, "next after that", *w.template(t, id).NextAt, w.now.AddDate(0, 0, 1).Add(-time.Hour))

	w.exec(t, "update channels set suspended = true")
	w.now = w.now.AddDate(0, 0, 1)
	check.Equal(t, "followed while suspended", must(w.FollowPlans(t.Context())), 1)
	check.Equal(t, "published while suspended", len(w.titles(t)), 2)
	check.Equal(t, "missed", *w.template(t, id).MissedAt, w.now)

	w.exec(t, "update channels set suspended = false")
	w.exec(t, "update drafts set plan = jsonb_set(plan, '{endsAt}', to_jsonb($1::timestamptz))", w.now.AddDate(0, 0, 1))
	w.now = w.now.AddDate(0, 0, 1)
	check.Equal(t, "followed at the end", must(w.FollowPlans(t.Context())), 1)
	d := w.template(t, id)
	check.Equal(t, "published at the end", len(w.titles(t)), 3)
	check.Equal(t, "next and missed after the end", []*time.Time{d.NextAt, d.MissedAt}, []*time.Time{nil, nil})
}

// TestPlansWithoutRoom expects a full storage to let a plan publish nothing, and the others of its group all the same.
func TestPlansWithoutRoom(t *testing.T) {
	t.Parallel()
	w := newSteps(t)
	full := w.plan(t, core.MakesNotification)
	w.exec(t, `insert into publisher_storage (publisher_id, used, quota) select publisher_id, 10, 10 from channels
		on conflict (publisher_id) do update set used = 10, quota = 10`)
	other := must(w.EnsurePublisher(t.Context(), core.Publisher{ID: core.NewID(), Slug: "rio", Name: "Rio"}))
	in := core.ChannelInput{Slug: "cheia", Name: "Cheia", CategoryID: w.category, Visibility: core.Public}
	c := must3(w.CreateChannel(t.Context(), core.NewID(), other, in, w.now, core.Idempotency{}))
	plan(w.Store, t, c.ID, core.ID{}, core.MakesNotification, w.now)
	check.Equal(t, "plans followed", must(w.FollowPlans(t.Context())), 2)
	check.Equal(t, "published", w.titles(t), []string{"Ementa important system"})
	check.Equal(t, "missed", *w.template(t, full).MissedAt, w.now)
}

// TestPlannedDrafts expects drafts of whoever planned them, until they have as many as there may be or leave.
func TestPlannedDrafts(t *testing.T) {
	t.Parallel()
	w := newSteps(t)
	first, second := w.plan(t, core.MakesDraft), w.plan(t, core.MakesDraft)
	drafts := func() (n int) {
		t.Helper()
		_, total, err := w.Drafts(t.Context(), core.DraftOwner{ChannelID: w.channel.ID, AuthorID: w.subscriber},
			core.Page{Limit: 1})
		return int(must(total, err))
	}
	check.Equal(t, "plans followed", must(w.FollowPlans(t.Context())), 2)
	check.Equal(t, "drafts", drafts(), 2)
	check.Equal(t, "published", w.titles(t), []string{})

	most := core.DefaultCaps()[core.CapDrafts]
	w.exec(t, `insert into drafts (id, channel_id, publisher_id, author_id, content, created_at, updated_at)
		select gen_random_uuid(), id, publisher_id, $1, '{}', now(), now() from channels, generate_series(1, $2)`,
		w.subscriber, most-3)
	w.now = w.now.AddDate(0, 0, 1)
	must(w.FollowPlans(t.Context()))
	check.Equal(t, "drafts at the limit", drafts(), most)
	missed := 0
	for _, id := range []core.ID{first, second} {
		if w.template(t, id).MissedAt != nil {
			missed++
		}
	}
	check.Equal(t, "plans that found no room", missed, 1)

	w.exec(t, "delete from publisher_members")
	w.now = w.now.AddDate(0, 0, 1)
	check.Equal(t, "plans followed without their planner", must(w.FollowPlans(t.Context())), 2)
	check.Equal(t, "when they made nothing", *w.template(t, first).MissedAt, w.now)
}

// TestPlansOfManyNodes expects two nodes to follow each of more plans than one transaction takes once.
func TestPlansOfManyNodes(t *testing.T) {
	t.Parallel()
	w := newSteps(t)
	const all = 250
	w.exec(t, `insert into drafts (id, channel_id, publisher_id, name, content, plan, next_at, created_at, updated_at)
		select gen_random_uuid(), c.id, c.publisher_id, 'm' || i, '{"title": "Ementa"}',
			'{"makes": "notification", "weekdays": ["monday"], "time": 720, "timezone": "UTC"}', $1, $1, $1
		from channels c, generate_series(1, $2) i`, w.now, all)
	var nodes errgroup.Group
	var followed atomic.Int64
	for range 2 {
		node := writertest.New(t, w.db, func() time.Time { return w.now })
		nodes.Go(func() error {
			for {
				n, err := node.FollowPlans(t.Context())
				if followed.Add(int64(n)); err != nil || n == 0 {
					return err
				}
			}
		})
	}
	if err := nodes.Wait(); err != nil {
		t.Fatalf("follow plans: %v", err)
	}
	check.Equal(t, "plans followed", followed.Load(), int64(all))
	check.Equal(t, "published", scan[int](t, w, "select count(*) from notifications where visible"), all)
}

// TestPlanIsPushed expects running nodes to publish what is due, and followers to be pushed it.
func TestPlanIsPushed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.follower("ana", core.BellAll, false)
	w.start()
	w.start()
	plan(w.Store, t, w.channel.ID, core.ID{}, core.MakesNotification, now().Add(time.Second))
	eventually.True(t, "the push", func() bool { return len(w.titlesAt("ana")) > 0 })
	check.Equal(t, "pushed", fmt.Sprint(w.titlesAt("ana")), "[Ementa]")
}

// TestLookForPlans expects a node to look again when a plan is due.
func TestLookForPlans(t *testing.T) {
	t.Parallel()
	w := newSteps(t)
	look := func() delivery.Agenda { return must(delivery.Look(t.Context(), w.db, w.now)) }
	check.Equal(t, "whether one is due without any", look().Plans, false)
	plan(w.Store, t, w.channel.ID, core.ID{}, core.MakesNotification, w.now.Add(time.Second/2))
	found := look()
	check.Equal(t, "half a second before one is due", []any{found.Plans, found.Next}, []any{false, 0.5})
	w.now = w.now.Add(time.Second)
	check.Equal(t, "whether one is due at its time", look().Plans, true)
}
