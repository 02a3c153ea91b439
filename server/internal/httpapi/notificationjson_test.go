package httpapi

import (
	"encoding/json"
	"net/http/httptest"
	"reflect"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/sininho/sininho/pkg/api"
	"github.com/sininho/sininho/server/internal/core"
)

// TestNotificationJSON compares pages with what encoding/json makes of the contract's structs.
func TestNotificationJSON(t *testing.T) {
	proxied := Pictures(func(picture string) string { return "https://sininho.example/pictures/?of=" + picture })
	rapid.Check(t, func(t *rapid.T) {
		pics := rapid.SampledFrom([]Pictures{nil, proxied}).Draw(t, "pictures")
		data := rapid.SliceOfN(rapid.Custom(drawNotification), 0, 3).Draw(t, "data")
		meta := api.NotificationPageMeta{Total: rapid.Int64().Draw(t, "total"),
			Unread: rapid.Ptr(rapid.Int64(), true).Draw(t, "unread"), NextCursor: rapid.Ptr(texts, true).Draw(t, "cursor")}
		w := httptest.NewRecorder()
		if err := (notificationPage{pictures: pics, data: data, meta: meta}).write(w); err != nil {
			t.Fatalf("write: %v", err)
		}
		want, err := json.Marshal(api.NotificationPage{Data: convert(data, pics.toAPINotification), Meta: meta})
		if err != nil {
			t.Fatalf("marshal: %v", err)
		}
		if got := w.Body.String(); got != string(want)+"\n" {
			t.Errorf("page: got %s, want %s", got, want)
		}
	})
}

// TestNotificationJSONHasAllMembers fails when a member is added to the contract that is not written.
func TestNotificationJSONHasAllMembers(t *testing.T) {
	text, at := "x", start
	pictures := Pictures(func(picture string) string { return picture })
	channel := core.ChannelRef{ID: core.ID{1}, PublisherSlug: text, Slug: text, Name: text, Icon: text,
		Private: true}
	written := pictures.EncodeNotification(core.Notification{ID: core.ID{2}, Channel: channel, Title: text, Body: text,
		Image: text, Icon: text, Link: text, Importance: core.Normal, Data: map[string]string{text: text},
		ExternalID: text, PublishedAt: &at, ScheduledAt: &at, ExpiresAt: &at, EditedAt: &at, ReadAt: &at,
		ArchivedAt: &at, SnoozedUntil: &at})
	var read api.Notification
	if err := json.Unmarshal(written, &read); err != nil {
		t.Fatalf("unmarshal %s: %v", written, err)
	}
	for _, v := range []reflect.Value{reflect.ValueOf(read), reflect.ValueOf(read.Channel)} {
		for field, value := range v.Fields() {
			if value.IsZero() && field.Name != "Adjusted" { // only of what has just been published
				t.Errorf("%s of %s: got none in %s", field.Name, v.Type(), written)
			}
		}
	}
}

// texts are texts with characters that JSON escapes, and with invalid UTF-8.
var texts = rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{
	"", "Linha azul às 10h – “já”", `"\`, "<b>&amp;</b>", "\x00\x1f\x7f\n\t", "a\u2028b", "\u2029", "\xff", "\xe2\x80", "€",
}))

func drawNotification(t *rapid.T) core.Notification {
	text := func(name string) string { return texts.Draw(t, name) }
	at := func(name string) *time.Time { return rapid.Ptr(rapid.Custom(drawTime), true).Draw(t, name) }
	return core.Notification{
		ID: drawID(t), Channel: core.ChannelRef{ID: drawID(t), PublisherSlug: text("publisher"), Slug: text("slug"),
			Name: text("name"), Icon: text("channel's icon"), Private: rapid.Bool().Draw(t, "private")},
		Title: text("title"), Body: text("body"), Image: text("image"), Icon: text("icon"), Link: text("link"),
		Importance: core.Importance(text("importance")), Data: rapid.MapOf(texts, texts).Draw(t, "data"),
		ExternalID: text("external id"), PublishedAt: at("published"), ScheduledAt: at("scheduled"),
		ExpiresAt: at("expires"), EditedAt: at("edited"), ReadAt: at("read"),
		ArchivedAt: at("archived"), SnoozedUntil: at("snoozed"),
	}
}

func drawID(t *rapid.T) core.ID {
	return core.ID(rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "id"))
}

func drawTime(t *rapid.T) time.Time {
	at := time.UnixMicro(rapid.Int64Range(-1e15, 1e17).Draw(t, "time"))
	return at.In(time.FixedZone("", rapid.IntRange(-12, 14).Draw(t, "zone")*60*60))
}
