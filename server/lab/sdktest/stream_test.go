package sdktest_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/sininho/sininho/pkg/sininho"
)

// testStream follows a channel live, and then requests the events that it missed.
func testStream(t *testing.T, f *fixture) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	publish := func(title string) {
		if _, err := f.key.Notifications.Publish(ctx, f.channel, sininho.PublishInput{Title: title}); err != nil {
			t.Errorf("publish: %v", err)
		}
	}
	var live []string
	first := ""
	for event, err := range f.key.Notifications.Stream(ctx, f.channel,
		sininho.StreamOptions{OnConnect: func() { publish("Um") }}) {
		if err != nil {
			t.Fatalf("stream: %v", err)
		}
		switch live = append(live, describe(event)); event.Type {
		case sininho.EventNotification:
			first = event.ID
			_, err = f.key.Notifications.Correct(ctx, f.channel, event.Notification.ID,
				sininho.Correction{Title: new("Dois")})
		case sininho.EventCorrected:
			err = f.key.Notifications.Withdraw(ctx, f.channel, event.Notification.ID)
		}
		if err != nil {
			t.Fatalf("withdraw: %v", err)
		}
		if event.Type == sininho.EventWithdrawn {
			break
		}
	}
	if want := []string{"notification Um", "corrected Dois", "withdrawn"}; !slices.Equal(live, want) {
		t.Errorf("live events: got %q, want %q", live, want)
	}
	publish("Três")
	var missed []string
	for event, err := range f.key.Notifications.Stream(ctx, f.channel, sininho.StreamOptions{LastEventID: first}) {
		if err != nil {
			t.Fatalf("stream: %v", err)
		}
		if missed = append(missed, describe(event)); len(missed) == 2 {
			break
		}
	}
	if want := []string{"withdrawn", "notification Três"}; !slices.Equal(missed, want) {
		t.Errorf("missed events: got %q, want %q", missed, want)
	}
}

func describe(event sininho.Event) string {
	if event.Notification == nil {
		return string(event.Type)
	}
	return fmt.Sprint(event.Type, " ", event.Notification.Title)
}
