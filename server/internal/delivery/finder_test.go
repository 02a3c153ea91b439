package delivery_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/delivery"
	"github.com/sininho/sininho/server/internal/postgres"
	"github.com/sininho/sininho/server/lab/check"
)

// TestFindDevicesTogether finds the devices of two notifications in pages. A mute suppresses one device.
func TestFindDevicesTogether(t *testing.T) {
	t.Parallel()
	w := newSteps(t)
	until := w.now.Add(time.Hour)
	const people = 5
	for i := range people {
		id := must(
			w.SignIn(t.Context(), core.Profile{
				Issuer: core.IssuerGoogle, Subject: fmt.Sprint("p", i), Email: "p@example.com", Name: "P", Locale: "pt",
			}, core.SignUp{Open: true}, w.now),
		).ID
		must(w.Subscribe(t.Context(), id, w.channel.ID, w.now))
		if i == 0 {
			must(
				w.UpdateSubscription(t.Context(), id, w.channel.ID,
					core.SubscriptionPatch{MutedUntil: core.Patch[time.Time]{Set: true, Value: &until}}),
			)
		}
		address := fmt.Sprint("a", i)
		must3(
			w.RegisterDevice(t.Context(), w.caller(t, id),
				core.Registration{
					InstallationID: address,
					Push:           core.PushAddress{Kind: core.KindFCM, Address: address}, Platform: "web", Name: "x",
				}, w.now),
		)
	}
	first, second := w.publish(t, "a"), w.publish(t, "b")
	found := map[core.ID]map[core.ID]bool{first.ID: {}, second.ID: {}}
	over := func() int { return scan[int](t, w, "select count(*) from dispatches where expanded_at is not null") }
	for range 3 {
		check.Equal(t, "searches that are over", over(), 0)
		var batches []delivery.Found
		w.tx(t, func(ctx context.Context, tx postgres.Tx) (err error) {
			batches, err = delivery.FindDevices(ctx, tx, []core.ID{first.ID, second.ID}, 2, w.now)
			return err
		})
		for _, b := range batches {
			for i, d := range b.Devices {
				found[b.NotificationID][d] = b.Outcomes[i] == postgres.Waiting
			}
		}
	}
	check.Equal(t, "searches that are over after three pages of each", over(), 2)
	for id, devices := range found {
		waiting := 0
		for _, wanted := range devices {
			if wanted {
				waiting++
			}
		}
		check.Equal(t, "devices found for "+id.String(), len(devices), people)
		check.Equal(t, "devices that wait to be pushed "+id.String(), waiting, people-1)
	}
	w.tx(t, func(ctx context.Context, tx postgres.Tx) error {
		batches, err := delivery.FindDevices(ctx, tx, []core.ID{first.ID}, 2, w.now)
		check.Equal(t, "batches of a search that is over", len(batches), 0)
		return err
	})
	suppressed := scan[int](t, w, "select count(*) from deliveries where outcome = 'suppressed' and cause = 'muted'")
	if suppressed != 2 {
		t.Errorf("outcomes suppressed by a mute: got %d, want 2", suppressed)
	}
}
