package dispatch_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/dispatch"
	"github.com/sininho/sininho/server/internal/pgtest"
	"github.com/sininho/sininho/server/internal/postgres"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// pushes is a push service with answers by address.
type pushes struct {
	mu      sync.Mutex
	answers map[string][]core.Result // consumed one by one; then accepted
	sent    map[string]int
	titles  map[string][]string
	revised map[string][]string
	block   chan struct{} // pushes, but no revisions, wait for it to be closed
}

func (p *pushes) Send(_ context.Context, push core.Push, address string) core.Result {
	if p.block != nil && push.Revision == "" {
		<-p.block
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if push.Revision != "" {
		p.revised[address] = append(p.revised[address], string(push.Revision)+" "+push.Title)
	} else {
		p.titles[address] = append(p.titles[address], push.Title)
	}
	p.sent[address]++
	if a := p.answers[address]; len(a) > 0 {
		p.answers[address] = a[1:]
		return a[0]
	}
	return core.Result{Outcome: core.Accepted}
}

type world struct {
	*postgres.Store
	t       *testing.T
	channel core.ChannelRef
	pushes  *pushes
	d       *dispatch.Dispatcher
	placed  chan int64
	ahead   atomic.Int64 // by how much the dispatchers' clock goes ahead
}

func now() time.Time { return time.Now().UTC().Truncate(time.Microsecond) }

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{Store: pgtest.Store(t), t: t, placed: make(chan int64, 100),
		pushes: &pushes{answers: map[string][]core.Result{}, sent: map[string]int{}, titles: map[string][]string{}, revised: map[string][]string{}}}
	category := must(w.EnsureCategory(t.Context(), core.Category{ID: core.NewID(), Slug: "cidade", Name: "Cidade"}))
	publisher := must(w.EnsurePublisher(t.Context(), core.Publisher{ID: core.NewID(), Slug: "vila", Name: "Vila"}))
	c, _, err := w.CreateChannel(t.Context(), core.NewID(), publisher, core.ChannelInput{Slug: "agenda", Name: "Agenda", CategoryID: category, Visibility: core.Public}, now(), core.Idempotency{})
	if err != nil {
		t.Fatal(err)
	}
	w.channel = c.ChannelRef
	return w
}

func (w *world) start() {
	w.t.Helper()
	w.d = must(dispatch.New(w.Pool(), dispatch.Config{Store: w.Store, Sender: w.pushes, Quota: 600_000, Now: func() time.Time { return now().Add(time.Duration(w.ahead.Load())) },
		Placed: func(_ context.Context, p int64) { w.placed <- p }, Log: slog.New(slog.DiscardHandler)}))
	if err := w.d.Start(w.t.Context()); err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		if err := w.d.Stop(ctx); err != nil {
			w.t.Error(err)
		}
	})
}

// follower makes a person who follows the channel with a device of that address.
func (w *world) follower(address string, bell core.Bell, muted bool) core.ID {
	w.t.Helper()
	id := must(w.SignIn(w.t.Context(), core.Profile{Subject: address, Email: address + "@example.com", Name: address, Locale: "pt"}, now())).ID
	must(w.Subscribe(w.t.Context(), id, w.channel.ID, now()))
	patch := core.SubscriptionPatch{Bell: &bell}
	if muted {
		until := now().Add(time.Hour)
		patch.MutedUntil = core.Patch[time.Time]{Set: true, Value: &until}
	}
	must(w.UpdateSubscription(w.t.Context(), id, w.channel.ID, patch))
	session := core.Session{ID: core.NewID(), SubscriberID: id, CreatedAt: now(), SeenAt: now()}
	if err := w.CreateSession(w.t.Context(), session, session.ID[:]); err != nil {
		w.t.Fatal(err)
	}
	d, _, err := w.RegisterDevice(w.t.Context(), id, session.ID, core.DeviceInput{InstallationID: "i-" + address, Kind: "token", Address: address, Platform: "web", Name: "x"}, now())
	if err != nil {
		w.t.Fatal(err)
	}
	return d.ID
}

func (w *world) publish(change func(*core.Notification)) core.ID {
	w.t.Helper()
	at := now()
	n := core.Notification{ID: core.NewID(), Channel: w.channel, Title: "t", Importance: core.Normal, PublishedAt: &at, Visible: true}
	if change != nil {
		change(&n)
	}
	if _, _, err := w.Publish(w.t.Context(), n, core.Idempotency{}); err != nil {
		w.t.Fatal(err)
	}
	w.d.Nudge()
	return n.ID
}

// outcomes waits until the notification has that many, and answers them by device.
func (w *world) outcomes(notification core.ID, n int) map[core.ID]string {
	w.t.Helper()
	out := map[core.ID]string{}
	eventually(w.t, fmt.Sprintf("%d outcomes", n), func() bool {
		clear(out)
		rows, err := w.Pool().Query(w.t.Context(), "select device_id, outcome || coalesce(' ' || cause, '') from deliveries where notification_id = $1", notification)
		if err != nil {
			w.t.Fatal(err)
		}
		defer rows.Close()
		for rows.Next() {
			var id core.ID
			var outcome string
			if err := rows.Scan(&id, &outcome); err != nil {
				w.t.Fatal(err)
			}
			out[id] = outcome
		}
		return len(out) == n
	})
	return out
}

func (w *world) outcome(notification, device core.ID) (outcome string) {
	w.t.Helper()
	err := w.Pool().QueryRow(w.t.Context(), "select outcome || coalesce(' ' || cause, '') from deliveries where notification_id = $1 and device_id = $2",
		notification, device).Scan(&outcome)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		w.t.Fatal(err)
	}
	return outcome
}

func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	deadline := time.After(30 * time.Second)
	for !ok() {
		select {
		case <-deadline:
			t.Fatalf("waited in vain for %s", what)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

func TestOutcomes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	again := core.Result{Cause: core.CauseUnavailable}
	gone := core.Result{Outcome: core.Failed, Cause: core.CauseUnregistered, Retire: true}
	w.pushes.answers["flaky"] = []core.Result{again, again}
	w.pushes.answers["gone"] = []core.Result{gone}
	w.pushes.answers["refused"] = []core.Result{{Outcome: core.Failed, Cause: core.CauseInvalid}}
	devices := map[core.ID]string{
		w.follower("well", core.BellAll, false):                 "accepted",
		w.follower("flaky", core.BellAll, false):                "accepted",
		w.follower("gone", core.BellAll, false):                 "failed unregistered",
		w.follower("refused", core.BellAll, false):              "failed invalid",
		w.follower("muted", core.BellAll, true):                 "suppressed muted",
		w.follower("important-only", core.BellImportant, false): "suppressed bell",
		w.follower("off", core.BellNone, false):                 "suppressed bell",
	}
	w.start()
	first := w.outcomes(w.publish(nil), len(devices))
	for id, want := range devices {
		if first[id] != want {
			t.Errorf("got %q, want %q", first[id], want)
		}
	}
	second := w.outcomes(w.publish(func(n *core.Notification) { n.Importance = core.Important }), len(devices)-1)
	accepted := 0
	for _, o := range second {
		if o == "accepted" {
			accepted++
		}
	}
	if accepted != 4 { // well, flaky, refused and the one who wants what is important
		t.Errorf("the important one: %v", second)
	}
	if w.pushes.sent["gone"] != 1 || w.pushes.sent["flaky"] != 4 || w.pushes.sent["off"] != 0 || w.pushes.sent["muted"] != 0 {
		t.Errorf("sent %v", w.pushes.sent)
	}
	select {
	case <-w.placed:
	default:
		t.Error("the stream was not told")
	}
}

func TestPauseDiscardsNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.pushes.answers["a"] = []core.Result{{Cause: core.CauseQuota, Pause: 2 * time.Second}}
	a := w.follower("a", core.BellAll, false)
	w.start()
	began := time.Now()
	if got := w.outcomes(w.publish(nil), 1); got[a] != "accepted" {
		t.Errorf("got %v", got)
	}
	if took := time.Since(began); took < 2*time.Second {
		t.Errorf("sent again after %s, within the pause", took)
	}
}

func TestExpiresAndWithdraws(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for range 100 {
		w.pushes.answers["a"] = append(w.pushes.answers["a"], core.Result{Cause: core.CauseUnavailable})
	}
	a := w.follower("a", core.BellAll, false)
	w.start()
	soon := now().Add(1500 * time.Millisecond)
	if got := w.outcomes(w.publish(func(n *core.Notification) { n.ExpiresAt = &soon }), 1); got[a] != "expired expired" {
		t.Errorf("got %v", got)
	}
	id := w.publish(nil)
	eventually(t, "a first try", func() bool { w.pushes.mu.Lock(); defer w.pushes.mu.Unlock(); return w.pushes.sent["a"] >= 3 })
	w.correct(id, func(n *core.Notification, at time.Time) { n.WithdrawnAt, n.Visible = &at, false })
	if got := w.outcomes(id, 1); got[a] != "expired withdrawn" {
		t.Errorf("got %v", got)
	}
}

func TestScheduled(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	a := w.follower("a", core.BellAll, false)
	w.start()
	due := now().Add(1200 * time.Millisecond)
	id := w.publish(func(n *core.Notification) { n.PublishedAt, n.Visible, n.ScheduledAt = nil, false, &due })
	if got := w.outcomes(id, 1); got[a] != "accepted" || now().Before(due) {
		t.Errorf("got %v at %s, due %s", got, now(), due)
	}
}

// TestQuietHours holds what comes in a night of each subscriber's, and pushes it in the morning as one.
func TestQuietHours(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	sleeper, other := w.follower("sleeper", core.BellAll, false), w.follower("other", core.BellAll, false)
	late := w.follower("late", core.BellImportant, false)
	quiet := func(address string, from, until time.Duration) {
		t.Helper()
		_, err := w.Pool().Exec(t.Context(), "update subscribers set quiet_start = $1::time, quiet_end = $2::time, timezone = 'UTC' where google_subject = $3",
			now().Add(from).Format("15:04"), now().Add(until).Format("15:04"), address)
		if err != nil {
			t.Fatal(err)
		}
	}
	left := w.follower("gone", core.BellAll, false)
	quiet("sleeper", -time.Hour, time.Hour)
	quiet("gone", -time.Hour, time.Hour)
	quiet("late", -time.Hour, 2*time.Hour)
	w.start()
	var ids []core.ID
	for _, importance := range []core.Importance{core.Normal, core.Important} {
		ids = append(ids, w.publish(func(n *core.Notification) { n.Importance = importance }))
	}
	withdrawn := w.publish(nil)
	expiry := now().Add(30 * time.Minute)
	expired := w.publish(func(n *core.Notification) { n.ExpiresAt = &expiry })
	for _, id := range append(ids, withdrawn, expired) {
		eventually(t, "the one who is awake", func() bool { return w.outcome(id, other) == "accepted" })
	}
	w.correct(withdrawn, func(n *core.Notification, at time.Time) { n.WithdrawnAt, n.Visible = &at, false })
	if w.pushes.sent["sleeper"] != 0 || w.pushes.sent["late"] != 0 {
		t.Fatalf("pushed in quiet hours: %v", w.pushes.sent)
	}
	if _, err := w.Pool().Exec(t.Context(), "delete from subscribers where google_subject = 'gone'"); err != nil {
		t.Fatal(err)
	}
	w.ahead.Store(int64(time.Hour + time.Minute))
	for id, want := range map[core.ID]string{ids[0]: "accepted", ids[1]: "accepted", withdrawn: "expired withdrawn", expired: "expired expired"} {
		eventually(t, "the morning: "+want, func() bool { return w.outcome(id, sleeper) == want })
	}
	eventually(t, "who has left", func() bool { return w.outcome(ids[0], left) == "failed retired" })
	w.ahead.Store(int64(2*time.Hour + time.Minute))
	eventually(t, "the late one", func() bool { return w.outcome(ids[1], late) == "accepted" })
	w.pushes.mu.Lock()
	defer w.pushes.mu.Unlock()
	if got := w.pushes.titles["sleeper"]; !slices.Equal(got, []string{"2 novas notificações"}) {
		t.Errorf("the sleeper was pushed %q", got)
	}
	if got := w.pushes.titles["late"]; !slices.Equal(got, []string{"t"}) {
		t.Errorf("who wants only what is important was pushed %q", got)
	}
}

// TestHeldPushes that wait for the end of quiet hours go by what their person decides in the meantime.
func TestHeldPushes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	people := map[string]core.ID{}
	devices := map[string]core.ID{}
	for _, name := range []string{"awake", "asleep", "gone"} {
		devices[name] = w.follower(name, core.BellAll, false)
		people[name] = must(w.SignIn(t.Context(), core.Profile{Subject: name, Email: name + "@example.com", Name: name, Locale: "pt"}, now())).ID
	}
	hours := func(name string, q *core.QuietHours) {
		t.Helper()
		utc := "UTC"
		must(w.UpdateSubscriber(t.Context(), people[name], core.SubscriberPatch{Timezone: &utc, QuietHours: core.Patch[core.QuietHours]{Set: true, Value: q}}, nil, now()))
	}
	clock := func(in time.Duration) core.TimeOfDay { return must(core.ParseTimeOfDay(now().Add(in).Format("15:04"))) }
	for name := range people {
		hours(name, &core.QuietHours{Start: clock(-time.Hour), End: clock(time.Hour)})
	}
	w.start()
	id := w.publish(nil)
	eventually(t, "all held", func() bool {
		var held int
		err := w.Pool().QueryRow(t.Context(), "select count(*) from held_pushes where notification_id = $1", id).Scan(&held)
		return err == nil && held == 3
	})
	hours("asleep", &core.QuietHours{Start: clock(-time.Hour), End: clock(3 * time.Hour)})
	if err := w.Unsubscribe(t.Context(), people["gone"], w.channel.ID, now()); err != nil {
		t.Fatal(err)
	}
	hours("awake", nil)
	eventually(t, "who is awake", func() bool { return w.outcome(id, devices["awake"]) == "accepted" })
	if got := w.outcome(id, devices["gone"]); got != "suppressed unfollowed" {
		t.Errorf("who has left: %q", got)
	}
	w.ahead.Store(int64(2 * time.Hour))
	next := w.publish(nil)
	eventually(t, "the next one", func() bool { return w.outcome(next, devices["awake"]) == "accepted" })
	if got := w.outcome(id, devices["asleep"]); got != "" {
		t.Errorf("who sleeps longer: %q", got)
	}
	w.ahead.Store(int64(4 * time.Hour))
	eventually(t, "who slept longer", func() bool { return w.outcome(id, devices["asleep"]) == "accepted" })
}

// TestAZoneThatThisNodeDoesNotKnow holds up nobody's pushes.
func TestAZoneThatThisNodeDoesNotKnow(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.follower("elsewhere", core.BellAll, false)
	w.follower("here", core.BellAll, false)
	if _, err := w.Pool().Exec(t.Context(), "update subscribers set quiet_start = '03:00', quiet_end = '03:00:30', timezone = 'Mars/Olympus' where google_subject = 'elsewhere'"); err != nil {
		t.Fatal(err)
	}
	w.start()
	w.outcomes(w.publish(nil), 2)
}

// correct changes a notification as a publisher would.
func (w *world) correct(id core.ID, change func(n *core.Notification, at time.Time)) {
	w.t.Helper()
	must(w.Correct(w.t.Context(), w.channel.ID, id, now(), func(n *core.Notification) error {
		at := now()
		n.EditedAt = &at
		change(n, at)
		return nil
	}))
	w.d.Nudge()
}

// TestRevisions tells the devices that were pushed a notification what became of it, and no others.
func TestRevisions(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	again := core.Result{Cause: core.CauseUnavailable}
	w.pushes.answers["flaky"] = []core.Result{{Outcome: core.Accepted}, again, again}
	w.pushes.answers["refused"] = []core.Result{{Outcome: core.Failed, Cause: core.CauseInvalid}}
	w.pushes.answers["gone"] = []core.Result{{Outcome: core.Accepted}, {Outcome: core.Failed, Cause: core.CauseUnregistered, Retire: true}}
	for _, address := range []string{"well", "flaky", "refused", "gone", "reader"} {
		w.follower(address, core.BellAll, false)
	}
	w.follower("off", core.BellNone, false)
	w.start()
	id := w.publish(nil)
	w.outcomes(id, 6)
	if _, err := w.Pool().Exec(t.Context(), `insert into receipts (subscriber_id, notification_id, read, read_at)
		select id, $1, true, now() from subscribers where google_subject = 'reader'`, id); err != nil {
		t.Fatal(err)
	}
	revised := func(address string) []string {
		w.pushes.mu.Lock()
		defer w.pushes.mu.Unlock()
		return slices.Clone(w.pushes.revised[address])
	}
	w.correct(id, func(n *core.Notification, _ time.Time) { n.Title = "corrigida" })
	eventually(t, "the correction", func() bool {
		return len(revised("well")) == 1 && len(revised("flaky")) == 3 && len(revised("gone")) == 1
	})
	w.correct(id, func(n *core.Notification, at time.Time) { n.WithdrawnAt, n.Visible = &at, false })
	eventually(t, "the withdrawal", func() bool { return len(revised("well")) == 2 && len(revised("flaky")) == 4 })
	if got := revised("well"); !slices.Equal(got, []string{"corrected corrigida", "withdrawn corrigida"}) {
		t.Errorf("the well one was told %q", got)
	}
	for _, address := range []string{"refused", "reader", "off"} {
		if got := revised(address); len(got) > 0 {
			t.Errorf("%s was told %q", address, got)
		}
	}
	if got := revised("gone"); len(got) != 1 {
		t.Errorf("who is gone was told %q", got)
	}
	for device, outcome := range w.outcomes(id, 6) {
		if outcome == "expired withdrawn" {
			t.Errorf("the outcome of %s was changed", device)
		}
	}
	soon := now().Add(time.Hour)
	id = w.publish(func(n *core.Notification) { n.ExpiresAt = &soon })
	w.outcomes(id, 5)
	w.ahead.Store(int64(time.Hour + time.Minute))
	eventually(t, "the expiry", func() bool { return len(revised("well")) == 3 && revised("well")[2] == "withdrawn t" })
}

// TestRevisionOfWhatIsUnderWay corrects a notification while a push service takes its time over it.
func TestRevisionOfWhatIsUnderWay(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.pushes.block = make(chan struct{})
	w.follower("slow", core.BellAll, false)
	w.start()
	id := w.publish(nil)
	eventually(t, "the send", func() bool {
		var running int
		err := w.Pool().QueryRow(t.Context(), "select count(*) from river_job where kind = 'send' and state = 'running'").Scan(&running)
		return err == nil && running == 1
	})
	w.correct(id, func(n *core.Notification, _ time.Time) { n.Title = "corrigida" })
	eventually(t, "the first look", func() bool {
		var over int
		err := w.Pool().QueryRow(t.Context(), "select count(*) from river_job where kind = 'revise' and state = 'completed'").Scan(&over)
		return err == nil && over == 1
	})
	close(w.pushes.block)
	w.outcomes(id, 1)
	eventually(t, "the second look", func() bool {
		w.pushes.mu.Lock()
		defer w.pushes.mu.Unlock()
		return slices.Equal(w.pushes.revised["slow"], []string{"corrected corrigida"})
	})
}

// TestTwoNodes runs two dispatchers on one database: every device is pushed once.
func TestTwoNodes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const devices, notifications = 60, 5
	for i := range devices {
		w.follower(fmt.Sprint("d", i), core.BellAll, false)
	}
	w.start()
	w.start()
	var ids []core.ID
	for range notifications {
		ids = append(ids, w.publish(nil))
	}
	for _, id := range ids {
		w.outcomes(id, devices)
	}
	for address, n := range w.pushes.sent {
		if n != notifications {
			t.Errorf("%s was pushed %d times", address, n)
		}
	}
}
