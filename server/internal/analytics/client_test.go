package analytics

import (
	"encoding/json"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sininho/sininho/internal/eventually"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/lab/leaktest"
	"github.com/sininho/sininho/server/lab/standin/posthog"
)

func TestMain(m *testing.M) { leaktest.Main(m) }

func serve(t *testing.T, h http.Handler) string {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s.URL
}

func client(t *testing.T, c Config) *Client {
	t.Helper()
	c.Key, c.Log = "phc_test", slog.New(slog.DiscardHandler)
	out, err := New(c)
	if err != nil {
		t.Fatalf("new: %v", err)
	}
	return out
}

// catalogue maps the name of every event to all its own properties.
var catalogue = map[string][]string{
	"notification_accepted": {"accepted", "channelId", "failed", "notificationId"},
	"notification_opened":   {"notificationId"},
}

// always lists the properties of every event: the library that sent it, and that it has no person and no location.
var always = []string{"$geoip_disable", "$ip", "$lib", "$lib_version", "$process_person_profile"}

func TestEventsHaveOnlyDocumentedProperties(t *testing.T) {
	standIn := posthog.New()
	c := client(t, Config{Host: serve(t, standIn.Handler()) + "/"})
	notification, channel := core.NewID(), core.NewID()
	c.Capture(core.NotificationAccepted{NotificationID: notification, ChannelID: channel, Accepted: 3, Failed: 1})
	c.Capture(core.NotificationOpened{NotificationID: notification})
	if err := c.Close(); err != nil {
		t.Fatalf("close the client: %v", err)
	}
	requests := standIn.Requests(0)
	if len(requests) != 1 || requests[0].URL != "/batch/" || len(requests[0].Events) != 2 {
		t.Fatalf("requests: got %+v, want one to /batch/ with two events", requests)
	}
	for name := range requests[0].Header {
		if !slices.Contains([]string{"Accept-Encoding", "Content-Length", "Content-Type", "User-Agent"}, name) {
			t.Errorf("request headers: got %s, want only those of HTTP", name)
		}
	}
	for _, e := range requests[0].Events {
		want := slices.Sorted(slices.Values(append(slices.Clone(always), catalogue[e.Name]...)))
		if diff := cmp.Diff(want, slices.Sorted(maps.Keys(e.Properties))); diff != "" {
			t.Errorf("properties of %s (-want +got):\n%s", e.Name, diff)
		}
		if ip := e.Properties["$ip"]; ip != nil {
			t.Errorf("$ip of %s: got %v, want null", e.Name, ip)
		}
		if e.Properties["$geoip_disable"] != true || e.Properties["$process_person_profile"] != false {
			t.Errorf("properties of %s: got %v, want neither location nor person", e.Name, e.Properties)
		}
		var sent map[string]any
		if err := json.Unmarshal(e.Sent, &sent); err != nil {
			t.Fatalf("decode JSON: %v", err)
		}
		fields := []string{"distinct_id", "event", "library", "library_version", "properties", "send_feature_flags",
			"timestamp", "type", "uuid"}
		if diff := cmp.Diff(fields, slices.Sorted(maps.Keys(sent))); diff != "" {
			t.Errorf("fields of %s (-want +got):\n%s", e.Name, diff)
		}
		if sent["distinct_id"] != notification.String() {
			t.Errorf("distinct_id of %s: got %v, want the notification %s", e.Name, sent["distinct_id"], notification)
		}
		if sent["uuid"] == "" || sent["uuid"] == sent["distinct_id"] {
			t.Errorf("uuid of %s: got %v, want one of its own", e.Name, sent["uuid"])
		}
	}
	want := map[string]any{
		"accepted": 3.0, "failed": 1.0, "notificationId": notification.String(), "channelId": channel.String(),
	}
	for name, want := range want {
		if got := requests[0].Events[0].Properties[name]; got != want {
			t.Errorf("property %s of the accepted notification: got %v, want %v", name, got, want)
		}
	}
	if c.Dropped() != 0 {
		t.Errorf("dropped events: got %d, want 0", c.Dropped())
	}
}

// TestEventsBeyondTheLimitAreDropped checks that events beyond the limit are dropped while PostHog does not respond,
// and that Capture does not block.
func TestEventsBeyondTheLimitAreDropped(t *testing.T) {
	requested, release := make(chan struct{}, 1), make(chan struct{})
	c := client(t, Config{Waiting: 2, Host: serve(t, http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		requested <- struct{}{}
		<-release
	}))})
	for range 5 {
		c.Capture(core.NotificationOpened{NotificationID: core.NewID()})
	}
	closed := make(chan error)
	go func() { closed <- c.Close() }()
	<-requested
	if c.Dropped() != 3 {
		t.Errorf("dropped events while PostHog does not respond: got %d, want 3", c.Dropped())
	}
	close(release)
	if err := <-closed; err != nil {
		t.Fatalf("close the client: %v", err)
	}
	if c.Dropped() != 3 {
		t.Errorf("dropped events after Close: got %d, want 3", c.Dropped())
	}
}

// TestEventsArePaced checks that events beyond the pace are dropped although PostHog accepts all.
func TestEventsArePaced(t *testing.T) {
	t.Parallel()
	standIn := posthog.New()
	c := client(t, Config{Waiting: 2, PerSecond: 1e-6, Host: serve(t, standIn.Handler())})
	for range 2 {
		c.Capture(core.NotificationOpened{NotificationID: core.NewID()})
	}
	eventually.True(t, "both events to be sent", func() bool { return c.waiting.Load() == 0 })
	c.Capture(core.NotificationOpened{NotificationID: core.NewID()})
	if c.Dropped() != 1 {
		t.Errorf("dropped events: got %d, want 1", c.Dropped())
	}
	if err := c.Close(); err != nil {
		t.Fatalf("close the client: %v", err)
	}
}

// TestRefusedEventsAreDropped checks that an event is dropped when no time is left to retry it.
func TestRefusedEventsAreDropped(t *testing.T) {
	var requests atomic.Int64
	c := client(t, Config{Host: serve(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		requests.Add(1)
		w.WriteHeader(http.StatusServiceUnavailable)
	}))})
	c.Capture(core.NotificationOpened{NotificationID: core.NewID()})
	if err := c.Close(); err != nil {
		t.Fatalf("close the client: %v", err)
	}
	if c.Dropped() != 1 || requests.Load() != 1 {
		t.Errorf("got %d dropped events after %d requests, want 1 after 1", c.Dropped(), requests.Load())
	}
	c.Capture(core.NotificationOpened{NotificationID: core.NewID()})
	if c.Dropped() != 2 {
		t.Errorf("dropped events with one captured after Close: got %d, want 2", c.Dropped())
	}
}
