package servertest_test

import (
	"net/http"
	"slices"
	"testing"

	"github.com/sininho/sininho/server/servertest"
)

// as sends a request with the demo publisher's key; header is empty, or a name and its value.
func as(t *testing.T, p *servertest.Subscriber, s *servertest.Server, method, path string, body any, want int, out any, header ...string) answered {
	t.Helper()
	req := p.Request(method, path, body)
	if len(header) == 2 {
		req.Header.Set(header[0], header[1])
	}
	return call(t, req, s.APIKey, want, out)
}

type channel struct {
	ID, Name, Icon, Visibility string
	Category                   struct{ ID, Slug string }
	SubscriberCount            int
	Following                  *bool
}

func TestChannelChanges(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ana := s.SignIn(t, "ana@example.com")
	ana.Follow("demo/novidades")
	const path = "/channels/demo/novidades"
	var was, is channel
	version := as(t, ana, s, http.MethodGet, path, nil, http.StatusOK, &was).Header.Get("ETag")
	if version == "" || was.Icon == "" {
		t.Fatalf("%q %+v", version, was)
	}
	a := as(t, ana, s, http.MethodPatch, path, map[string]any{"name": "Outra", "icon": nil, "visibility": "unlisted"}, http.StatusOK, &is, "If-Match", version)
	if is.Name != "Outra" || is.Icon != "" || is.Visibility != "unlisted" || is.Category != was.Category || is.SubscriberCount != 1 || a.Header.Get("ETag") == version {
		t.Errorf("%+v %v", is, a.Header)
	}
	if again := as(t, ana, s, http.MethodGet, path, nil, http.StatusOK, nil); again.Header.Get("ETag") != a.Header.Get("ETag") {
		t.Errorf("%q, then %q", a.Header.Get("ETag"), again.Header.Get("ETag"))
	}
	as(t, ana, s, http.MethodPatch, path, map[string]any{"name": "Tarde"}, http.StatusPreconditionFailed, nil, "If-Match", version)
	as(t, ana, s, http.MethodDelete, path, nil, http.StatusPreconditionFailed, nil, "If-Match", version)
	for _, bad := range []map[string]any{{}, {"name": "\u200b"}, {"icon": "http://example.com/x"}, {"categoryId": was.ID}, {"slug": "x"}} {
		as(t, ana, s, http.MethodPatch, path, bad, http.StatusUnprocessableEntity, nil)
	}
	var list struct{ Data []channel }
	listed := func() bool {
		return slices.ContainsFunc(list.Data, func(c channel) bool { return c.ID == was.ID })
	}
	for _, path := range []string{"/channels?publisher=demo&limit=100", "/channels?publisher=nobody", "/channels?limit=100"} {
		if ana.Do(http.MethodGet, path, nil, http.StatusOK, &list); listed() {
			t.Errorf("unlisted, but in %s", path)
		}
	}
	if as(t, ana, s, http.MethodGet, "/channels?publisher=demo&limit=100", nil, http.StatusOK, &list); !listed() {
		t.Error("whose it is does not see it")
	}
	if as(t, ana, s, http.MethodGet, "/channels?limit=100", nil, http.StatusOK, &list); listed() {
		t.Error("unlisted, but among all")
	}
	ana.Do(http.MethodPatch, path, map[string]any{"name": "x"}, http.StatusNotFound, nil) // not a member
	ana.Do(http.MethodDelete, path, nil, http.StatusNotFound, nil)
}

// TestChannelDeleted deletes a channel that has a follower, a notification and a webhook.
func TestChannelDeleted(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ana := s.SignIn(t, "ana@example.com")
	id := ana.Follow("demo/novidades")
	ana.Device("token-ana")
	const path = "/channels/demo/novidades"
	var n, hook struct{ ID, URL string }
	as(t, ana, s, http.MethodPost, path+"/notifications", map[string]any{"title": "x"}, http.StatusCreated, &n)
	s.Sent(t, "token-ana", 0)
	as(t, ana, s, http.MethodPost, path+"/webhooks", map[string]any{"name": "w", "signed": false}, http.StatusCreated, &hook)
	var was channel
	version := as(t, ana, s, http.MethodGet, path, nil, http.StatusOK, &was).Header.Get("ETag")
	as(t, ana, s, http.MethodDelete, path, nil, http.StatusNoContent, nil, "If-Match", version)

	for _, gone := range []string{path, path + "/notifications", path + "/notifications/" + n.ID + "/deliveries", path + "/webhooks"} {
		as(t, ana, s, http.MethodGet, gone, nil, http.StatusNotFound, nil)
	}
	ana.Do(http.MethodPost, "/subscribers/channels/"+id+"/subscribe", nil, http.StatusNotFound, nil)
	ana.Do(http.MethodGet, "/subscribers/notifications/"+n.ID, nil, http.StatusNotFound, nil)
	var after feed
	ana.Do(http.MethodGet, "/subscribers/notifications", nil, http.StatusOK, &after)
	if after.Meta.Total != 0 || len(after.Data) != 0 {
		t.Errorf("the feed: %+v", after)
	}
	if status, _ := post(t, hook.URL, `{"title":"x"}`, nil); status != http.StatusNotFound {
		t.Errorf("a webhook of the deleted channel: got %d, want 404", status)
	}
	var made channel
	as(t, ana, s, http.MethodPost, "/channels", map[string]any{"publisherSlug": "demo", "slug": "novidades", "name": "Novidades", "categoryId": was.Category.ID}, http.StatusCreated, &made)
	if made.ID == id || made.SubscriberCount != 0 {
		t.Errorf("the same slug again: %+v", made)
	}
}

type deliveries struct {
	Targeted, Pending, Accepted, Displayed, Opened int
	Suppressed, Failed, Expired                    map[string]int
	Finished                                       bool
}

func TestDeliveries(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ana, rui := s.SignIn(t, "ana@example.com"), s.SignIn(t, "rui@example.com")
	id := ana.Follow("demo/novidades")
	ana.Device("token-ana")
	rui.Follow("demo/novidades")
	rui.Device("token-rui")
	rui.Do(http.MethodPatch, "/subscribers/channels/"+id, map[string]string{"bell": "none"}, http.StatusOK, nil)
	const path = "/channels/demo/novidades/notifications"
	var n struct{ ID string }
	as(t, ana, s, http.MethodPost, path, map[string]any{"title": "x"}, http.StatusCreated, &n)
	s.Sent(t, "token-ana", 0)
	ana.Do(http.MethodPost, "/subscribers/notifications/"+n.ID+"/events", map[string]string{"type": "opened"}, http.StatusNoContent, nil)
	var d deliveries
	for !d.Finished { // the outcome is recorded shortly after the push
		as(t, ana, s, http.MethodGet, path+"/"+n.ID+"/deliveries", nil, http.StatusOK, &d)
	}
	if d.Targeted != 2 || d.Accepted != 1 || d.Suppressed["bell"] != 1 || d.Pending != 0 || d.Opened != 1 || len(d.Failed)+len(d.Expired) != 0 || d.Failed == nil {
		t.Errorf("%+v", d)
	}
	as(t, ana, s, http.MethodPost, path, map[string]any{"title": "later", "scheduledAt": in(24)}, http.StatusCreated, &n)
	as(t, ana, s, http.MethodGet, path+"/"+n.ID+"/deliveries", nil, http.StatusOK, &d)
	if d.Targeted != 0 || d.Finished {
		t.Errorf("scheduled: %+v", d)
	}
	as(t, ana, s, http.MethodGet, "/channels/demo/lancamentos/notifications/"+n.ID+"/deliveries", nil, http.StatusNotFound, nil)
	ana.Do(http.MethodGet, path+"/"+n.ID+"/deliveries", nil, http.StatusNotFound, nil)
}
