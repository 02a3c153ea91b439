//go:build go1.26

package sininho_test

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/sininho/sininho/pkg/sininho"
	"github.com/sininho/sininho/pkg/sininho/sininhotest"
)

const channel = "demo/novidades"

func TestLostResponsesPublishOnce(t *testing.T) {
	server := sininhotest.New(t)
	server.LoseResponses(2)
	result, err := server.Client().Notifications.Publish(t.Context(), channel, sininho.PublishInput{Title: "Um"})
	if err != nil {
		t.Fatalf("publish: %v", err)
	}
	equal(t, "Replayed of the result", result.Replayed, true)
	equal(t, "notifications published", len(server.Published(channel)), 1)
	keys := map[string]bool{}
	for _, r := range server.Requests() {
		keys[r.Header.Get("Idempotency-Key")] = true
	}
	equal(t, "requests", len(server.Requests()), 3)
	if len(keys) != 1 {
		t.Errorf("idempotency keys of the requests: got %v, want one for all", keys)
	}
}

func TestPublishIsTriedAgainAfter(t *testing.T) {
	tests := map[string]http.HandlerFunc{
		"409 in flight": sininhotest.Refuse(409, "idempotency_in_flight", 0),
		"429":           sininhotest.Refuse(429, "rate_limited", 1),
		"500":           sininhotest.Refuse(500, "internal", 0),
		"503":           sininhotest.Refuse(503, "unavailable", 0),
		"cut":           sininhotest.Cut,
	}
	for name, fault := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := sininhotest.New(t)
			server.Respond(fault)
			client := server.Client()
			_, err := client.Notifications.Publish(t.Context(), channel, sininho.PublishInput{Title: "Um"})
			if err != nil {
				t.Errorf("publish: %v", err)
			}
			equal(t, "requests", len(server.Requests()), 2)
		})
	}
}

func TestPublishIsNotTriedAgainAfter(t *testing.T) {
	tests := map[string]struct {
		fault http.HandlerFunc
		want  error
	}{
		"401":         {sininhotest.Refuse(401, "unauthenticated", 0), sininho.ErrUnauthorized},
		"403":         {sininhotest.Refuse(403, "forbidden", 0), sininho.ErrForbidden},
		"404":         {sininhotest.Refuse(404, "not_found", 0), sininho.ErrNotFound},
		"another 409": {sininhotest.Refuse(409, "slug_taken", 0), sininho.ErrConflict},
		"422":         {sininhotest.Refuse(422, "invalid", 0), sininho.ErrInvalid},
		"a day's 429": {sininhotest.Refuse(429, "rate_limited", 86400), sininho.ErrRateLimited},
		"501":         {sininhotest.Refuse(501, "not_implemented", 0), nil},
		"a web page": {func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte("<!doctype html>"))
		}, nil},
		"half a response": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write([]byte("{"))
		}, nil},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := sininhotest.New(t)
			server.Respond(tt.fault)
			_, err := server.Client().Notifications.Publish(t.Context(), channel, sininho.PublishInput{Title: "Um"})
			switch {
			case err == nil:
				t.Error("publish: got no error, want one")
			case tt.want != nil && !errors.Is(err, tt.want):
				t.Errorf("publish: got the error %v, want %v", err, tt.want)
			}
			equal(t, "requests", len(server.Requests()), 1)
		})
	}
}

func TestPublishSendsNothingThatCannotBeCarried(t *testing.T) {
	server := sininhotest.New(t)
	notifications := server.Client().Notifications
	publish := func(channel string, in sininho.PublishInput, opts ...sininho.CallOption) error {
		_, err := notifications.Publish(t.Context(), channel, in, opts...)
		return err
	}
	for name, err := range map[string]error{
		"address": publish("novidades", sininho.PublishInput{Title: "Um"}),
		"bytes":   publish(channel, sininho.PublishInput{Title: "Um", Body: "a\xff"}),
		"data":    publish(channel, sininho.PublishInput{Title: "Um", Data: map[string]string{"a": "\xff"}}),
		"no key":  publish(channel, sininho.PublishInput{Title: "Um"}, sininho.WithIdempotencyKey("")),
		"bad key": publish(channel, sininho.PublishInput{Title: "Um"}, sininho.WithIdempotencyKey("a b")),
	} {
		var input *sininho.InputError
		if !errors.As(err, &input) {
			t.Errorf("%s: got the error %v, want an *InputError", name, err)
		}
		if !errors.Is(err, sininho.ErrInvalid) {
			t.Errorf("%s: got the error %v, want %v", name, err, sininho.ErrInvalid)
		}
	}
	equal(t, "requests", len(server.Requests()), 0)
}

func TestValidateReportsEveryFault(t *testing.T) {
	if err := sininho.WholeInput().Validate(); err != nil {
		t.Errorf("Validate of a valid input: %v", err)
	}
	data := map[string]string{"long": strings.Repeat("x", 501)}
	now := time.Now()
	err := sininho.PublishInput{
		Body: strings.Repeat("😀", 20_001), Image: "imagem.png", Icon: "ftp://example.com", Link: "https://",
		Importance: "urgent", Data: data, ExternalID: strings.Repeat("x", 256),
		ScheduledAt: now.AddDate(1, 0, 2), ExpiresAt: now.Add(-time.Minute),
	}.Validate()
	var input *sininho.InputError
	if !errors.As(err, &input) {
		t.Fatalf("Validate of an input with faults: got the error %v, want an *InputError", err)
	}
	names := []string{}
	for _, f := range input.Fields {
		names = append(names, f.Name())
	}
	want := "title body externalId image icon link importance data.long scheduledAt expiresAt"
	equal(t, "names of the faults", strings.Join(names, " "), want)
	if err := (sininho.PublishInput{Title: strings.Repeat("😀", 200)}).Validate(); err != nil {
		t.Errorf("Validate of a title of 200 characters: %v", err)
	}
}

func TestValidateTitles(t *testing.T) {
	for title, want := range map[string]string{
		"\U0001fae9": "", "\u2800": "blank", "\u200f": "blank", "a\nb": "text", "\x1b[2J": "text", "a\u202eb": "text",
		"a\u200f": "text", "a\x00b": "text",
	} {
		var got string
		var input *sininho.InputError
		if errors.As(sininho.PublishInput{Title: title}.Validate(), &input) {
			got = input.Fields[0].Code
		}
		equal(t, fmt.Sprintf("code of the fault of the title %+q", title), got, want)
	}
}

func TestCorrectionReportsEveryFault(t *testing.T) {
	past := time.Now().Add(-time.Minute)
	err := sininho.Correction{
		Title: new(" "), Body: new("\x00"), Image: new("x"), Icon: new("x"), Link: new("http://"),
		Importance: new(sininho.Importance("urgent")), Data: map[string]string{"a b": ""},
		ScheduledAt: new(past.AddDate(2, 0, 0)), ExpiresAt: &past,
	}.Validate()
	var input *sininho.InputError
	if !errors.As(err, &input) {
		t.Fatalf("Validate of a correction with faults: got the error %v, want an *InputError", err)
	}
	if len(input.Fields) != 9 {
		t.Errorf("faults of the correction: got %d (%v), want 9", len(input.Fields), err)
	}
	if err := (sininho.Correction{Title: new("Um"), Link: new(""), ExpiresAt: &time.Time{}}).Validate(); err != nil {
		t.Errorf("Validate of a valid correction: %v", err)
	}
}
