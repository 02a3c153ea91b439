package postgres_test

import (
	"context"
	"testing"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/delivery"
	"github.com/sininho/sininho/server/internal/postgres"
)

func TestDeviceMovesToAnotherPerson(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	bruno := must(w.SignIn(t.Context(), core.Profile{Subject: "2", Email: "bruno@example.com", Name: "Bruno", Locale: "pt"}, core.SignUp{Open: true}, w.now)).ID
	in := core.DeviceInput{InstallationID: "installation-1", Kind: "token", Address: "t1", Platform: "web", Name: "Chrome"}
	first, creation, err := w.RegisterDevice(t.Context(), w.subscriber, w.session(t, w.subscriber), in, w.now)
	if err != nil || creation != core.Created {
		t.Fatal(creation, err)
	}
	in.Address = "t2"
	again, creation, err := w.RegisterDevice(t.Context(), w.subscriber, w.session(t, w.subscriber), in, w.now)
	if err != nil || creation != core.Existing || again.ID != first.ID || again.Address != "t2" {
		t.Fatalf("%+v %v %v", again, creation, err)
	}
	gone := core.Delivery{NotificationID: core.NewID(), DeviceID: first.ID, Outcome: core.Failed, Cause: core.CauseUnregistered, Gone: "t1"}
	w.tx(t, func(ctx context.Context, tx postgres.Tx) error {
		return delivery.Record(ctx, tx, []core.Delivery{gone}, w.now)
	})
	if _, total, _ := w.Devices(t.Context(), w.subscriber, core.Page{Limit: 10}); total != 1 {
		t.Error("a device was retired for an address that it has left")
	}
	if _, _, err := w.RegisterDevice(t.Context(), w.subscriber, core.NewID(), in, w.now); !core.IsCode(err, core.CodeUnauthenticated) {
		t.Error("registered by a session that has ended:", err)
	}
	moved, creation, err := w.RegisterDevice(t.Context(), bruno, w.session(t, bruno), in, w.now)
	if err != nil || creation != core.Created || moved.ID == first.ID {
		t.Fatalf("%+v %v %v", moved, creation, err)
	}
	if _, total, _ := w.Devices(t.Context(), w.subscriber, core.Page{Limit: 10}); total != 0 {
		t.Errorf("the first person still has %d", total)
	}
}
