package postgres_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/sininho/sininho/server/internal/core"
)

// TestExpandTogether finds the devices of two notifications in pages, one of which a mute does not let through.
func TestExpandTogether(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	until := w.now.Add(time.Hour)
	const people = 5
	for i := range people {
		id := must(w.SignIn(t.Context(), core.Profile{Subject: fmt.Sprint("p", i), Email: "p@example.com", Name: "P", Locale: "pt"}, core.SignUp{Open: true}, w.now)).ID
		must(w.Subscribe(t.Context(), id, w.channel.ID, w.now))
		if i == 0 {
			must(w.UpdateSubscription(t.Context(), id, w.channel.ID, core.SubscriptionPatch{MutedUntil: core.Patch[time.Time]{Set: true, Value: &until}}))
		}
		address := fmt.Sprint("a", i)
		must3(w.RegisterDevice(t.Context(), id, w.session(t, id), core.DeviceInput{InstallationID: address, Kind: "token", Address: address, Platform: "web", Name: "x"}, w.now))
	}
	first, second := w.publish(t, "a"), w.publish(t, "b")
	w.claim(t)
	found := map[core.ID]map[core.ID]bool{first.ID: {}, second.ID: {}}
	calls := 0
	for left := []core.ID{first.ID, second.ID}; len(left) > 0; calls++ {
		left = must(w.Expand(t.Context(), left, 2, w.now, func(_ context.Context, _ pgx.Tx, wanted []core.Wanted) error {
			for _, n := range wanted {
				if n.Load < people {
					t.Errorf("a load of %d", n.Load)
				}
				for _, d := range n.Devices {
					found[n.NotificationID][d] = true
				}
			}
			return nil
		}))
	}
	if calls != 3 || len(found[first.ID]) != people-1 || len(found[second.ID]) != people-1 {
		t.Errorf("%d and %d devices in %d calls", len(found[first.ID]), len(found[second.ID]), calls)
	}
	if left := must(w.Expand(t.Context(), []core.ID{first.ID}, 2, w.now, nil)); len(left) != 0 {
		t.Errorf("a search that was over found more: %v", left)
	}
	var suppressed int
	if err := w.Pool().QueryRow(t.Context(), "select count(*) from deliveries where outcome = 'suppressed' and cause = 'muted'").Scan(&suppressed); err != nil || suppressed != 2 {
		t.Errorf("%d suppressed, %v", suppressed, err)
	}
}
