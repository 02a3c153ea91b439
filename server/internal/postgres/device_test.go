package postgres_test

import (
	"context"
	"testing"

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

	moved, creation, err := w.RegisterDevice(t.Context(), w.caller(t, bruno), in, w.now)
	succeed(t, "register the installation for another person", err)
	equal(t, "creation of the other person's device", creation, core.Created)
	if moved.ID == first.ID {
		t.Errorf("id of the other person's device: got %s, want another than the first person's", moved.ID)
	}
	w.wantDevices(t, "devices of the first person", w.subscriber, 0)
}
