package faults

import (
	"fmt"
	"testing"
	"time"

	"github.com/sininho/sininho/internal/eventually"
	"github.com/sininho/sininho/server/lab/standin/fcm"
)

// TestPushServiceFailsThreeTimes has the push service respond with 500 three times to each device.
func TestPushServiceFailsThreeTimes(t *testing.T) {
	t.Parallel()
	long(t)
	i := newInstallation(t)
	i.followers(20)
	i.AddFaults(fcm.Fault{Error: "INTERNAL", Times: 3})
	i.publisher(i.Start()).publish(t.Context(), "thrice")
	i.finish(0)
	if got := i.FCM.Stats(); got.Responses["500"] != 60 || got.Accepted != 20 {
		t.Errorf("responses of the push service: got %v, want 60 with 500 and 20 with 200", got.Responses)
	}
}

// TestPushServiceAsksForAPause has the push service respond with 429 and ask for 30 seconds.
func TestPushServiceAsksForAPause(t *testing.T) {
	t.Parallel()
	long(t)
	i := newInstallation(t)
	i.followers(20)
	i.AddFaults(fcm.Fault{Error: "RATE_LIMIT_EXCEEDED", RetryAfter: "30"})
	first, second := i.Start(), i.Start()
	i.listen("http://" + second.Addr)
	p := i.publisher(first, second)
	p.publish(t.Context(), "limited")
	eventually.True(t, "the request for a pause", func() bool { return i.FCM.Stats().Responses["429"] > 0 })
	began := time.Now()
	eventually.True(t, "the pause", func() bool {
		return first.Logged("push is paused") || second.Logged("push is paused")
	})
	i.FCM.ClearFaults()
	limited := i.FCM.Stats().Responses["429"]
	for k := range 20 { // other work goes on
		p.publish(t.Context(), fmt.Sprint("meanwhile-", k))
		p.read(t.Context(), first.Addr)
	}
	i.checkUntouched()
	i.finish(0)
	if got := i.FCM.Stats().Responses["429"]; got != limited {
		t.Errorf("responses of the push service with 429: got %d, want none after the first %d", got, limited)
	}
	if early := i.FCM.Sent(0, "")[0].At.Sub(began); early < 29*time.Second {
		t.Errorf("first push after the request for a pause: got it after %s, want it after 30s", early)
	}
}

// checkUntouched checks that publishes, reads and streams were not slowed down by the push service.
func (i *installation) checkUntouched() {
	i.t.Helper()
	const limit = 2 * time.Second
	for what, l := range map[string]*ledger{"publishes": i.ledger, "reads": i.reads} {
		for _, a := range l.all() {
			if !a.acknowledged() || a.took > limit {
				i.t.Errorf("%s: got status %d after %s, want 2xx within %s", what, a.status, a.took, limit)
			}
		}
	}
	published := i.ledger.acknowledged()
	for _, l := range i.listeners {
		eventually.Reaches(i.t, "events of "+l.name, published, func() int { return len(l.all()) })
		if late := l.latest(); late > limit {
			i.t.Errorf("%s: an event came %s late, want at most %s", l.name, late, limit)
		}
	}
}

// TestDeviceIsGone has the push service respond with 404 for one device.
func TestDeviceIsGone(t *testing.T) {
	t.Parallel()
	i := newInstallation(t)
	i.followers(3)
	i.AddFaults(fcm.Fault{Token: "follower-1", Error: "UNREGISTERED"})
	p := i.publisher(i.Start())
	for k := range 3 {
		p.publish(t.Context(), fmt.Sprint("gone-", k))
		i.finish(0)
	}
	if n := i.FCM.Stats().Responses["404"]; n != 1 {
		t.Errorf("pushes to a device that is gone: got %d, want 1", n)
	}
	if n := i.Count(`
		select count(*) from devices where address = 'follower-1' and retired_cause = 'unregistered'`); n != 1 {
		t.Errorf("retired devices: got %d, want the one that is gone", n)
	}
}

// TestPushServiceIsSilent has the push service accept connections and never respond.
func TestPushServiceIsSilent(t *testing.T) {
	t.Parallel()
	long(t)
	i := newInstallation(t)
	i.followers(1_000)
	i.AddFaults(fcm.Fault{Hang: true})
	n := i.Start()
	i.listen("http://" + n.Addr)
	p := i.publisher(n)
	p.publish(t.Context(), "silent")
	eventually.True(t, "pushes", func() bool { return i.FCM.Stats().InFlight > 0 })
	asked := i.FCM.Stats().Hung
	lasting(30*time.Second, func() {
		p.publish(t.Context(), fmt.Sprint("silent-", i.ledger.acknowledged()))
		p.read(t.Context(), n.Addr)
	})
	i.checkUntouched()
	asked = i.FCM.Stats().Hung - asked
	const most = 3_000 // some hundred at once for eight seconds, and then none for ten
	if asked > most {
		t.Errorf("requests to a push service that is silent for 30s: got %d, want at most %d", asked, most)
	}
	if n := i.Count("select count(*) from deliveries"); n != 0 {
		t.Errorf("outcomes without a response of the push service: got %d, want 0", n)
	}
	i.FCM.ClearFaults()
	i.finish(0)
}

// TestPushServiceCutsAfterAccepting has the push service accept each push and cut the connection.
func TestPushServiceCutsAfterAccepting(t *testing.T) {
	t.Parallel()
	i := newInstallation(t)
	i.followers(20)
	i.AddFaults(fcm.Fault{Cut: "after", Times: 1})
	i.publisher(i.Start()).publish(t.Context(), "cut")
	i.finish(20)
	if got := i.FCM.Stats(); got.Cut != 20 || got.Accepted != 40 {
		t.Errorf("pushes: got %d cut and %d accepted, want each of 20 cut and repeated once", got.Cut, got.Accepted)
	}
}

// TestPushServiceRefusesCredentials has the push service refuse the service account for a while.
func TestPushServiceRefusesCredentials(t *testing.T) {
	t.Parallel()
	long(t)
	i := newInstallation(t)
	i.followers(20)
	i.AddFaults(fcm.Fault{Error: "UNAUTHENTICATED"})
	n := i.Start()
	p := i.publisher(n)
	p.publish(t.Context(), "refused")
	eventually.True(t, "the alert", func() bool {
		return n.Logged(`level=ERROR msg="push is paused; nothing is discarded"`)
	})
	for k := range 10 {
		p.publish(t.Context(), fmt.Sprint("refused-", k))
	}
	i.checkUntouched()
	if n := i.Count(`
		select (select count(*) from deliveries) +
			(select count(*) from devices where retired_at is not null)`); n != 0 {
		t.Errorf("outcomes and retired devices while credentials are refused: got %d, want 0", n)
	}
	i.FCM.ClearFaults()
	if took := i.finish(0); took > time.Minute {
		t.Errorf("time from the end of the fault until all is done: got %s, want at most a minute", took)
	}
}
