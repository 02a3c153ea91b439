package servertest_test

import (
	"context"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/sininho/sininho/pkg/sininho"
	"github.com/sininho/sininho/server/lab/servertest"
)

const replayed = "demo/novidades"

// TestAReplayIsCutAnywhere cuts the replay of publications, a correction and a withdrawal after each number of events:
// the events before and after the cut must together be those of an uncut replay.
func TestAReplayIsCutAnywhere(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	r := replay{t, s.Client().Notifications}
	r.publish("begin")
	start := r.after("0", "notification begin")
	last := start[len(start)-1].ID
	n := r.publish("N")
	r.publish("Y")
	w := r.publish("W")
	r.after(last, "notification W")
	if _, err := r.Correct(t.Context(), replayed, n, sininho.Correction{Title: new("N2")}); err != nil {
		t.Fatalf("correct: %v", err)
	}
	r.after(last, "corrected N2")
	if err := r.Withdraw(t.Context(), replayed, w); err != nil {
		t.Fatalf("withdraw: %v", err)
	}
	r.after(last, "withdrawn "+w)
	r.publish("end")
	want := []string{"notification N2", "notification Y", "corrected N2", "withdrawn " + w, "notification end"}
	for _, name := range want[:len(want)-1] {
		before := r.after(last, name)
		after := r.after(before[len(before)-1].ID, want[len(want)-1])
		if got := append(names(before), names(after)...); !slices.Equal(got, want) {
			t.Errorf("replay that was cut after %q: got %q, want %q", name, got, want)
		}
	}
}

// TestAStreamGoesOnFromAnAnswer opens streams at the positions of answers. Something is published before each answer
// and after it: a stream must have the latter, and after the unread counts nothing but that.
func TestAStreamGoesOnFromAnAnswer(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ana := s.SignIn(t, "ana@example.com")
	ana.Follow(replayed)
	r := replay{t, s.Client().Notifications}
	n := r.publish("first")
	const counts = "/subscribers/channels"
	for _, path := range []string{counts, "/subscribers/notifications", "/subscribers/notifications?unread=true",
		"/subscribers/notifications/" + n, "/channels/" + replayed + "/notifications"} {
		r.publish("before " + path)
		res, err := http.DefaultClient.Do(ana.Request(http.MethodGet, path, nil))
		if err != nil {
			t.Fatalf("request %s: %v", path, err)
		}
		_ = res.Body.Close()
		position, after := res.Header.Get("Stream-Position"), "after "+path
		r.publish(after)
		got := names(r.after(position, "notification "+after))
		if path == counts && len(got) != 1 {
			t.Errorf("events after %s at %s: got %q, want only the last", path, position, got)
		}
	}
}

type replay struct {
	t *testing.T
	*sininho.NotificationsService
}

func (r replay) publish(title string) (id string) {
	r.t.Helper()
	result, err := r.Publish(r.t.Context(), replayed, sininho.PublishInput{Title: title})
	if err != nil {
		r.t.Fatalf("publish: %v", err)
	}
	return result.Notification.ID
}

// after returns the events after a position, up to and including last.
func (r replay) after(position, last string) (events []sininho.Event) {
	r.t.Helper()
	ctx, stop := context.WithTimeout(r.t.Context(), time.Minute)
	defer stop()
	for event, err := range r.Stream(ctx, replayed, sininho.StreamOptions{LastEventID: position}) {
		if err != nil {
			r.t.Fatalf("stream after %s: got %q and then %v, want %q", position, names(events), err, last)
		}
		if events = append(events, event); describe(event) == last {
			break
		}
	}
	return events
}

func names(events []sininho.Event) (names []string) {
	for _, e := range events {
		names = append(names, describe(e))
	}
	return names
}

// describe returns an event's type and its notification's title, or its id after a withdrawal.
func describe(e sininho.Event) string {
	if e.Notification != nil {
		return string(e.Type) + " " + e.Notification.Title
	}
	return string(e.Type) + " " + e.NotificationID
}
