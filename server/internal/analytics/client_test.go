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

	"go.uber.org/goleak"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/standin/posthog"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

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

func TestEventsAreOfTheCatalogueAndNobodys(t *testing.T) {
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
		t.Fatalf("%+v", requests)
	}
	for name := range requests[0].Header {
		if !slices.Contains([]string{"Accept-Encoding", "Content-Length", "Content-Type", "User-Agent"}, name) {
			t.Errorf("the header %s is sent", name)
		}
	}
	for _, e := range requests[0].Events {
		keys := slices.Sorted(maps.Keys(e.Properties))
		if want := slices.Sorted(slices.Values(append(slices.Clone(always), catalogue[e.Name]...))); !slices.Equal(keys, want) {
			t.Errorf("%s says %v, want %v", e.Name, keys, want)
		}
		if e.Properties["$ip"] != nil || e.Properties["$geoip_disable"] != true || e.Properties["$process_person_profile"] != false {
			t.Errorf("%s: %v", e.Name, e.Properties)
		}
		var sent map[string]any
		if err := json.Unmarshal(e.Sent, &sent); err != nil {
			t.Fatalf("decode JSON: %v", err)
		}
		if keys := slices.Sorted(maps.Keys(sent)); !slices.Equal(keys,
			[]string{"distinct_id", "event", "library", "library_version", "properties", "send_feature_flags", "timestamp", "type", "uuid"}) {
			t.Errorf("%s is sent with %v", e.Name, keys)
		}
		if sent["distinct_id"] != notification.String() || sent["uuid"] == "" || sent["uuid"] == sent["distinct_id"] {
			t.Errorf("%s: %v", e.Name, sent)
		}
	}
	if p := requests[0].Events[0].Properties; p["accepted"] != 3.0 || p["failed"] != 1.0 || p["notificationId"] != notification.String() || p["channelId"] != channel.String() {
		t.Errorf("%v", p)
	}
	if c.Dropped() != 0 {
		t.Errorf("%d are dropped", c.Dropped())
	}
}

// TestWhatFindsNoRoomIsDropped checks that events beyond the limit are dropped while PostHog does not respond, and that
// Capture does not block.
func TestWhatFindsNoRoomIsDropped(t *testing.T) {
	asked, answer := make(chan struct{}, 1), make(chan struct{})
	c := client(t, Config{Waiting: 2, Host: serve(t, http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		asked <- struct{}{}
		<-answer
	}))})
	for range 5 {
		c.Capture(core.NotificationOpened{NotificationID: core.NewID()})
	}
	closed := make(chan error)
	go func() { closed <- c.Close() }()
	<-asked
	if c.Dropped() != 3 {
		t.Errorf("%d are dropped, want 3", c.Dropped())
	}
	close(answer)
	if err := <-closed; err != nil {
		t.Fatal(err)
	}
	if c.Dropped() != 3 {
		t.Errorf("%d are dropped in the end, want 3", c.Dropped())
	}
}

// TestWhatPostHogRefusesIsDropped checks that an event is dropped when no time is left to retry it.
func TestWhatPostHogRefusesIsDropped(t *testing.T) {
	var asked atomic.Int64
	c := client(t, Config{Host: serve(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		w.WriteHeader(http.StatusServiceUnavailable)
	}))})
	c.Capture(core.NotificationOpened{NotificationID: core.NewID()})
	if err := c.Close(); err != nil {
		t.Fatalf("close the client: %v", err)
	}
	if c.Dropped() != 1 || asked.Load() != 1 {
		t.Errorf("%d are dropped after %d tries", c.Dropped(), asked.Load())
	}
	c.Capture(core.NotificationOpened{NotificationID: core.NewID()})
	if c.Dropped() != 2 {
		t.Error("what comes after the end is not dropped")
	}
}
