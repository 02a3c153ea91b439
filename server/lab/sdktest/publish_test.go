package sdktest_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/sininho/sininho/pkg/sininho"
	"github.com/sininho/sininho/server/lab/check"
)

func testPublishSendsEveryField(t *testing.T, f *fixture) {
	tomorrow := time.Now().UTC().Truncate(time.Second).AddDate(0, 0, 1)
	in := sininho.PublishInput{
		Title: "Linha azul reaberta", Body: "a\r\n\t😀\n", Image: "https://example.com/i.png",
		Icon: "https://example.com/c.png", Link: "https://example.com/l", Importance: sininho.Important,
		Data: map[string]string{"build": "1842"}, ExternalID: "inc/1",
		ScheduledAt: tomorrow.In(time.FixedZone("", 3600)), ExpiresAt: tomorrow.AddDate(100, 0, 0),
	}
	result, err := f.key.Notifications.Publish(t.Context(), f.channel, in)
	if err != nil {
		t.Fatalf("publish: %v", err)
	}
	if !result.Created || result.Existing || result.Replayed {
		t.Errorf("result of a publish: got %+v, want it created", result)
	}
	n := collect(t, f.key.Notifications.Scheduled(t.Context(), f.channel))[0]
	got := sininho.PublishInput{
		Title: n.Title, Body: n.Body, Image: n.Image, Icon: n.Icon, Link: n.Link, Importance: n.Importance,
		Data: n.Data, ExternalID: n.ExternalID, ScheduledAt: n.ScheduledAt, ExpiresAt: n.ExpiresAt,
	}
	check.Equal(t, "published notification", got, in)
	if n.ID != result.Notification.ID || result.Notification.Channel.Address().String() != f.channel {
		t.Errorf("notification in the result: got %+v, want %s in %s", result.Notification, n.ID, f.channel)
	}
}

func testPublishOfAnExternalIDThatExists(t *testing.T, f *fixture) {
	client := f.key
	in := sininho.PublishInput{Title: "Um", ExternalID: "a/1"}
	first, err := client.Notifications.Publish(t.Context(), f.channel, in)
	if err != nil {
		t.Fatalf("publish: %v", err)
	}
	second, err := client.Notifications.Publish(t.Context(), f.channel, in)
	if err != nil {
		t.Fatalf("publish: %v", err)
	}
	if second.Created || !second.Existing || second.Notification.ID != first.Notification.ID {
		t.Errorf("publish with the same external id: got %+v, want the existing %s", second, first.Notification.ID)
	}
}

func testPublishUnderAKeyIsReplayed(t *testing.T, f *fixture) {
	client := f.key
	for i := range 2 {
		result, err := client.Notifications.Publish(t.Context(), f.channel, sininho.PublishInput{Title: "Um"},
			sininho.WithIdempotencyKey("deploy-1842"))
		if err != nil {
			t.Fatalf("publish: %v", err)
		}
		if result.Created != (i == 0) || result.Replayed != (i == 1) {
			t.Errorf("publish %d with the same key: got %+v, want the second one replayed", i, result)
		}
	}
	if n := len(f.published()); n != 1 {
		t.Errorf("published notifications: got %d, want 1", n)
	}
}

func testPublishReportsEveryFault(t *testing.T, f *fixture) {
	_, err := f.key.Notifications.Publish(t.Context(), f.channel,
		sininho.PublishInput{Title: strings.Repeat("é", 201), ExternalID: strings.Repeat("x", 256)})
	var refused *sininho.Error
	if !errors.As(err, &refused) {
		t.Fatalf("publish a long title: got %#v, want a *sininho.Error", err)
	}
	check.Equal(t, "status of the error", refused.Status, 422)
	check.Equal(t, "code of the error", refused.Code, "invalid")
	if refused.RequestID == "" {
		t.Error("the error has no request id")
	}
	pointers := []string{}
	for _, f := range refused.Fields {
		pointers = append(pointers, f.Pointer)
	}
	if got := strings.Join(pointers, " "); !strings.Contains(got, "#/title") || !strings.Contains(got, "#/externalId") {
		t.Errorf("faults at %s", got)
	}
}

// testWhatPublishingRefuses compares the server's rules with those of Validate.
func testWhatPublishingRefuses(t *testing.T, f *fixture) {
	now := time.Now()
	for name, in := range map[string]sininho.PublishInput{
		"title":       {Title: " \u200b\u3164"},
		"body":        {Title: "Um", Body: "a\x00b"},
		"externalId":  {Title: "Um", ExternalID: "\x00"},
		"data.a":      {Title: "Um", Data: map[string]string{"a": "\x00"}},
		"link":        {Title: "Um", Link: "javascript:1"},
		"icon":        {Title: "Um", Icon: "ftp://example.com/c.png"},
		"image":       {Title: "Um", Image: "https://ana@example.com/i.png"},
		"expiresAt":   {Title: "Um", ScheduledAt: now.Add(2 * time.Hour), ExpiresAt: now.Add(time.Hour)},
		"scheduledAt": {Title: "Um", ScheduledAt: now.AddDate(1, 0, 2)},
	} {
		_, err := f.key.Notifications.Publish(t.Context(), f.channel, in)
		var refused *sininho.Error
		if !errors.As(err, &refused) || len(refused.Fields) != 1 || refused.Fields[0].Name() != name {
			t.Errorf("%s: the server returns %v, want one fault", name, err)
		}
		var input *sininho.InputError
		if !errors.As(in.Validate(), &input) || len(input.Fields) != 1 || input.Fields[0].Name() != name {
			t.Errorf("%s: Validate returns %v, want one fault", name, input)
		}
	}
	local := sininho.PublishInput{Title: "Um", Link: "http://localhost:5173/"}
	if err := local.Validate(); err != nil {
		t.Errorf("link of a server in development: got error %v, want none", err)
	}
	if _, err := f.key.Notifications.Publish(t.Context(), f.channel, local); err != nil {
		t.Errorf("publish a link that a server in development accepts: %v", err)
	}
}

// testVersionsGuardFromTheStart expects a change with an outdated or empty version to be refused, starting with the
// version that publishing returned.
func testVersionsGuardFromTheStart(t *testing.T, f *fixture) {
	client := f.key
	ctx := t.Context()
	published, err := client.Notifications.Publish(ctx, f.channel, sininho.PublishInput{Title: "Um"})
	if err != nil || published.Notification.Version == "" {
		t.Fatalf("publish: got version %q, %v, want a version", published.Notification.Version, err)
	}
	id, seen := published.Notification.ID, published.Notification.Version
	if _, err := client.Notifications.Correct(ctx, f.channel, id, sininho.Correction{Title: new("Dois")},
		sininho.IfVersion(seen)); err != nil {
		t.Fatalf("correct: %v", err)
	}
	for _, version := range []string{seen, ""} {
		if _, err := client.Notifications.Correct(ctx, f.channel, id, sininho.Correction{Title: new("Três")},
			sininho.IfVersion(version)); !errors.Is(err, sininho.ErrChanged) {
			t.Errorf("corrected what was changed since %q: got error %v, want %v", version, err, sininho.ErrChanged)
		}
	}
	category := f.category("transportes")
	c, err := client.Channels.Create(ctx, f.slug+"/versoes",
		sininho.ChannelInput{Name: "Versões", CategoryID: category.ID})
	if err != nil || c.Version == "" {
		t.Fatalf("get the channel: got version %q, %v, want a version", c.Version, err)
	}
	if _, err := client.Channels.Update(ctx, f.slug+"/versoes", sininho.ChannelUpdate{Name: new("Outro")},
		sininho.IfVersion(c.Version)); err != nil {
		t.Errorf("update the channel: %v", err)
	}
	if err := client.Channels.Delete(ctx, f.slug+"/versoes", sininho.IfVersion(c.Version)); !errors.Is(err,
		sininho.ErrChanged) {
		t.Errorf("deleted what was changed: got error %v, want %v", err, sininho.ErrChanged)
	}
}

func testCorrectAndWithdraw(t *testing.T, f *fixture) {
	notifications := f.key.Notifications
	result, err := notifications.Publish(t.Context(), f.channel, sininho.PublishInput{
		Title: "Um", Body: "corpo", Link: "https://example.com/1", ExpiresAt: time.Now().Add(time.Hour)})
	if err != nil {
		t.Fatalf("publish: %v", err)
	}
	id := result.Notification.ID
	n, err := notifications.Correct(t.Context(), f.channel, id, sininho.Correction{
		Title: new("Dois"), Link: new(""), Image: new("https://example.com/i.png"), ExpiresAt: &time.Time{}})
	if err != nil {
		t.Fatalf("correct: %v", err)
	}
	check.Equal(t, "corrected title", n.Title, "Dois")
	check.Equal(t, "body that was not corrected", n.Body, "corpo")
	check.Equal(t, "link that was removed", n.Link, "")
	check.Equal(t, "corrected image", n.Image, "https://example.com/i.png")
	check.Equal(t, "expiry that was removed", n.ExpiresAt, time.Time{})
	if n.EditedAt.IsZero() {
		t.Error("a corrected notification has no editedAt")
	}
	for range 2 {
		if err := notifications.Withdraw(t.Context(), f.channel, id); err != nil {
			t.Fatalf("withdraw: %v", err)
		}
	}
	if _, err := notifications.Get(t.Context(), f.channel, id); !errors.Is(err, sininho.ErrNotFound) {
		t.Errorf("get a withdrawn notification: got error %v, want %v", err, sininho.ErrNotFound)
	}
	unknown := "0199c2f4-7a10-7c3e-9f3d-0a1b2c3d4e5f"
	if err := notifications.Withdraw(t.Context(), f.channel, unknown); !errors.Is(err, sininho.ErrNotFound) {
		t.Errorf("withdraw an unknown notification: got error %v, want %v", err, sininho.ErrNotFound)
	}
	if _, err := notifications.Get(t.Context(), f.channel, "../../auth"); !errors.Is(err, sininho.ErrInvalid) {
		t.Errorf("get a notification with an invalid id: got error %v, want %v", err, sininho.ErrInvalid)
	}
}

func testScheduled(t *testing.T, f *fixture) {
	ctx := t.Context()
	for _, days := range []int{2, 1} {
		in := sininho.PublishInput{Title: fmt.Sprint(days), ScheduledAt: time.Now().AddDate(0, 0, days)}
		if _, err := f.key.Notifications.Publish(ctx, f.channel, in); err != nil {
			t.Fatalf("publish: %v", err)
		}
	}
	all := collect(t, f.key.Notifications.Scheduled(ctx, f.channel))
	if len(all) != 2 || all[0].Title != "1" || !all[0].PublishedAt.IsZero() {
		t.Errorf("scheduled notifications: got %+v, want 1 and 2", all)
	}
	if n := len(f.published()); n != 0 {
		t.Errorf("published notifications: got %d, want 0", n)
	}
	visitor := f.visitor()
	if err := lastError(visitor.Notifications.Scheduled(ctx, f.channel)); !errors.Is(err, sininho.ErrUnauthorized) {
		t.Errorf("list scheduled notifications as a visitor: got error %v, want %v", err, sininho.ErrUnauthorized)
	}
}
