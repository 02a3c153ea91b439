package postgres_test

import (
	"context"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/delivery"
	"github.com/sininho/sininho/server/internal/postgres"
)

// wantDevices reports a subscriber that does not have so many active devices.
func (w *world) wantDevices(t *testing.T, what string, subscriberID core.ID, want int64) {
	t.Helper()
	_, total, err := w.Devices(t.Context(), subscriberID, core.Page{Limit: 10})
	succeed(t, "list the devices", err)
	equal(t, what, total, want)
}

func TestDeviceMovesToAnotherPerson(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	bruno := w.other(t, "bruno")
	in := core.Registration{InstallationID: "i1",
		Push: core.PushAddress{Kind: core.KindFCM, Address: "t1"}, Platform: "web", Name: "Chrome"}
	first, creation, err := w.RegisterDevice(t.Context(), w.caller(t, w.subscriber), in, w.now)
	succeed(t, "register a device", err)
	equal(t, "creation of the device", creation, core.Created)

	in.Push.Address = "t2"
	again, creation, err := w.RegisterDevice(t.Context(), w.caller(t, w.subscriber), in, w.now)
	succeed(t, "register the device with a new address", err)
	equal(t, "creation of the device with a new address", creation, core.Existing)
	equal(t, "id of the device with a new address", again.ID, first.ID)
	equal(t, "new address of the device", again.Push.Address, "t2")

	gone := core.Delivery{
		NotificationID: core.NewID(), DeviceID: first.ID, Outcome: core.Failed,
		Cause: core.CauseUnregistered, Gone: "t1",
	}
	w.tx(t, func(ctx context.Context, tx postgres.Tx) error {
		return delivery.Record(ctx, tx, []core.Delivery{gone}, w.now)
	})
	w.wantDevices(t, "devices after the old address was unregistered", w.subscriber, 1)
	_, _, err = w.RegisterDevice(t.Context(), core.Caller{SubscriberID: w.subscriber, SessionID: core.NewID()}, in,
		w.now)
	wantCode(t, "register a device of a session that has ended", err, core.CodeUnauthenticated)

	elsewhere := in
	elsewhere.Push.Address = "t3"
	_, creation, err = w.RegisterDevice(t.Context(), w.caller(t, bruno), elsewhere, w.now)
	succeed(t, "register an installation of the same name for another person", err)
	equal(t, "creation of the installation of the same name", creation, core.Created)
	w.wantDevices(t, "devices of the first person beside one of the same name", w.subscriber, 1)

	moved, creation, err := w.RegisterDevice(t.Context(), w.caller(t, w.other(t, "rui")), in, w.now)
	succeed(t, "register the address for another person", err)
	equal(t, "creation of the other person's device", creation, core.Created)
	if moved.ID == first.ID {
		t.Errorf("id of the other person's device: got %s, want another than the first person's", moved.ID)
	}
	w.wantDevices(t, "devices of the first person", w.subscriber, 0)
}

// TestEachNewAddressIsConfirmed expects one push for each address that a device gets, and none when it only comes back.
func TestEachNewAddressIsConfirmed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c, due := w.caller(t, w.subscriber), 0
	register := func(address string) core.Device {
		t.Helper()
		w.now = w.now.Add(time.Second)
		in := core.Registration{InstallationID: "i1", Push: core.PushAddress{Kind: core.KindFCM, Address: address},
			Platform: "web", Name: "Chrome"}
		d, _, err := w.Store.RegisterDevice(t.Context(), c, in, w.now,
			func(context.Context, postgres.Tx, core.Device) error { due++; return nil })
		succeed(t, "register "+address, err)
		return d
	}
	ring := func(address string) {
		t.Helper()
		w.now = w.now.Add(time.Second)
		succeed(t, address+" accepts a push", w.ConfirmAddress(t.Context(), address, w.now))
	}
	want := func(what string, d core.Device, since *time.Time, pushes int) {
		t.Helper()
		stored, err := w.Device(t.Context(), w.subscriber, d.ID)
		succeed(t, "read the device", err)
		if got := stored.RingsSince; (got == nil) != (since == nil) || got != nil && !got.Equal(*since) {
			t.Errorf("%s: the device rings since %v, want %v", what, got, since)
		}
		equal(t, what+": pushes to confirm", due, pushes)
	}

	d := register("t1")
	want("a new device", d, nil, 1)
	want("a page load", register("t1"), nil, 1)
	ring("t1")
	first := w.now
	want("an accepted push", d, &first, 1)
	ring("t1")
	want("another accepted push", d, &first, 1)
	want("a page load of a device that rings", register("t1"), &first, 1)
	want("a new address", register("t2"), nil, 2)
	ring("t1")
	want("a push to the old address", d, nil, 2)
	ring("t2")
	second := w.now
	want("a push to the new address", d, &second, 2)
	succeed(t, "remove", w.RetireDevice(t.Context(), w.subscriber, d.ID, core.RetiredRemoved, w.now))
	want("a device that comes back", register("t2"), nil, 3)
}

// TestUnconfirmedDeviceIsRetired expects a device without an accepted push to be gone after a day with its address,
// unless its push service takes no pushes.
func TestUnconfirmedDeviceIsRetired(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.caller(t, w.subscriber)
	register := func(installation, address string) {
		t.Helper()
		in := core.Registration{InstallationID: installation, Platform: "web", Name: "Firefox",
			Push: core.PushAddress{Kind: core.KindWebPush, Address: address}}
		must3(w.RegisterDevice(t.Context(), c, in, w.now))
	}
	register("ringing", "https://push.example/ringing")
	succeed(t, "ring", w.ConfirmAddress(t.Context(), "https://push.example/ringing", w.now))
	register("silent", "https://push.example/silent")
	register("paused", "https://paused.example/x")
	register("moving", "https://push.example/before")
	succeed(t, "ring", w.ConfirmAddress(t.Context(), "https://push.example/before", w.now))
	_, err := w.db.NewRaw("insert into pacers (name, paused_until) values ('https://paused.example', now())").
		Exec(t.Context())
	succeed(t, "pause a push service", err)

	w.now = w.now.Add(core.DeviceUnconfirmed)
	register("moving", "https://push.example/after")
	succeed(t, "prune", w.Prune(t.Context(), w.now))
	w.wantDevices(t, "devices after a day", w.subscriber, 4)
	w.now = w.now.Add(time.Second)
	succeed(t, "prune", w.Prune(t.Context(), w.now))
	w.wantDevices(t, "devices after more than a day", w.subscriber, 3)
	var causes []string
	succeed(t, "read the causes", w.db.NewSelect().Table("devices").Column("retired_cause").
		Where("installation_id = 'silent'").Scan(t.Context(), &causes))
	equal(t, "retired silent devices", len(causes), 1)
	equal(t, "cause of the silent device", causes[0], core.RetiredUnconfirmed)
}
