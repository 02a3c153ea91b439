package delivery_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/sininho/sininho/internal/eventually"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/delivery"
	"github.com/sininho/sininho/server/lab/check"
)

// ringsSince returns since when the device with an address rings, or nil.
func (w *world) ringsSince(address string) (at *time.Time) {
	w.t.Helper()
	err := w.db.Pool().QueryRow(w.t.Context(),
		"select rings_since from devices where address = $1 order by retired_at is null desc", address).Scan(&at)
	if err != nil {
		w.t.Fatalf("read the device at %s: %v", address, err)
	}
	return at
}

func (w *world) titlesAt(address string) []string {
	w.pushes.mu.Lock()
	defer w.pushes.mu.Unlock()
	return slices.Clone(w.pushes.titles[address])
}

// TestConfirmation registers devices on a node that dies before it can push. It expects another to push to each address
// until it is accepted, once, and to leave alone what no longer waits for it.
func TestConfirmation(t *testing.T) {
	t.Parallel()
	const ready = "Pronto: este dispositivo toca"
	w := newWorld(t)
	w.pushes.results["busy"] = []core.Result{{Cause: core.CauseUnavailable}, {Cause: core.CauseQuota, Wait: 1}}
	w.pushes.results["gone"] = []core.Result{{Outcome: core.Failed, Cause: core.CauseUnregistered, Retire: true}}
	w.pushes.results["deaf"] = []core.Result{{Outcome: core.Failed, Cause: core.CauseInvalid}}
	w.follower("ana", core.BellAll, false)
	var ana core.ID
	if err := w.db.Pool().QueryRow(t.Context(), "select subscriber_id from devices").Scan(&ana); err != nil {
		t.Fatalf("find the person: %v", err)
	}
	w.startWith(func(c *delivery.Config) { c.Now = now })
	store := delivery.NewDeviceStore(w.Store, func() {})
	register := func(installation, address string) core.ID {
		t.Helper()
		session := core.Session{ID: core.NewID(), SubscriberID: ana, CreatedAt: now(), SeenAt: now()}
		if err := w.CreateSession(t.Context(), session, session.ID[:]); err != nil {
			t.Fatalf("create a session: %v", err)
		}
		in := core.Registration{InstallationID: installation, Platform: "web", Name: "x",
			Push: core.PushAddress{Kind: core.KindFCM, Address: address}}
		d, _, err := store.RegisterDevice(t.Context(), core.Caller{SubscriberID: ana, SessionID: session.ID}, in, now())
		if err != nil {
			t.Fatalf("register %s: %v", address, err)
		}
		return d.ID
	}
	for _, address := range []string{"quick", "busy", "gone", "deaf"} {
		register(address, address)
	}
	eventually.True(t, "the pushes that confirm", func() bool {
		return w.ringsSince("quick") != nil && w.ringsSince("busy") != nil && len(w.titlesAt("deaf")) > 0 &&
			len(w.titlesAt("gone")) > 0
	})
	register("quick", "quick")
	register("quick", "renewed")
	eventually.True(t, "the confirmation of the new address", func() bool { return w.ringsSince("renewed") != nil })
	for address, want := range map[string]int{"quick": 1, "busy": 3, "gone": 1, "deaf": 1, "renewed": 1, "ana": 0} {
		check.Equal(t, "pushes to "+address, fmt.Sprint(w.titlesAt(address)),
			fmt.Sprint(slices.Repeat([]string{ready}, want)))
	}
	for _, address := range []string{"gone", "deaf", "ana"} {
		if at := w.ringsSince(address); at != nil {
			t.Errorf("%s: rings since %v, want never", address, at)
		}
	}

	w.publish(nil)
	eventually.True(t, "a notification to confirm a device as well", func() bool {
		return w.ringsSince("deaf") != nil && w.ringsSince("ana") != nil
	})
}

// TestDeviceThatShowsNothing pushes to a device that has shown nothing for days, and to others.
func TestDeviceThatShowsNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for address, shown := range map[string]string{"mute": "3 days", "well": "1 day", "new": "1 minute"} {
		id := w.follower(address, core.BellAll, false)
		w.exec("update devices set rings_since = now() - interval '9 days', shown_at = now() - $1::interval where id = $2",
			shown, id)
	}
	w.exec("update devices set shown_at = null, rings_since = now() where address = 'new'")
	w.start()
	unshown := func() (addresses []string, since time.Time) {
		err := w.db.Pool().QueryRow(t.Context(), `select array_agg(address), max(unshown_since) from devices
			where unshown_since is not null having count(*) > 0`).Scan(&addresses, &since)
		if err != nil {
			return nil, time.Time{}
		}
		return addresses, since
	}
	w.publish(nil)
	eventually.True(t, "pushes", func() bool {
		return len(w.titlesAt("mute")) == 1 && len(w.titlesAt("well")) == 1 && len(w.titlesAt("new")) == 1
	})
	eventually.True(t, "a device that shows nothing", func() bool {
		addresses, _ := unshown()
		return slices.Equal(addresses, []string{"mute"})
	})
	_, since := unshown()
	second := w.publish(nil)
	w.outcomes(second, 3)
	_, still := unshown()
	check.Equal(t, "since when", still, since)
}
