package delivery_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/delivery"
)

func TestFinish(t *testing.T) {
	t.Parallel()
	w := newSteps(t)
	devices := w.devices(t, 3)
	n := w.search(t)
	looks := func(want int, finished ...delivery.Finished) {
		t.Helper()
		got, done, err := delivery.Finish(t.Context(), w.db, 100, w.now)
		if err != nil {
			t.Fatalf("finish: %v", err)
		}
		if got != want {
			t.Errorf("dispatches looked at: got %d, want %d", got, want)
		}
		if diff := cmp.Diff(finished, done); diff != "" {
			t.Errorf("finished dispatches (-want +got):\n%s", diff)
		}
	}
	w.record(t, n, devices[0], core.Accepted, "")
	w.record(t, n, devices[1], core.Failed, core.CauseInvalid)
	looks(1)
	looks(0) // not before it is time
	if w.finished(t, n) {
		t.Error("dispatch with a pending device: got finished, want unfinished")
	}
	w.record(t, n, devices[2], core.Failed, core.CauseInvalid)
	w.now = w.now.Add(time.Second)
	looks(1, delivery.Finished{
		NotificationID: n.ID, ChannelID: w.channel.ID, StartedAt: *n.PublishedAt,
		Summary: core.DeliverySummary{
			Targeted: 3, Accepted: 1, Failed: core.Causes{core.CauseInvalid: 2}, Finished: true,
		},
	})
	if !w.finished(t, n) {
		t.Fatal("dispatch with all outcomes: got unfinished, want finished")
	}
	w.now = w.now.Add(time.Hour)
	looks(0)
	w.exec(t, "delete from delivery_batches") // the kept numbers are read
	kept := core.DeliverySummary{Targeted: 3, Accepted: 1, Failed: core.Causes{core.CauseInvalid: 2}, Finished: true}
	if diff := cmp.Diff(kept, must(w.DeliverySummary(t.Context(), w.channel.ID, n.ID))); diff != "" {
		t.Errorf("kept delivery summary (-want +got):\n%s", diff)
	}
	none := newSteps(t)
	none.devices(t, 1)
	empty := none.publish(t, "to nobody in the end")
	none.exec(t, "update devices set retired_at = now()")
	none.find(t, empty.ID, 1_000)
	if must3(delivery.Finish(t.Context(), none.db, 100, none.now)); !none.finished(t, empty) {
		t.Error("dispatch without devices: got unfinished, want finished")
	}
}

// TestFinishLater looks at a waiting dispatch more and more rarely, and does not count it.
func TestFinishLater(t *testing.T) {
	t.Parallel()
	w := newSteps(t)
	device := w.devices(t, 1)[0]
	held, unsearched := w.search(t), w.publish(t, "unsearched")
	w.exec(t, "insert into held_pushes (notification_id, device_id, until, first, place) values ($1, $2, $3, 0, 0)",
		held.ID, device, w.now.Add(9*time.Hour))
	w.exec(t, `insert into delivery_batches (notification_id, first, devices, outcomes)
		values ($1, 0, array[$2]::uuid[], 'a')`, unsearched.ID, device)
	wait := func(n core.Notification) time.Duration {
		return scan[time.Time](t, w, "select check_at from dispatches where notification_id = $1", n.ID).Sub(w.now)
	}
	began := w.now
	for _, step := range []struct {
		after, wait time.Duration
	}{
		{0, time.Second}, {2 * time.Minute, 10 * time.Second}, {20 * time.Minute, time.Minute},
		{2 * time.Hour, 10 * time.Minute},
	} {
		w.now = began.Add(step.after)
		if n := must3(delivery.Finish(t.Context(), w.db, 100, w.now)); n != 2 {
			t.Errorf("dispatches looked at after %s: got %d, want 2", step.after, n)
		}
		for name, n := range map[string]core.Notification{"held": held, "unsearched": unsearched} {
			if got := wait(n); got != step.wait {
				t.Errorf("wait of the %s one after %s: got %s, want %s", name, step.after, got, step.wait)
			}
		}
	}
}

// TestFinishAfterAFastClock closes what a node published, and looked at, whose clock was an hour ahead.
func TestFinishAfterAFastClock(t *testing.T) {
	t.Parallel()
	w := newSteps(t)
	w.now = time.Now().Add(time.Hour)
	device := w.devices(t, 1)[0]
	untouched, looked := w.search(t), w.search(t)
	w.record(t, untouched, device, core.Accepted, "")
	w.exec(t, "update dispatches set expanded_at = null where notification_id = $1", untouched.ID)
	must3(delivery.Finish(t.Context(), w.db, 100, w.now)) // closes neither
	w.exec(t, "update dispatches set expanded_at = now() where notification_id = $1", untouched.ID)
	w.record(t, looked, device, core.Accepted, "")
	must3(delivery.Finish(t.Context(), w.db, 100, time.Now().Add(5*time.Second)))
	for name, n := range map[string]core.Notification{"first": untouched, "second": looked} {
		if !w.finished(t, n) {
			t.Errorf("%s dispatch of a node with a fast clock, five seconds later: got unfinished, want finished", name)
		}
	}
}

// TestFinishLarge does not look at two large dispatches together, and not again before it may be worth counting.
func TestFinishLarge(t *testing.T) {
	t.Parallel()
	w := newSteps(t)
	w.devices(t, 1)
	first, second := w.search(t), w.search(t)
	w.exec(t, "update dispatches set targeted = 1000000")
	for range 2 {
		if n := must3(delivery.Finish(t.Context(), w.db, 100, w.now)); n != 1 {
			t.Errorf("large dispatches looked at together: got %d, want 1", n)
		}
	}
	for _, n := range []core.Notification{first, second} {
		if at := scan[time.Time](t, w, "select check_at from dispatches where notification_id = $1",
			n.ID); at.Sub(w.now) != 50*time.Second {
			t.Errorf("time until it is looked at again: got %s, want 50s", at.Sub(w.now))
		}
	}
}

// TestFinishIsCheap finishes 1,000 dispatches of 5 devices each, among many that are finished. It takes some 50 ms; the
// bound leaves room for a busy machine.
func TestFinishIsCheap(t *testing.T) {
	t.Parallel()
	w := newSteps(t)
	w.exec(t, `insert into notifications (id, channel_id, title, body, importance, visible, published_at)
		select gen_random_uuid(), $1, 't', '', 'normal', true, $2 from generate_series(1, 21000)`,
		w.channel.ID, w.now)
	w.exec(t,
		`insert into dispatches (notification_id, channel_id, publisher_id, importance, started_at, targeted, expanded_at, check_at, finished_at)
		select id, channel_id, gen_random_uuid(), importance, $1::timestamptz, 5, $1, $1, case when row_number() over () > 1000 then $1 end from notifications`, w.now)
	w.exec(t, `insert into delivery_batches (notification_id, first, devices, outcomes)
		select notification_id, 0, array_agg(gen_random_uuid()), repeat('a', 5)
		from dispatches, generate_series(1, 5) where finished_at is null group by notification_id`)
	w.exec(t, "analyze")
	began := time.Now()
	if n := must3(delivery.Finish(t.Context(), w.db, 1_000, w.now)); n != 1_000 {
		t.Errorf("dispatches looked at: got %d, want 1000", n)
	}
	t.Logf("1,000 in %s", time.Since(began))
	if left := scan[int](t, w, "select count(*) from dispatches where finished_at is null"); left != 0 {
		t.Errorf("unfinished dispatches: got %d, want none", left)
	}
	if took := time.Since(began); took > 30*time.Second {
		t.Errorf("duration: got %s, want at most 30s", took)
	}
}
