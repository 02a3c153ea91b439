package delivery_test

import (
	"slices"
	"testing"
	"time"

	"github.com/sininho/sininho/internal/eventually"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/lab/check"
)

// panel registers a device of a program of its own for a follower, and returns the session of that program.
func (w *world) panel(follower core.ID, address, platform string) core.ID {
	w.t.Helper()
	session := core.Session{ID: core.NewID(), SubscriberID: follower, CreatedAt: now(), SeenAt: now()}
	if err := w.CreateSession(w.t.Context(), session, session.ID[:]); err != nil {
		w.t.Fatalf("create a session: %v", err)
	}
	in := core.Registration{InstallationID: "i-" + address,
		Push: core.PushAddress{Kind: core.KindFCM, Address: address}, Platform: platform, Name: "x"}
	if _, _, err := w.RegisterDevice(w.t.Context(), core.Caller{SubscriberID: follower, SessionID: session.ID}, in,
		now()); err != nil {
		w.t.Fatalf("register a device: %v", err)
	}
	return session.ID
}

// TestReadOnAnotherDevice expects what a person reads to be pushed to their other devices that are no browsers: few
// pushes for much that is read, and none for what is old or unread again.
func TestReadOnAnotherDevice(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.pushes.results["flaky"] = []core.Result{{Cause: core.CauseUnavailable}}
	w.pushes.results["gone"] = []core.Result{{Outcome: core.Failed, Cause: core.CauseUnregistered, Retire: true}}
	w.follower("browser", core.BellNone, false)
	w.follower("stranger", core.BellNone, false)
	person := func(address string) (id core.ID) {
		err := w.db.Pool().QueryRow(t.Context(), `select subscriber_id from devices where address = $1`, address).Scan(&id)
		if err != nil {
			t.Fatalf("find the owner of %s: %v", address, err)
		}
		return id
	}
	me := person("browser")
	here := w.panel(me, "here", "android")
	for _, address := range []string{"phone", "flaky", "gone"} {
		w.panel(me, address, "android")
	}
	w.panel(person("stranger"), "theirs", "ios")
	w.start()
	ids := make([]core.ID, 25)
	for i := range ids {
		ids[i] = w.publish(nil)
	}
	old := w.publish(func(n *core.Notification) { n.PublishedAt = new(now().Add(-8 * 24 * time.Hour)) })

	at := now()
	read := func(id core.ID, at *time.Time, archived *bool) {
		w.d.Read(me, core.ReadEvent{NotificationID: &id, ReadAt: at, Archived: archived, By: here})
	}
	for _, id := range append(slices.Clone(ids), old, ids[0]) {
		read(id, &at, nil)
	}
	read(ids[1], nil, nil)
	read(ids[2], nil, new(false))
	read(ids[3], nil, new(true)) // archived, though unread
	revised := func(address string) []string {
		w.pushes.mu.Lock()
		defer w.pushes.mu.Unlock()
		return slices.Clone(w.pushes.revised[address])
	}
	eventually.True(t, "the pushes of what was read", func() bool {
		return len(revised("phone")) == 2 && len(revised("flaky")) == 3
	})
	eventually.True(t, "the retirement of the device that is gone", func() bool {
		var retired bool
		err := w.db.Pool().QueryRow(t.Context(), "select retired_at is not null from devices where address = 'gone'").
			Scan(&retired)
		return err == nil && retired
	})
	wanted := core.NewReading(slices.Concat(ids[:1], ids[3:22]), nil, at).Read
	rest := core.NewReading(ids[22:], nil, at).Read
	got := revised("phone")
	slices.Sort(got)
	want := []string{"read " + wanted, "read " + rest}
	slices.Sort(want)
	check.Equal(t, "pushes to the phone", got, want)
	for _, address := range []string{"browser", "here", "theirs", "stranger"} {
		check.Equal(t, "pushes to "+address, revised(address), nil)
	}

	w.d.Read(me, core.ReadEvent{ChannelID: &w.channel.ID, By: here})
	eventually.True(t, "the push of a channel", func() bool { return len(revised("phone")) == 3 })
	check.Equal(t, "push of a channel", revised("phone")[2], "read  in "+w.channel.ID.String())
	read(ids[4], &at, nil)
	w.d.Read(me, core.ReadEvent{By: here})
	eventually.True(t, "the push of all", func() bool { return len(revised("phone")) == 4 })
	check.Equal(t, "push of all", revised("phone")[3], "read ")
	if n := len(revised("gone")); n > 2 {
		t.Errorf("pushes to a device that is gone: got %d, want none after the first two", n)
	}
}
