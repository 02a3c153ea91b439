package delivery

import (
	"fmt"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/check"
	"github.com/sininho/sininho/server/internal/core"
)

func at(services ...string) (all []*part) {
	for _, s := range services {
		all = append(all, &part{service: s})
	}
	return all
}

// TestTrials expects push services that have proved nothing to leave half of the workers to the others.
func TestTrials(t *testing.T) {
	t.Parallel()
	var tr trials
	now := time.Now()
	enter := func(what string, all []*part, want bool) (leave func()) {
		t.Helper()
		leave, ok := tr.enter(all, now)
		check.Equal(t, what+" is sent", ok, want)
		return leave
	}
	leave := enter("the first batch of an origin", at("a"), true)
	enter("a second one beside it", at("a"), false)
	for i := range trialsAtOnce - 1 {
		enter(fmt.Sprint("the first batch of origin ", i), at(fmt.Sprint("b", i)), true)
	}
	enter("one more than half of the workers", at("c"), false)
	enter("a batch of FCM", at(core.ServiceFCM), true)
	leave()
	tr.learn(&part{service: "a", lost: -1}, now)
	for range webPushWorkers {
		enter("a batch of an origin that has accepted a push", at("a"), true)
	}
	leave = enter("a batch of several origins", at("a", "c", "d"), true)
	enter("another one at the limit", at("c"), false)
	leave()
	tr.learn(&part{service: "a", lost: mostLost}, now)
	leave = enter("the first batch of an origin that has become silent", at("a"), true)
	enter("its second one", at("a"), false)
	leave()
	tr.learn(&part{service: "a", lost: -1}, now.Add(-provenFor-time.Second))
	leave = enter("the first batch of an origin that accepted a push long ago", at("a"), true)
	enter("its second one", at("a"), false)
	leave()
	for i := range 2 * manyProven {
		tr.learn(&part{service: fmt.Sprint(i), lost: -1}, now)
	}
	if got := len(tr.proven); got > manyProven {
		t.Errorf("proven origins that are remembered: got %d, want at most %d", got, manyProven)
	}
}

// TestLanes expects batches of their own for push services with enough devices, and shared ones for the others.
func TestLanes(t *testing.T) {
	t.Parallel()
	var targets []core.Target
	add := func(n int, notification byte, service string) {
		for range n {
			targets = append(targets, core.Target{NotificationID: core.ID{notification}, DeviceID: core.NewID(),
				Service: service})
		}
	}
	for _, notification := range []byte{1, 2} {
		for i := range 3 * laneSize {
			add(1, notification, core.ServiceFCM)
			add(1, notification, "https://large.example")
			if i < laneSize-1 {
				add(1, notification, "https://small.example")
			}
			if i < 1 {
				add(1, notification, "https://tiny.example")
			}
		}
	}
	all := searches{{1}: {NotificationID: core.ID{1}}, {2}: {NotificationID: core.ID{2}}}
	batches, _, err := all.batches(inLanes(targets), time.Now())
	if err != nil {
		t.Fatalf("batches: %v", err)
	}
	var got []string
	next := map[core.ID]int64{}
	for _, b := range batches {
		got = append(got, fmt.Sprint(b.NotificationID[0], " ", b.Service, " ", len(b.Devices), " ", queueOf(b.Service)))
		check.Equal(t, "devices before a batch", b.First, next[b.NotificationID])
		next[b.NotificationID] += int64(len(b.Devices))
	}
	check.Equal(t, "batches", got, []string{
		"1 fcm 150 send", "1 https://large.example 150 webpush", "1 ~ 50 webpush",
		"2 fcm 150 send", "2 https://large.example 150 webpush", "2 ~ 50 webpush",
	})
}

// TestPartsGoOnByThemselves expects a paused push service to hold up no other of the same batch.
func TestPartsGoOnByThemselves(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		part part
		want time.Duration
	}{
		{"nothing was sent until a pause is over", part{later: 3 * time.Second}, 3 * time.Second},
		{"the push service asks for a pause", part{pause: time.Minute}, time.Minute},
		{"a device has to wait", part{wait: 5 * time.Second}, 5 * time.Second},
		{"backoff", part{}, 2 * time.Second},
		{"the notification expires before", part{pause: 2 * time.Hour}, time.Hour},
	} {
		check.Equal(t, c.name, c.part.again(2*time.Second, time.Hour), c.want)
	}
}
