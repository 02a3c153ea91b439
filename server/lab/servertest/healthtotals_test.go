package servertest_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/sininho/sininho/server/lab/check"
	"github.com/sininho/sininho/server/lab/servertest"
)

type healthTotals struct {
	People, WithoutAccount, Channels, PrivateChannels, Devices int64
	LastPushAt                                                 *time.Time
	FailedLastHour, FailedLastDay                              map[string]int64
	Paused                                                     []struct{ Service, Cause string }
}

func totalsFor(operator *servertest.Subscriber) healthTotals {
	var health struct{ Totals healthTotals }
	operator.Do(http.MethodGet, "/admin/health?hours=1&node=another", nil, 200, &health)
	return health.Totals
}

// TestHealthTotals counts after each action whom the installation reaches, and reads what the servers stored.
func TestHealthTotals(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	was := totalsFor(f.operator)
	f.SignIn(t, "new@example.com")
	f.SignInAnonymously(t)
	for _, visibility := range []string{"public", "unlisted", "private"} {
		f.owner.Do(http.MethodPost, "/channels", object{"publisherSlug": "p", "slug": visibility, "name": visibility,
			"categoryId": f.category, "visibility": visibility}, 201, nil)
	}
	f.owner.RingingDevice("rings")
	gone := f.owner.RingingDevice("is-removed")
	f.owner.Do(http.MethodDelete, "/subscribers/devices/"+gone, nil, 204, nil)
	got := totalsFor(f.operator)
	check.Equal(t, "new people, those without an account, channels, private ones and devices that ring",
		[]int64{got.People - was.People, got.WithoutAccount - was.WithoutAccount, got.Channels - was.Channels,
			got.PrivateChannels - was.PrivateChannels, got.Devices - was.Devices}, []int64{2, 1, 3, 1, 1})
	f.owner.Do(http.MethodDelete, "/channels/p/private", nil, 204, nil)
	got = totalsFor(f.operator)
	check.Equal(t, "channels and private ones after one was deleted",
		[]int64{got.Channels - was.Channels, got.PrivateChannels - was.PrivateChannels}, []int64{2, 0})

	execute(t, f.Server, `insert into node_samples (at, node, streams, published, accepted, failed, requests, errors) values
		(now() - interval '2 hours', 'a', 0, 0, 0, '{"invalid": 1}', 0, 0),
		(now() - interval '10 seconds', 'a', 0, 0, 0, '{"credentials": 2}', 0, 0),
		(now() + interval '1 hour', 'a', 0, 0, 7, null, 0, 0)`)
	execute(t, f.Server, "update pacers set paused_until = now() + interval '1 hour', pause_cause = 'credentials'")
	got = totalsFor(f.operator)
	check.Equal(t, "failures of the last hour", got.FailedLastHour, map[string]int64{"credentials": 2})
	check.Equal(t, "failures of the last day", got.FailedLastDay, map[string]int64{"credentials": 2, "invalid": 1})
	if got.LastPushAt == nil || got.LastPushAt.Before(time.Now().Add(50*time.Minute)) {
		t.Errorf("last push: got %v, want that of the latest sample", got.LastPushAt)
	}
	check.Equal(t, "paused services", got.Paused, []struct{ Service, Cause string }{{"fcm", "credentials"}})
}
