package postgres_test

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/postgres"
)

// atOnce runs functions at the same time.
func atOnce(all ...func()) {
	var wg sync.WaitGroup
	for _, f := range all {
		wg.Go(f)
	}
	wg.Wait()
}

// TestSuspensionsAtOnce suspends a publisher and a person while channels and sessions of theirs are created, and while
// the suspension of a channel ends: none of these is left out, whatever comes first.
func TestSuspensionsAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	publisher := must(w.PublisherBySlug(t.Context(), "vila")).ID
	suspension := core.Suspension{Reason: "r", At: w.now}
	suspend := func(what core.Suspendable, id core.ID) {
		if _, _, err := w.Suspend(t.Context(), what, id, suspension); err != nil {
			t.Errorf("suspend a %s: %v", what, err)
		}
	}
	unsuspend := func(what core.Suspendable, id core.ID) {
		if _, err := w.Unsuspend(t.Context(), what, id); err != nil {
			t.Errorf("end the suspension of a %s: %v", what, err)
		}
	}
	for i := range 20 {
		suspend(core.SuspendableChannel, w.channel.ID)
		session := core.Session{ID: core.NewID(), SubscriberID: w.subscriber, CreatedAt: w.now, SeenAt: w.now}
		in := core.ChannelInput{Slug: fmt.Sprint("new-", i), Name: "C", CategoryID: w.category(t, "cidade"),
			Visibility: core.Public}
		atOnce(
			func() { suspend(core.SuspendablePublisher, publisher) },
			func() { unsuspend(core.SuspendableChannel, w.channel.ID) },
			func() {
				_, _, err := w.CreateChannel(t.Context(), core.NewID(), publisher, in, w.now, core.Idempotency{})
				if err != nil && !core.IsCode(err, core.CodeForbidden) {
					t.Errorf("create a channel: %v", err)
				}
			},
			func() { suspend(core.SuspendableSubscriber, w.subscriber) },
			func() {
				err := w.CreateSession(t.Context(), session, session.ID[:])
				if err != nil && !core.IsCode(err, core.CodeForbidden) {
					t.Errorf("create a session: %v", err)
				}
			})
		equal(t, "channels of the suspended publisher that are shown",
			scan[int](t, w, "select count(*) from channels where not suspended"), 0)
		equal(t, "sessions of the suspended person",
			scan[int](t, w, "select count(*) from sessions where subscriber_id = $1", w.subscriber), 0)
		unsuspend(core.SuspendablePublisher, publisher)
		unsuspend(core.SuspendableSubscriber, w.subscriber)
		equal(t, "channels that are hidden after the suspension",
			scan[int](t, w, "select count(*) from channels where suspended"), 0)
	}
}

// TestSuspensionWhileADeviceIsAdded registers a device, and takes the token of a device sign-in, while the account is
// being suspended.
func TestSuspensionWhileADeviceIsAdded(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	token := w.token(t, w.subscriber, nil)
	bearer := core.Caller{Kind: core.CallerSubscriber, SubscriberID: w.subscriber, TokenID: token.ID}
	register := func(name string) error {
		in := core.Registration{InstallationID: name,
			Push: core.PushAddress{Kind: core.KindFCM, Address: name}, Platform: "web", Name: "x"}
		_, _, err := w.RegisterDevice(context.Background(), bearer, in, w.now)
		return err
	}
	succeed(t, "register a device", register("first"))
	d, code := w.begin(t, "sininho")
	succeed(t, "approve a device sign-in", w.signIns().Decide(t.Context(), w.ana(), d.UserCode, true))

	release := w.hold(t, "select from devices for update") // where the suspension retires the devices
	suspended, registered, taken := make(chan error, 1), make(chan error, 1), make(chan error, 1)
	go func() {
		_, _, err := w.Suspend(context.Background(), core.SuspendableSubscriber, w.subscriber,
			core.Suspension{Reason: "r", At: w.now})
		suspended <- err
	}()
	w.waiting(t, 1)
	go func() { registered <- register("second") }()
	go func() {
		_, _, _, err := w.signIns().Take(context.Background(), code)
		taken <- err
	}()
	for int(w.blocked(t))+len(registered)+len(taken) < 3 {
		runtime.Gosched()
	}
	release()
	succeed(t, "suspend the account", <-suspended)
	wantCode(t, "register a device of a suspended account", <-registered, core.CodeForbidden)
	wantCode(t, "take the token of a suspended account", <-taken, core.CodeForbidden)
	w.wantDevices(t, "devices of the suspended account", w.subscriber, 0)
	_, tokens := w.tokens(t)
	equal(t, "tokens of the suspended account", tokens, 1)
}

// TestFollowedChannelsOfASuspendedAccount asks what a stream shows that was opened while the account was suspended.
func TestFollowedChannelsOfASuspendedAccount(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	token := w.token(t, w.subscriber, new(time.Now().Add(time.Hour))) // on the clock of the database
	expired := w.token(t, w.subscriber, new(time.Now()))
	must(w.Subscribe(t.Context(), w.subscriber, w.channel.ID, w.now))
	of := func(credential core.ID) error { return second(w.FollowedChannels(t.Context(), credential)) }
	wantCode(t, "channels of a token", of(token.ID), "")
	wantCode(t, "channels of an expired token", of(expired.ID), core.CodeUnauthenticated)
	_, _, err := w.Suspend(t.Context(), core.SuspendableSubscriber, w.subscriber, core.Suspension{At: w.now})
	succeed(t, "suspend the account", err)
	wantCode(t, "channels of a token of the suspended account", of(token.ID), core.CodeUnauthenticated)
	must(w.Unsuspend(t.Context(), core.SuspendableSubscriber, w.subscriber))
	wantCode(t, "channels of the token after the suspension", of(token.ID), "")
}

// TestSuspensionCounts counts the public channels of a category and of a publisher.
func TestSuspensionCounts(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	publisher := must(w.PublisherBySlug(t.Context(), "vila"))
	counts := func() [2]int64 {
		return [2]int64{must(w.PublisherBySlug(t.Context(), "vila")).ChannelCount,
			must(w.Category(t.Context(), w.category(t, "cidade"))).ChannelCount}
	}
	equal(t, "channels before", counts(), [2]int64{1, 1})
	_, changed, err := w.Suspend(t.Context(), core.SuspendablePublisher, publisher.ID,
		core.Suspension{Reason: "r", At: w.now})
	succeed(t, "suspend the publisher", err)
	equal(t, "channels that are hidden now", changed.ChannelIDs, []core.ID{w.channel.ID})
	equal(t, "channels while the publisher is suspended", counts(), [2]int64{0, 0})
	_, changed, err = w.Suspend(t.Context(), core.SuspendableChannel, w.channel.ID,
		core.Suspension{Reason: "r", At: w.now})
	succeed(t, "suspend the channel", err)
	equal(t, "channels that are hidden a second time", len(changed.ChannelIDs), 0)
	must(w.Unsuspend(t.Context(), core.SuspendablePublisher, publisher.ID))
	equal(t, "channels while the channel is suspended", counts(), [2]int64{0, 0})
	changed = must(w.Unsuspend(t.Context(), core.SuspendableChannel, w.channel.ID))
	equal(t, "channels that are shown now", changed.ChannelIDs, []core.ID{w.channel.ID})
	equal(t, "channels afterwards", counts(), [2]int64{1, 1})
}

// TestPrunePublisherRequests prunes answered and withdrawn requests for publishers. Pending ones stay.
func TestPrunePublisherRequests(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ask := func() core.PublisherRequest {
		return must(w.PutPublisherRequest(t.Context(), core.PublisherRequest{ID: core.NewID(),
			Asker: core.Subscriber{ID: w.subscriber}, Slug: "escola", Status: core.PublisherPending, CreatedAt: w.now}))
	}
	left := func(after time.Duration) int {
		succeed(t, "prune", w.Prune(t.Context(), w.now.Add(after)))
		return scan[int](t, w, "select count(*) from publisher_requests")
	}
	ask()
	equal(t, "pending requests, much later", left(2*core.PublisherRequestsKept), 1)
	succeed(t, "withdraw", w.WithdrawPublisherRequest(t.Context(), w.subscriber, w.now))
	equal(t, "withdrawn requests that are kept", left(core.PublisherRequestsKept), 1)
	equal(t, "withdrawn requests afterwards", left(core.PublisherRequestsKept+time.Second), 0)
	must(w.AnswerPublisherRequest(t.Context(), ask().ID, core.PublisherAnswer{Status: core.PublisherRefused}, w.now,
		noEmail))
	equal(t, "refused requests afterwards", left(core.PublisherRequestsKept+time.Second), 0)
}

// TestPruneModeration prunes the audit log and the reports, of which open ones stay.
func TestPruneModeration(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := core.WithOrigin(t.Context(), func() core.Origin { return core.Origin{Operation: "createChannel"} })
	w.tx(t, func(_ context.Context, tx postgres.Tx) error {
		return postgres.Audit(ctx, tx, core.AuditEntry{ObjectID: w.channel.ID, Object: "agenda"})
	})
	w.exec(t, "update audit_log set at = $1", w.now)
	var ids []core.ID
	for range 2 {
		r := core.Report{ID: core.NewID(), Reporter: core.Subscriber{ID: w.subscriber}, ChannelID: core.NewID(),
			Status: core.ReportOpen, CreatedAt: w.now, UpdatedAt: w.now}
		succeed(t, "report", w.PutReport(t.Context(), r))
		ids = append(ids, r.ID)
	}
	must(w.CloseReport(t.Context(), ids[0], core.ReportResolved, w.now))
	for _, step := range []struct {
		after            time.Duration
		entries, reports int
	}{
		{core.ReportsKept, 1, 2}, {core.ReportsKept + time.Second, 1, 1}, {core.AuditKept, 1, 1},
		{core.AuditKept + time.Second, 0, 1},
	} {
		succeed(t, "prune", w.Prune(t.Context(), w.now.Add(step.after)))
		got := []int{scan[int](t, w, "select count(*) from audit_log"), scan[int](t, w, "select count(*) from reports")}
		equal(t, "entries and reports after "+step.after.String(), got, []int{step.entries, step.reports})
	}
}
