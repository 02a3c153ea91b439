package servertest_test

import (
	"bytes"
	"net/http"
	"testing"

	"github.com/sininho/sininho/server/lab/servertest"
)

// TestOneKeyOnTwoPaths uses one idempotency key for two channels and for another operation: each request is executed
// and has its own replay. Only a different body on the same path is refused.
func TestOneKeyOnTwoPaths(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ana := s.SignIn(t, "ana@example.com")
	var news channel
	withKey(t, ana, s, http.MethodGet, "/channels/demo/novidades", nil, 200, &news)
	const key = "deploy-42"
	requests := []struct {
		path string
		body object
	}{
		{
			"/channels", object{
				"publisherSlug": "demo", "slug": "deploys", "name": "Deploys", "categoryId": news.Category.ID,
			},
		},
		{"/channels/demo/novidades/notifications", object{"title": "Version 42"}},
		{"/channels/demo/deploys/notifications", object{"title": "Version 42"}},
	}
	ids := map[string]bool{}
	for _, r := range requests {
		var made struct{ ID string }
		first := withKey(t, ana, s, http.MethodPost, r.path, r.body, 201, &made, "Idempotency-Key", key)
		if replayed := first.Header.Get("Idempotency-Replayed"); replayed != "" {
			t.Errorf("%s: Idempotency-Replayed is %q, want none", r.path, replayed)
		}
		ids[made.ID] = true
		again := withKey(t, ana, s, http.MethodPost, r.path, r.body, 201, nil, "Idempotency-Key", key)
		if replayed := again.Header.Get("Idempotency-Replayed"); replayed != "true" {
			t.Errorf("%s again: Idempotency-Replayed is %q, want true", r.path, replayed)
		}
		if !bytes.Equal(again.Body, first.Body) {
			t.Errorf("%s again: body is %s, want %s", r.path, again.Body, first.Body)
		}
		refused := withKey(t, ana, s, http.MethodPost, r.path, other(r.body), 422, nil, "Idempotency-Key", key)
		if refused.Code != "idempotency_key_reused" {
			t.Errorf("%s with another body: code is %q, want idempotency_key_reused", r.path, refused.Code)
		}
	}
	if len(ids) != len(requests) {
		t.Errorf("%d different things made, want %d", len(ids), len(requests))
	}
}

// other returns a different body that is also valid.
func other(body object) object {
	changed := object{"data": object{"build": "43"}}
	if body["name"] != nil {
		changed = object{"description": "another"}
	}
	for name, value := range body {
		changed[name] = value
	}
	return changed
}

// TestReplayAfterACorrection repeats a publish after its notification was corrected: the replay is the first response.
func TestReplayAfterACorrection(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ana := s.SignIn(t, "ana@example.com")
	const path = "/channels/demo/novidades/notifications"
	body := object{"title": "Metro parado", "body": "Linha azul.", "data": object{"linha": "azul"}}
	var made struct{ ID string }
	first := withKey(t, ana, s, http.MethodPost, path, body, 201, &made, "Idempotency-Key", "k")
	withKey(t, ana, s, http.MethodPatch, path+"/"+made.ID, object{"title": "Metro a andar", "data": object{}}, 200, nil)
	withKey(t, ana, s, http.MethodPatch, "/channels/demo/novidades", object{"name": "Outra"}, 200, nil)
	again := withKey(t, ana, s, http.MethodPost, path, body, 201, nil, "Idempotency-Key", "k")
	if !bytes.Equal(again.Body, first.Body) {
		t.Errorf("replay: body is %s, want %s", again.Body, first.Body)
	}
	for _, name := range []string{"ETag", "Location"} {
		if got, want := again.Header.Get(name), first.Header.Get(name); got != want {
			t.Errorf("replay: %s is %q, want %q", name, got, want)
		}
	}
}
