package sininho_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/sininho/sininho/pkg/sininho"
	"github.com/sininho/sininho/pkg/sininho/sininhotest"
)

const channel = "demo/novidades"

func TestPublishSendsEveryField(t *testing.T) {
	server := sininhotest.New(t)
	in := sininho.WholeInput()
	result, err := server.Client().Notifications.Publish(t.Context(), channel, in)
	if err != nil {
		t.Fatal(err)
	}
	if !result.Created || result.Existing || result.Replayed {
		t.Errorf("result = %+v", result)
	}
	n := server.Published(channel)[0]
	if n.Title != in.Title || n.Body != in.Body || n.Image != in.Image || n.Icon != in.Icon || n.Link != in.Link ||
		n.Importance != in.Importance || n.Data["build"] != "1842" || n.ExternalID != in.ExternalID ||
		!n.ScheduledAt.Equal(in.ScheduledAt) || !n.ExpiresAt.Equal(in.ExpiresAt) {
		t.Errorf("published %+v", n)
	}
	if n.ID != result.Notification.ID || result.Notification.Channel.Address().String() != channel {
		t.Errorf("answered %+v", result.Notification)
	}
}

func TestPublishOfAnExternalIDThatExists(t *testing.T) {
	server := sininhotest.New(t)
	client := server.Client()
	in := sininho.PublishInput{Title: "Um", ExternalID: "a/1"}
	first, err := client.Notifications.Publish(t.Context(), channel, in)
	if err != nil {
		t.Fatal(err)
	}
	second, err := client.Notifications.Publish(t.Context(), channel, in)
	if err != nil {
		t.Fatal(err)
	}
	if second.Created || !second.Existing || second.Notification.ID != first.Notification.ID {
		t.Errorf("second = %+v", second)
	}
}

func TestPublishUnderAKeyIsReplayed(t *testing.T) {
	server := sininhotest.New(t)
	client := server.Client()
	for i := range 2 {
		result, err := client.Notifications.Publish(t.Context(), channel, sininho.PublishInput{Title: "Um"},
			sininho.WithIdempotencyKey("deploy-1842"))
		if err != nil {
			t.Fatal(err)
		}
		if result.Created != (i == 0) || result.Replayed != (i == 1) {
			t.Errorf("call %d: %+v", i, result)
		}
	}
	if n := len(server.Published(channel)); n != 1 {
		t.Errorf("%d published", n)
	}
}

func TestLostAnswersPublishOnce(t *testing.T) {
	server := sininhotest.New(t)
	server.LoseAnswers(2)
	result, err := server.Client().Notifications.Publish(t.Context(), channel, sininho.PublishInput{Title: "Um"})
	if err != nil {
		t.Fatal(err)
	}
	if !result.Replayed || len(server.Published(channel)) != 1 {
		t.Errorf("result %+v, %d published", result, len(server.Published(channel)))
	}
	keys := map[string]bool{}
	for _, r := range server.Requests() {
		keys[r.Header.Get("Idempotency-Key")] = true
	}
	if len(server.Requests()) != 3 || len(keys) != 1 {
		t.Errorf("%d requests under keys %v", len(server.Requests()), keys)
	}
}

func TestPublishIsTriedAgainAfter(t *testing.T) {
	tests := map[string]http.HandlerFunc{
		"409 in flight": sininhotest.Refuse(409, sininho.CodeIdempotencyInFlight, 0),
		"429":           sininhotest.Refuse(429, "rate_limited", 1),
		"500":           sininhotest.Refuse(500, "internal", 0),
		"503":           sininhotest.Refuse(503, "unavailable", 0),
		"cut":           sininhotest.Cut,
	}
	for name, fault := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := sininhotest.New(t)
			server.Answer(fault)
			if _, err := server.Client().Notifications.Publish(t.Context(), channel, sininho.PublishInput{Title: "Um"}); err != nil {
				t.Error(err)
			}
			if n := len(server.Requests()); n != 2 {
				t.Errorf("%d requests", n)
			}
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
		"a web page":  {func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("<!doctype html>")) }, nil},
		"half an answer": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write([]byte("{"))
		}, nil},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := sininhotest.New(t)
			server.Answer(tt.fault)
			_, err := server.Client().Notifications.Publish(t.Context(), channel, sininho.PublishInput{Title: "Um"})
			if err == nil || (tt.want != nil && !errors.Is(err, tt.want)) {
				t.Errorf("err = %v, want %v", err, tt.want)
			}
			if n := len(server.Requests()); n != 1 {
				t.Errorf("%d requests", n)
			}
		})
	}
}

func TestPublishReportsEveryFault(t *testing.T) {
	server := sininhotest.New(t)
	_, err := server.Client().Notifications.Publish(t.Context(), channel,
		sininho.PublishInput{Title: strings.Repeat("é", 201), ExternalID: strings.Repeat("x", 256)})
	var refused *sininho.Error
	if !errors.As(err, &refused) || refused.Status != 422 || refused.Code != "invalid" || refused.RequestID == "" {
		t.Fatalf("err = %#v", err)
	}
	pointers := []string{}
	for _, f := range refused.Fields {
		pointers = append(pointers, f.Pointer)
	}
	if got := strings.Join(pointers, " "); !strings.Contains(got, "#/title") || !strings.Contains(got, "#/externalId") {
		t.Errorf("faults at %s", got)
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
		if !errors.As(err, &input) || !errors.Is(err, sininho.ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if n := len(server.Requests()); n != 0 {
		t.Errorf("%d requests", n)
	}
}

func TestValidateReportsEveryFault(t *testing.T) {
	if err := sininho.WholeInput().Validate(); err != nil {
		t.Errorf("a good input: %v", err)
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
		t.Fatal(err)
	}
	names := []string{}
	for _, f := range input.Fields {
		names = append(names, f.Name())
	}
	if got, want := strings.Join(names, " "), "title body externalId image icon link importance data.long scheduledAt expiresAt"; got != want {
		t.Errorf("faults %q, want %q", got, want)
	}
	if err := (sininho.PublishInput{Title: strings.Repeat("😀", 200)}).Validate(); err != nil {
		t.Errorf("200 characters: %v", err)
	}
}

// What a server refuses beyond the contract's schema, sininhotest refuses too.
func TestWhatPublishingRefuses(t *testing.T) {
	notifications := sininhotest.New(t).Client().Notifications
	now := time.Now()
	for name, in := range map[string]sininho.PublishInput{
		"title":       {Title: " \u200b\u3164"},
		"body":        {Title: "Um", Body: "a\x00b"},
		"externalId":  {Title: "Um", ExternalID: "\x00"},
		"data.a":      {Title: "Um", Data: map[string]string{"a": "\x00"}},
		"link":        {Title: "Um", Link: "javascript:1"},
		"icon":        {Title: "Um", Icon: "http://example.com/c.png"},
		"image":       {Title: "Um", Image: "https://ana@example.com/i.png"},
		"expiresAt":   {Title: "Um", ScheduledAt: now.Add(2 * time.Hour), ExpiresAt: now.Add(time.Hour)},
		"scheduledAt": {Title: "Um", ScheduledAt: now.AddDate(1, 0, 2)},
	} {
		_, err := notifications.Publish(t.Context(), channel, in)
		var refused *sininho.Error
		if !errors.As(err, &refused) || len(refused.Fields) != 1 || refused.Fields[0].Name() != name {
			t.Errorf("%s: the server says %v", name, err)
		}
		var input *sininho.InputError
		if !errors.As(in.Validate(), &input) || len(input.Fields) != 1 || input.Fields[0].Name() != name {
			t.Errorf("%s: Validate says %v", name, input)
		}
	}
	local := sininho.PublishInput{Title: "Um", Link: "http://localhost:5173/"}
	if err := local.Validate(); err != nil {
		t.Errorf("a link under development: %v", err)
	}
	if _, err := notifications.Publish(t.Context(), channel, local); !errors.Is(err, sininho.ErrInvalid) {
		t.Errorf("a link that only a server under development takes: %v", err)
	}
}

func TestCorrectionReportsEveryFault(t *testing.T) {
	past := time.Now().Add(-time.Minute)
	err := sininho.Correction{
		Title: new(" "), Body: new("\x00"), Image: new("x"), Icon: new("x"), Link: new("http://example.com"),
		Importance: new(sininho.Importance("urgent")), Data: map[string]string{"a b": ""}, ScheduledAt: new(past.AddDate(2, 0, 0)), ExpiresAt: &past,
	}.Validate()
	var input *sininho.InputError
	if !errors.As(err, &input) || len(input.Fields) != 9 {
		t.Errorf("%v", err)
	}
	if err := (sininho.Correction{Title: new("Um"), Link: new(""), ExpiresAt: &time.Time{}}).Validate(); err != nil {
		t.Errorf("a good one: %v", err)
	}
}

// What was published and seen is not overwritten, nor is what was seen without a version.
func TestVersionsGuardFromTheStart(t *testing.T) {
	client := sininhotest.New(t).Client()
	ctx := t.Context()
	published, err := client.Notifications.Publish(ctx, channel, sininho.PublishInput{Title: "Um"})
	if err != nil || published.Notification.Version == "" {
		t.Fatalf("version %q, %v", published.Notification.Version, err)
	}
	id, seen := published.Notification.ID, published.Notification.Version
	if _, err := client.Notifications.Correct(ctx, channel, id, sininho.Correction{Title: new("Dois")}, sininho.IfVersion(seen)); err != nil {
		t.Fatal(err)
	}
	for _, version := range []string{seen, ""} {
		if _, err := client.Notifications.Correct(ctx, channel, id, sininho.Correction{Title: new("Três")}, sininho.IfVersion(version)); !errors.Is(err, sininho.ErrChanged) {
			t.Errorf("corrected what was changed since %q: %v", version, err)
		}
	}
	category := collect(t, client.Categories.List(ctx))[0]
	c, err := client.Channels.Create(ctx, "demo/versoes", sininho.ChannelInput{Name: "Versões", CategoryID: category.ID})
	if err != nil || c.Version == "" {
		t.Fatalf("version %q, %v", c.Version, err)
	}
	if _, err := client.Channels.Update(ctx, "demo/versoes", sininho.ChannelUpdate{Name: new("Outro")}, sininho.IfVersion(c.Version)); err != nil {
		t.Error(err)
	}
	if err := client.Channels.Delete(ctx, "demo/versoes", sininho.IfVersion(c.Version)); !errors.Is(err, sininho.ErrChanged) {
		t.Errorf("deleted what was changed: %v", err)
	}
}

func TestCorrectAndWithdraw(t *testing.T) {
	server := sininhotest.New(t)
	notifications := server.Client().Notifications
	result, err := notifications.Publish(t.Context(), channel, sininho.PublishInput{
		Title: "Um", Body: "corpo", Link: "https://example.com/1", ExpiresAt: time.Now().Add(time.Hour)})
	if err != nil {
		t.Fatal(err)
	}
	id := result.Notification.ID
	n, err := notifications.Correct(t.Context(), channel, id, sininho.Correction{
		Title: new("Dois"), Link: new(""), Image: new("https://example.com/i.png"), ExpiresAt: &time.Time{}})
	if err != nil {
		t.Fatal(err)
	}
	if n.Title != "Dois" || n.Body != "corpo" || n.Link != "" || n.Image == "" || !n.ExpiresAt.IsZero() || n.EditedAt.IsZero() {
		t.Errorf("corrected %+v", n)
	}
	for range 2 {
		if err := notifications.Withdraw(t.Context(), channel, id); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := notifications.Get(t.Context(), channel, id); !errors.Is(err, sininho.ErrNotFound) {
		t.Errorf("Get = %v", err)
	}
	unknown := "0199c2f4-7a10-7c3e-9f3d-0a1b2c3d4e5f"
	if err := notifications.Withdraw(t.Context(), channel, unknown); !errors.Is(err, sininho.ErrNotFound) {
		t.Errorf("Withdraw of what never was = %v", err)
	}
	if _, err := notifications.Get(t.Context(), channel, "../../auth"); !errors.Is(err, sininho.ErrInvalid) {
		t.Errorf("Get of a bad id = %v", err)
	}
}
