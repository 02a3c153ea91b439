package delivery_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sininho/sininho/internal/eventually"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/delivery"
)

// soon is within what time a push arrives that nobody else may delay.
const soon = 2 * time.Second

// hostile is push services of which those with "hostile" in their address do what strangers may make them do.
type hostile struct {
	respond func(ctx context.Context) core.Result
	mu      sync.Mutex
	posts   map[string]int
}

func (h *hostile) Send(ctx context.Context, _ core.Push, to core.PushAddress) core.Result {
	h.mu.Lock()
	if h.posts == nil {
		h.posts = map[string]int{}
	}
	h.posts[to.Address]++
	h.mu.Unlock()
	if strings.Contains(to.Address, "hostile") {
		return h.respond(ctx)
	}
	return core.Result{Outcome: core.Accepted}
}

// most returns the most pushes to one hostile device.
func (h *hostile) most() (most int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for address, n := range h.posts {
		if strings.Contains(address, "hostile") {
			most = max(most, n)
		}
	}
	return most
}

// attack is a channel of a hostile publisher whose one follower has devices at an origin, or at many, and a channel
// with one ordinary reader whose device is at push.example.com.
type attack struct {
	*world
	service *hostile
	theirs  core.ChannelRef
	reader  core.ID // the device
	devices int
}

// newAttack has devices at origins of that form, with a number for %d.
func newAttack(t *testing.T, origin string, devices int, respond func(ctx context.Context) core.Result) *attack {
	t.Helper()
	a := &attack{world: newWorld(t), service: &hostile{respond: respond}, devices: devices}
	a.positioned = make(chan int64, 10_000)
	a.reader = a.webPush(a.follower("reader", core.BellAll, false), "https://push.example.com/reader")
	ours := a.channel
	publisher := must(a.EnsurePublisher(t.Context(), core.Publisher{ID: core.NewID(), Slug: "mau", Name: "Mau"}))
	category := must(a.EnsureCategory(t.Context(), core.Category{ID: core.NewID(), Slug: "cidade", Name: "Cidade"}))
	c, _, err := a.CreateChannel(t.Context(), core.NewID(), publisher,
		core.ChannelInput{Slug: "mal", Name: "Mal", CategoryID: category, Visibility: core.Public}, now(),
		core.Idempotency{})
	if err != nil {
		t.Fatalf("create a channel: %v", err)
	}
	a.theirs, a.channel = c.ChannelRef, c.ChannelRef
	first := a.webPush(a.follower("hostile", core.BellAll, false), at(origin, 0))
	a.exec(`insert into devices (id, subscriber_id, installation_id, kind, address, service, p256dh, auth, platform, name)
		select gen_random_uuid(), d.subscriber_id, 'i' || i, 'webpush', replace($2, '%d', i::text),
			regexp_replace(replace($2, '%d', i::text), '/hostile.*', ''), d.p256dh, d.auth, 'web', 'x'
		from devices d cross join generate_series(1, $3::int - 1) i where d.id = $1`, first, origin, devices)
	a.channel = ours
	a.startWith(func(c *delivery.Config) { c.Sender, c.WebPushQuota = a.service, 600_000 })
	return a
}

func at(origin string, n int) string { return strings.ReplaceAll(origin, "%d", fmt.Sprint(n)) }

// webPush makes a device one of Web Push.
func (w *world) webPush(device core.ID, endpoint string) core.ID {
	w.t.Helper()
	w.exec(`update devices set kind = 'webpush', address = $2, service = $3, p256dh = '\x00', auth = '\x00' where id = $1`,
		device, endpoint, core.PushOrigin(endpoint))
	return device
}

func (w *world) exec(sql string, args ...any) {
	w.t.Helper()
	if _, err := w.db.Pool().Exec(w.t.Context(), sql, args...); err != nil {
		w.t.Fatalf("%s: %v", sql, err)
	}
}

// attacks publishes to the hostile channel.
func (a *attack) attacks(notifications int) (last core.ID) {
	a.t.Helper()
	for range notifications {
		last = a.publish(func(n *core.Notification) { n.Channel = a.theirs })
	}
	return last
}

// read publishes to the reader, and expects the push to arrive as if nobody else were there.
func (a *attack) read(when string) {
	a.t.Helper()
	began := time.Now()
	id := a.publish(nil)
	if got := a.outcomes(id, 1)[a.reader]; got != string(core.Accepted) {
		a.t.Errorf("outcome of the reader's push %s: got %q, want accepted", when, got)
	}
	took := time.Since(began)
	a.t.Logf("the reader's push %s took %s", when, took)
	if took > soon {
		a.t.Errorf("time of the reader's push %s: got %s, want at most %s", when, took, soon)
	}
}

// TestAttackSilentPushServices has 100 devices at 100 origins that never respond.
func TestAttackSilentPushServices(t *testing.T) {
	t.Parallel()
	a := newAttack(t, "https://%d.example.net/hostile/%d", 100, func(ctx context.Context) core.Result {
		<-ctx.Done()
		return core.Result{Cause: core.CauseUnavailable, Err: ctx.Err()}
	})
	a.attacks(50)
	eventually.True(t, "pushes under way", func() bool { return a.service.most() > 0 })
	a.read("beside silent push services")
	a.read("beside silent push services again")
}

// TestAttackRefusals has 25 devices whose subscriptions belong to another key, at the reader's push service. It is not
// paused, and the devices are retired after a few tries.
func TestAttackRefusals(t *testing.T) {
	t.Parallel()
	a := newAttack(t, "https://push.example.com/hostile/%d", 25, func(context.Context) core.Result {
		return core.Result{Cause: core.CauseCredentials, Refused: true, Err: context.DeadlineExceeded}
	})
	id := a.attacks(1)
	eventually.True(t, "the first refusals", func() bool { return a.service.most() > 0 })
	a.read("beside refusals")
	a.attacks(20)
	a.read("beside more refusals")
	eventually.True(t, "the devices to be retired", func() (retired bool) {
		a.exec("update devices set retry_at = now() where retry_at > now() + interval '5 seconds'")
		a.exec("update turns set due_at = now() where parked and due_at > now() + interval '21 seconds'")
		err := a.db.Pool().QueryRow(t.Context(), "select count(*) = $1 from devices where retired_cause = $2",
			a.devices, core.RetiredWrongKey).Scan(&retired)
		return err == nil && retired
	})
	if got := a.service.most(); got > 3*2 { // two runs may try one at the same time
		t.Errorf("most pushes to one of the devices: got %d, want at most 6", got)
	}
	for device, got := range a.outcomes(id, a.devices) {
		if got != "failed sender_mismatch" && got != "failed retired" {
			t.Errorf("outcome of %s: got %q, want it failed", device, got)
		}
	}
}

// TestAttackWaitsOfOneDevice has a device whose push service wants it to be left alone for an hour: that is for the
// device, and not for its push service.
func TestAttackWaitsOfOneDevice(t *testing.T) {
	t.Parallel()
	a := newAttack(t, "https://push.example.com/hostile/%d", 1, func(context.Context) core.Result {
		return core.Result{Cause: core.CauseQuota, Wait: time.Hour}
	})
	a.attacks(1)
	eventually.True(t, "the wait", func() bool { return a.service.most() > 0 })
	a.read("beside a device that is left alone")
	a.attacks(20)
	a.read("beside more for that device")
	if got := a.service.most(); got != 1 {
		t.Errorf("pushes to the device that is to be left alone: got %d, want 1", got)
	}
}

// TestAttackABacklog has 100,000 batches of one publisher wait: another publisher's push comes after those under way.
func TestAttackABacklog(t *testing.T) {
	t.Parallel()
	const backlog = 100_000
	a := newAttack(t, "https://push.example.com/hostile/%d", 1, func(context.Context) core.Result {
		return core.Result{Outcome: core.Accepted}
	})
	id := a.attacks(1)
	a.outcomes(id, 1)
	a.exec(`insert into turns (queue, owner, service, class, kind, devices, notification_id, first)
		select 'webpush', x.publisher_id, '~', 1, 'send', 500, x.notification_id, 0
		from dispatches x cross join generate_series(1, $2::int) where x.notification_id = $1`, id, backlog)
	a.read("behind a backlog")
	a.read("behind a backlog again")
	var left int
	if err := a.db.Pool().QueryRow(t.Context(), "select count(*) from turns").Scan(&left); err != nil || left < backlog/2 {
		t.Errorf("turns that wait still: got %d and error %v, want most of %d", left, err, backlog)
	}
}

// TestAttackManyAtOnce publishes 100 notifications to 100 devices of one's own, and corrects each of them.
func TestAttackManyAtOnce(t *testing.T) {
	t.Parallel()
	a := newAttack(t, "https://push.example.com/hostile/%d", 100, func(context.Context) core.Result {
		return core.Result{Outcome: core.Accepted}
	})
	var all []core.ID
	for range 100 {
		all = append(all, a.attacks(1))
	}
	a.read("behind many notifications")
	ours := a.channel
	a.channel = a.theirs
	for _, id := range all {
		a.correct(id, func(n *core.Notification, _ time.Time) { n.Title = "x" })
	}
	a.channel = ours
	a.read("behind many corrections")
}
