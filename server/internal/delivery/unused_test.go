package delivery_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/sininho/sininho/internal/eventually"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/delivery"
	"github.com/sininho/sininho/server/lab/check"
)

// TestUnusedAreWarned expects an anonymous subscriber whom nobody uses to be pushed a word, once, and nobody else.
func TestUnusedAreWarned(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.follower("ana", core.BellAll, false)
	since := now().Add(core.AnonymousWarning - core.AnonymousKept)
	store := delivery.NewDeviceStore(w.Store, func() {})
	for name, seen := range map[string]int{"unused": -1, "used": 1} {
		s := core.Session{ID: core.NewID(), SubscriberID: core.NewID(), Anonymous: true, CreatedAt: since,
			SeenAt: since.AddDate(0, 0, seen)}
		if err := w.CreateAnonymous(t.Context(), core.Portuguese, s, s.ID[:]); err != nil {
			t.Fatalf("create an anonymous subscriber: %v", err)
		}
		in := core.Registration{InstallationID: name, Platform: "web", Name: "x",
			Push: core.PushAddress{Kind: core.KindFCM, Address: name}}
		who := core.Caller{SubscriberID: s.SubscriberID, SessionID: s.ID}
		if _, _, err := store.RegisterDevice(t.Context(), who, in, now()); err != nil {
			t.Fatalf("register %s: %v", name, err)
		}
		if _, err := w.Subscribe(t.Context(), s.SubscriberID, w.channel.ID, now()); err != nil {
			t.Fatalf("follow as %s: %v", name, err)
		}
	}
	w.startWith(func(c *delivery.Config) { c.Now = now })
	const word = "Ainda quer receber?"
	eventually.True(t, "the word", func() bool { return slices.Contains(w.titlesAt("unused"), word) })
	for _, address := range []string{"used", "ana"} {
		check.Equal(t, fmt.Sprintf("whether %s was pushed the word", address),
			slices.Contains(w.titlesAt(address), word), false)
	}
}
