package servertest_test

import (
	"context"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/sininho/sininho/pkg/sininho"
	"github.com/sininho/sininho/server/lab/check"
	"github.com/sininho/sininho/server/lab/servertest"
)

// TestSnooze postpones a notification: it leaves the feed and its counts, and when its time comes it is back as unread,
// on the stream and by one push.
func TestSnooze(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ana := s.SignIn(t, "ana@example.com")
	ana.Follow("demo/novidades")
	ana.RingingDevice("token-ana")
	client := s.Client(sininho.WithAccessToken(newToken(t, ana, "CLI").Secret))
	published, err := s.Client().Notifications.Publish(t.Context(), "demo/novidades", sininho.PublishInput{Title: "Adiada"})
	if err != nil {
		t.Fatalf("publish: %v", err)
	}
	n := published.Notification
	first := s.Sent(t, "token-ana", 0)
	path := "/subscribers/notifications/" + n.ID
	for _, wrong := range []any{in(-1), in(24 * 400), "amanhã"} {
		ana.Do(http.MethodPatch, path, object{"snoozedUntil": wrong}, 422, nil)
	}
	ana.Do(http.MethodPatch, path, object{"snoozedUntil": nil, "archived": true}, 422, nil)
	ana.Do(http.MethodPatch, path, object{"read": true}, 200, nil)

	events := followFeed(t, client)
	moved := func() (e sininho.Event) { // what was read may be told after the stream has begun
		for e.Archived == nil {
			e = <-events
		}
		return e
	}
	until := time.Now().Add(time.Hour).UTC().Truncate(time.Second)
	if got, err := client.Feed.Snooze(t.Context(), n.ID, until); err != nil || !got.SnoozedUntil.Equal(until) {
		t.Fatalf("postpone: got %+v, %v, want it until %s", got, err, until)
	}
	if e := moved(); e.NotificationID != n.ID || !*e.Archived || !e.SnoozedUntil.Equal(until) || e.Returned {
		t.Errorf("event of the postponement: got %+v, want that it left until %s", e, until)
	}
	has := func(what string, opts sininho.FeedListOptions, want bool) {
		t.Helper()
		var titles []string
		for n, err := range client.Feed.List(t.Context(), opts) {
			if err != nil {
				t.Fatalf("list: %v", err)
			}
			titles = append(titles, n.Title)
		}
		check.Equal(t, "whether it is in "+what, slices.Contains(titles, "Adiada"), want)
	}
	has("the feed", sininho.FeedListOptions{}, false)
	has("what is archived", sininho.FeedListOptions{Archived: true}, false)
	has("what is postponed", sininho.FeedListOptions{Snoozed: true}, true)

	if _, err := client.Feed.Snooze(t.Context(), n.ID, time.Now().Add(time.Second)); err != nil {
		t.Fatalf("postpone for a second: %v", err)
	}
	moved()
	if e := moved(); e.NotificationID != n.ID || *e.Archived || !e.ReadAt.IsZero() || !e.Returned {
		t.Errorf("event when its time has come: got %+v, want that it is back, unread", e)
	}
	push := s.Sent(t, "token-ana", first.Seq)
	check.Equal(t, "the push", []string{push.Message.Notification.Title, push.Message.Data["id"], push.Message.Data["again"],
		push.Message.Webpush.Headers["Urgency"]}, []string{"Adiada", n.ID, "true", "high"})
	check.Equal(t, "number of pushes", len(pushesTo(t, s, "token-ana")), 2)
	has("what is unread", sininho.FeedListOptions{Unread: true}, true)
	has("what is postponed", sininho.FeedListOptions{Snoozed: true}, false)
	var list struct{ Meta struct{ Unread int } }
	ana.Do(http.MethodGet, "/subscribers/notifications", nil, 200, &list)
	check.Equal(t, "unread", list.Meta.Unread, 1)
}

// followFeed returns the events of a feed from now on.
func followFeed(t *testing.T, client *sininho.Client) <-chan sininho.Event {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	events, connected := make(chan sininho.Event), make(chan struct{})
	var done sync.WaitGroup
	t.Cleanup(func() {
		cancel()
		done.Wait()
	})
	done.Go(func() {
		opts := sininho.StreamOptions{OnConnect: sync.OnceFunc(func() { close(connected) })}
		for event, err := range client.Feed.Stream(ctx, opts) {
			select {
			case events <- event:
			case <-ctx.Done():
			}
			if err != nil {
				return
			}
		}
	})
	<-connected
	return events
}
