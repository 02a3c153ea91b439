package servertest_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/sininho/sininho/internal/eventually"
	"github.com/sininho/sininho/pkg/sininho"
	"github.com/sininho/sininho/server/lab/servertest"
)

const (
	demonstration = "/channels/demo/demonstracao"
	everyone      = "demo/novidades"
)

type shownNotification struct {
	ID, Title, Link, Icon, Image string
	PublishedAt, ExpiresAt       time.Time
}

type shownNotifications struct {
	Data []shownNotification
	Meta struct{ Total int }
}

// look requests path as a visitor.
func look(t *testing.T, s *servertest.Server, path string, out any) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL+"/api/v1"+path, nil)
	if err != nil {
		t.Fatalf("new request: %v", err)
	}
	call(t, req, "", http.StatusOK, out)
}

// TestAStrangerReachesNobody posts to the demo webhook, as anybody can.
func TestAStrangerReachesNobody(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ana := s.SignIn(t, "ana@example.com")
	ana.Follow(everyone)
	ana.Device("token-ana")
	var before, after, shown shownNotifications
	ana.Do(http.MethodGet, "/channels/"+everyone+"/notifications", nil, http.StatusOK, &before)

	var c struct {
		ID            string
		Visibility    string
		Demonstration bool
	}
	ana.Do(http.MethodGet, demonstration, nil, http.StatusOK, &c)
	if c.Visibility != "unlisted" || !c.Demonstration {
		t.Errorf("the demonstration channel: %+v, want it unlisted and a demonstration", c)
	}
	ana.Do(http.MethodPost, "/subscribers/channels/"+c.ID+"/subscribe", nil, http.StatusForbidden, nil)

	status, _ := post(t, s.DemoWebhook, `{"title":"Do desconhecido","importance":"important"}`, nil)
	if status != http.StatusAccepted {
		t.Errorf("a demo post: got %d, want 202", status)
	}
	ana.Do(http.MethodGet, demonstration+"/notifications", nil, http.StatusOK, &shown)
	if shown.Meta.Total != 1 || shown.Data[0].Title != "Do desconhecido" {
		t.Fatalf("the demonstration shows %+v, want what the stranger posted", shown)
	}
	if life := shown.Data[0].ExpiresAt.Sub(shown.Data[0].PublishedAt); life <= 0 || life > time.Hour {
		t.Errorf("a demo post expires after %s, want an hour", life)
	}
	ana.Do(http.MethodGet, "/channels/"+everyone+"/notifications", nil, http.StatusOK, &after)
	if after.Meta.Total != before.Meta.Total {
		t.Errorf("the public channel has %d notifications, want %d as before", after.Meta.Total, before.Meta.Total)
	}

	// A notification published later with the API key is the first push.
	_, err := s.Client().Notifications.Publish(t.Context(), everyone, sininho.PublishInput{Title: "Com a chave"})
	if err != nil {
		t.Fatalf("publish: %v", err)
	}
	if push := s.Sent(t, "token-ana", 0); push.Message.Notification.Title != "Com a chave" {
		t.Errorf("the first push is %q, want %q", push.Message.Notification.Title, "Com a chave")
	}
	eventually.True(t, "the demo post to be dispatched to no device", func() bool {
		return count(t, s, `select count(*) from dispatches
			where notification_id = $1 and (expanded_at is null or targeted > 0)`, shown.Data[0].ID) == 0
	})
}

func TestDemoPostsHaveNoAddresses(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	for _, member := range []string{"link", "icon", "image"} {
		body := `{"title":"x","` + member + `":"https://example.com/x"}`
		if status, _ := post(t, s.DemoWebhook, body, nil); status != http.StatusUnprocessableEntity {
			t.Errorf("a demo post with a %s: got %d, want 422", member, status)
		}
		withKey(t, s.SignIn(t, "ana@example.com"), s, http.MethodPost, demonstration+"/notifications",
			map[string]any{"title": "x", member: "https://example.com/x"}, http.StatusUnprocessableEntity, nil)
	}
	if kept := count(t, s, "select count(*) from webhook_events where payload like '%example.com%'"); kept != 0 {
		t.Errorf("%d events of the demo webhook keep an address, want 0", kept)
	}
	kept := count(t, s, "select count(*) from notifications where coalesce(link, image, icon) is not null")
	if kept != 0 {
		t.Errorf("%d notifications keep an address, want 0", kept)
	}
}

func TestTheDemonstrationIsInNoList(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ana := s.SignIn(t, "ana@example.com")
	withKey(t, ana, s, http.MethodPatch, demonstration, map[string]any{"visibility": "public"}, http.StatusOK, nil)
	for _, query := range []string{"", "?q=demonstra", "?publisher=demo", "?category=tecnologia"} {
		var asVisitor, asOwner struct{ Data []struct{ Slug string } }
		look(t, s, "/channels"+query, &asVisitor)
		withKey(t, ana, s, http.MethodGet, "/channels"+query, nil, http.StatusOK, &asOwner)
		for _, found := range append(asVisitor.Data, asOwner.Data...) {
			if found.Slug == "demonstracao" {
				t.Errorf("/channels%s lists the demonstration", query)
			}
		}
	}
}

func TestDemoPostsGoAfterAnHour(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	if status, _ := post(t, s.DemoWebhook, `{"title":"x"}`, nil); status != http.StatusAccepted {
		t.Fatalf("a demo post: got %d, want 202", status)
	}
	execute(t, s, `update notifications set expires_at = expires_at - interval '1 hour'
		where channel_id in (select id from channels where demonstration)`)
	eventually.True(t, "the demo post to expire", func() bool {
		var list shownNotifications
		look(t, s, demonstration+"/notifications", &list)
		return list.Meta.Total == 0 && len(list.Data) == 0
	})
	var c struct{ NotificationCount int }
	look(t, s, demonstration, &c)
	if c.NotificationCount != 0 {
		t.Errorf("the channel counts %d notifications, want 0", c.NotificationCount)
	}
}

// TestDemoPostsCannotBeKept tries to make a demo post permanent with the API key.
func TestDemoPostsCannotBeKept(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ana := s.SignIn(t, "ana@example.com")
	const path = demonstration + "/notifications"
	var n shownNotification
	withKey(t, ana, s, http.MethodPost, path, map[string]any{"title": "x", "expiresAt": in(5)}, http.StatusCreated, &n)
	if life := n.ExpiresAt.Sub(n.PublishedAt); life > time.Hour {
		t.Errorf("it expires after %s, want an hour", life)
	}
	for _, change := range []map[string]any{
		{"expiresAt": nil}, {"expiresAt": in(5)}, {"link": "https://example.com/"},
	} {
		a := withKey(t, ana, s, http.MethodPatch, path+"/"+n.ID, change, http.StatusUnprocessableEntity, nil)
		if !strings.Contains(string(a.Body), "demonstration") {
			t.Errorf("%v: got %s, want a fault that names the demonstration", change, a.Body)
		}
	}
}
