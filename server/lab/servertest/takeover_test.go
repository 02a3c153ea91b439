package servertest_test

import (
	"net/http"
	"testing"

	"github.com/sininho/sininho/internal/eventually"
	"github.com/sininho/sininho/server/lab/check"
)

// TestTakenOverDevice registers a person's push address for somebody else, while a push to the person waits: neither
// this push nor a later one arrives there, and what the other person follows does.
func TestTakenOverDevice(t *testing.T) {
	t.Parallel()
	m := newModerated(t)
	m.finishEarlier()
	m.reader.RingingDevice("shared-device")
	execute(t, m.Server, "update pacers set paused_until = now() + interval '1 hour', pause_cause = 'quota'")
	waiting := m.newNotification()
	eventually.True(t, "the push waits", func() bool {
		return count(t, m.Server, "select count(*) from delivery_batches where notification_id = $1", waiting) == 1
	})
	rui := m.SignIn(t, "rui@example.com")
	rui.Follow("q/c")
	rui.Device("shared-device")
	var devices page[struct{ ID string }]
	m.reader.Do(http.MethodGet, "/subscribers/devices", nil, 200, &devices)
	check.Equal(t, "devices of the person whose address was taken over", devices.Meta.Total, 0)

	execute(t, m.Server, "update pacers set paused_until = null, pause_cause = null")
	finished := func(id string) {
		t.Helper()
		eventually.True(t, "every device has its outcome", func() bool {
			return count(t, m.Server, "select count(*) from dispatches where notification_id = $1 and finished_at is not null",
				id) == 1
		})
	}
	finished(waiting)
	finished(m.newNotification())
	m.publishInOther()
	push := m.Sent(t, "shared-device", 0)
	check.Equal(t, "title of the first push", push.Message.Notification.Title+push.Message.Data["title"], "Q")
	check.Equal(t, "pushes to the address", len(pushesTo(t, m.Server, "shared-device")), 1)
}
