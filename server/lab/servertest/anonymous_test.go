package servertest_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/sininho/sininho/server/lab/check"
	"github.com/sininho/sininho/server/lab/servertest"
)

// TestAnonymousSubscribersFollow follows a channel without an account, and does what everybody may.
func TestAnonymousSubscribersFollow(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	ana := f.SignInAnonymously(t)
	var me struct {
		ID, Email, Name string
		Anonymous       bool
	}
	ana.Do(http.MethodGet, "/subscribers/me", nil, 200, &me)
	check.Equal(t, "whether the person is anonymous", me.Anonymous, true)
	check.Equal(t, "address and name", me.Email+me.Name, "")
	ana.Follow("p/c")
	ana.Do(http.MethodPatch, "/subscribers/channels/"+f.channel, object{"bell": "important"}, 200, nil)
	ana.RingingDevice("anonymous-phone")
	id := f.newNotification()
	ana.Do(http.MethodPatch, "/subscribers/notifications/"+id, object{"archived": true}, 200, nil)

	var export struct {
		Subscriber    struct{ Anonymous bool }
		Subscriptions []struct{ Bell string }
		Devices       []struct{ ID string }
		Identities    []struct{ ID string }
	}
	ana.Do(http.MethodGet, "/subscribers/me/export", nil, 200, &export)
	check.Equal(t, "whether the export is anonymous", export.Subscriber.Anonymous, true)
	check.Equal(t, "bell in the export", export.Subscriptions[0].Bell, "important")
	check.Equal(t, "devices and identities in the export", [2]int{len(export.Devices), len(export.Identities)},
		[2]int{1, 0})
}

// TestAnonymousSubscribersAreDeleted deletes one on demand, and one who signs out: nobody could be them again.
func TestAnonymousSubscribersAreDeleted(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	before := count(t, f.Server, "select sum(subscribers)::bigint from channel_counts where channel_id = $1", f.channel)
	for _, path := range []string{"/subscribers/me", "/auth"} {
		ana := f.SignInAnonymously(t)
		ana.Follow("p/c")
		ana.Do(http.MethodDelete, path, nil, 204, nil)
		ana.Do(http.MethodGet, "/subscribers/me", nil, 401, nil)
		check.Equal(t, "anonymous subscribers after DELETE "+path,
			count(t, f.Server, "select count(*) from subscribers where email is null and id <> all (select subscriber_id from sessions)"),
			0)
		check.Equal(t, "followers after DELETE "+path,
			count(t, f.Server, "select sum(subscribers)::bigint from channel_counts where channel_id = $1", f.channel), before)
	}
}

// TestAnonymousSubscribersAreLimitedByNetwork makes more of them than a network may, each in a fresh browser.
func TestAnonymousSubscribersAreLimitedByNetwork(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Limited(), servertest.With("LIMIT_ANONYMOUS_PER_HOUR", "3"))
	for range 3 {
		check.Equal(t, "status within the limit", newStranger(t, s).post("/auth/anonymous", nil).status, 204)
	}
	got := newStranger(t, s).post("/auth/anonymous", nil)
	check.Equal(t, "status above the limit", got.status, 429)
	if got.header.Get("Retry-After") == "" {
		t.Error("Retry-After above the limit: got none")
	}
	check.Equal(t, "anonymous subscribers", count(t, s, "select count(*) from subscribers where email is null"), 3)
}

// TestAnonymousSubscribersAreOffered asks installations that let nobody in without an account.
func TestAnonymousSubscribersAreOffered(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{"true": true, "false": false, "invitation": false} {
		option := servertest.With("ANONYMOUS_SUBSCRIBERS", name)
		if name == "invitation" {
			option = servertest.With("SIGN_UP", name)
		}
		s := servertest.Start(t, option)
		res, err := http.Get(s.URL + "/api/v1/auth")
		if err != nil {
			t.Fatalf("get the ways to sign in: %v", err)
		}
		defer res.Body.Close() // it is read in full
		var auth struct{ SignInMethods []struct{ Kind string } }
		if err := json.NewDecoder(res.Body).Decode(&auth); err != nil {
			t.Fatalf("decode the ways to sign in: %v", err)
		}
		offered := false
		for _, m := range auth.SignInMethods {
			offered = offered || m.Kind == "anonymous"
		}
		check.Equal(t, "whether it is offered with "+name, offered, want)
		status := 404
		if want {
			status = 204
		}
		check.Equal(t, "status with "+name, newStranger(t, s).post("/auth/anonymous", nil).status, status)
	}
}
