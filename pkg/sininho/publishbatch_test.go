//go:build go1.26

package sininho_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/sininho/sininho/pkg/sininho"
	"github.com/sininho/sininho/pkg/sininho/sininhotest"
)

func TestPublishBatch(t *testing.T) {
	server := sininhotest.New(t)
	server.LoseResponses(1)
	notifications := server.Client().Notifications
	first, err := notifications.PublishBatch(t.Context(), channel, []sininho.PublishInput{
		{Title: "Um", ExternalID: "1"}, {Title: "Dois"},
	})
	if err != nil {
		t.Fatalf("publish a batch: %v", err)
	}
	equal(t, "Replayed after a lost response", first.Replayed, true)
	second, err := notifications.PublishBatch(t.Context(), channel, []sininho.PublishInput{
		{Title: "Três"}, {Title: "Outra vez um", ExternalID: "1"},
	})
	if err != nil {
		t.Fatalf("publish another batch: %v", err)
	}
	equal(t, "Replayed of another batch", second.Replayed, false)
	equal(t, "Existing of a new one", second.Notifications[0].Existing, false)
	equal(t, "result with the external id of the first", second.Notifications[1],
		sininho.BatchedNotification{ID: first.Notifications[0].ID, Existing: true})
	var titles []string
	for _, n := range server.Published(channel) {
		titles = append(titles, n.Title)
	}
	if want := []string{"Um", "Dois", "Três"}; !slices.Equal(titles, want) {
		t.Errorf("published: got %q, want %q", titles, want)
	}
}

func TestFaultsOfABatch(t *testing.T) {
	server := sininhotest.New(t)
	for name, tt := range map[string]struct {
		in   []sininho.PublishInput
		want string // pointer and code
	}{
		"nothing":          {nil, "#/notifications too_few"},
		"too many":         {make([]sininho.PublishInput, sininho.MaxBatch+1), "#/notifications too_many"},
		"no title":         {[]sininho.PublishInput{{Title: "Um"}, {}}, "#/notifications/1/title too_short"},
		"bytes":            {[]sininho.PublishInput{{Title: "Um"}, {Title: "\xff"}}, "#/notifications/1/title text"},
		"same external id": {[]sininho.PublishInput{{Title: "Um", ExternalID: "e"}, {Title: "Dois", ExternalID: "e"}}, "#/notifications/1/externalId duplicate"},
	} {
		_, err := server.Client().Notifications.PublishBatch(t.Context(), channel, tt.in)
		var refused *sininho.Error
		var input *sininho.InputError
		var fields []sininho.FieldError
		switch {
		case errors.As(err, &refused):
			fields = refused.Fields
		case errors.As(err, &input):
			fields = input.Fields
		default:
			t.Errorf("%s: got the error %v, want one with fields", name, err)
			continue
		}
		var got []string
		for _, f := range fields {
			got = append(got, fmt.Sprint(f.Pointer, " ", f.Code))
		}
		if !slices.Contains(got, tt.want) {
			t.Errorf("%s: got the faults %q, want %q among them", name, got, tt.want)
		}
	}
	equal(t, "published", len(server.Published(channel)), 0)
}
