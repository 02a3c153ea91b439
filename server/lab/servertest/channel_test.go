package servertest_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/sininho/sininho/server/lab/check"
	"github.com/sininho/sininho/server/lab/servertest"
)

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
	version := withKey(t, ana, s, http.MethodGet, path, nil, http.StatusOK, &was).wantNewVersion("")
	if was.Icon == "" {
		t.Fatal("the demo channel has no icon to remove")
	}
	change := object{"name": "Outra", "icon": nil, "visibility": "unlisted"}
	a := withKey(t, ana, s, http.MethodPatch, path, change, http.StatusOK, &is, "If-Match", version)
	check.Equal(t, "changed channel", is,
		channel{ID: was.ID, Name: "Outra", Visibility: "unlisted", Category: was.Category, SubscriberCount: 1})
	withKey(t, ana, s, http.MethodGet, path, nil, http.StatusOK, nil).wantHeader("ETag", a.wantNewVersion(version))
	withKey(t, ana, s, http.MethodPatch, path, map[string]any{"name": "Tarde"}, http.StatusPreconditionFailed, nil,
		"If-Match", version)
	withKey(t, ana, s, http.MethodDelete, path, nil, http.StatusPreconditionFailed, nil, "If-Match", version)
	for _, bad := range []object{
		{}, {"name": "\u200b"}, {"icon": "ftp://example.com/x"}, {"categoryId": was.ID}, {"slug": "x"},
	} {
		withKey(t, ana, s, http.MethodPatch, path, bad, http.StatusUnprocessableEntity, nil)
	}
	var list struct{ Data []channel }
	listed := func() bool {
		return slices.ContainsFunc(list.Data, func(c channel) bool { return c.ID == was.ID })
	}
	for _, path := range []string{
		"/channels?publisher=demo&limit=100", "/channels?publisher=nobody", "/channels?limit=100",
	} {
		if ana.Do(http.MethodGet, path, nil, http.StatusOK, &list); listed() {
			t.Errorf("%s lists the unlisted channel", path)
		}
	}
	if withKey(t, ana, s, http.MethodGet, "/channels?publisher=demo&limit=100", nil, http.StatusOK, &list); !listed() {
		t.Error("the publisher's key does not list its unlisted channel")
	}
	if withKey(t, ana, s, http.MethodGet, "/channels?limit=100", nil, http.StatusOK, &list); listed() {
		t.Error("/channels lists the unlisted channel to its publisher's key")
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
	withKey(t, ana, s, http.MethodPost, path+"/notifications", map[string]any{"title": "x"}, http.StatusCreated, &n)
	s.Sent(t, "token-ana", 0)
	withKey(t, ana, s, http.MethodPost, path+"/webhooks", map[string]any{"name": "w", "signed": false},
		http.StatusCreated, &hook)
	var was channel
	version := withKey(t, ana, s, http.MethodGet, path, nil, http.StatusOK, &was).Header.Get("ETag")
	withKey(t, ana, s, http.MethodDelete, path, nil, http.StatusNoContent, nil, "If-Match", version)

	for _, gone := range []string{
		path, path + "/notifications", path + "/notifications/" + n.ID + "/deliveries", path + "/webhooks",
	} {
		withKey(t, ana, s, http.MethodGet, gone, nil, http.StatusNotFound, nil)
	}
	ana.Do(http.MethodPost, "/subscribers/channels/"+id+"/subscribe", nil, http.StatusNotFound, nil)
	ana.Do(http.MethodGet, "/subscribers/notifications/"+n.ID, nil, http.StatusNotFound, nil)
	var after feed
	ana.Do(http.MethodGet, "/subscribers/notifications", nil, http.StatusOK, &after)
	if after.Meta.Total != 0 || len(after.Data) != 0 {
		t.Errorf("feed after the channel was deleted: got %+v, want it empty", after)
	}
	if status, _ := post(t, hook.URL, `{"title":"x"}`, nil); status != http.StatusNotFound {
		t.Errorf("a webhook of the deleted channel: got %d, want 404", status)
	}
	var made channel
	same := object{"publisherSlug": "demo", "slug": "novidades", "name": "Novidades", "categoryId": was.Category.ID}
	withKey(t, ana, s, http.MethodPost, "/channels", same, http.StatusCreated, &made)
	if made.ID == id || made.SubscriberCount != 0 {
		t.Errorf("new channel with the same slug: got %+v, want another id and no subscribers", made)
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
	withKey(t, ana, s, http.MethodPost, path, map[string]any{"title": "x"}, http.StatusCreated, &n)
	s.Sent(t, "token-ana", 0)
	ana.Do(http.MethodPost, "/subscribers/notifications/"+n.ID+"/events", map[string]string{"type": "opened"},
		http.StatusNoContent, nil)
	var d deliveries
	for !d.Finished { // the outcome is recorded shortly after the push
		withKey(t, ana, s, http.MethodGet, path+"/"+n.ID+"/deliveries", nil, http.StatusOK, &d)
	}
	check.Equal(t, "deliveries of a finished notification", d,
		deliveries{
			Targeted: 2, Accepted: 1, Opened: 1, Finished: true, Suppressed: map[string]int{"bell": 1},
			Failed: map[string]int{}, Expired: map[string]int{},
		})
	withKey(t, ana, s, http.MethodPost, path, map[string]any{"title": "later", "scheduledAt": in(24)},
		http.StatusCreated, &n)
	withKey(t, ana, s, http.MethodGet, path+"/"+n.ID+"/deliveries", nil, http.StatusOK, &d)
	if d.Targeted != 0 || d.Finished {
		t.Errorf("deliveries of a scheduled notification: got %+v, want none, unfinished", d)
	}
	withKey(t, ana, s, http.MethodGet, "/channels/demo/lancamentos/notifications/"+n.ID+"/deliveries", nil,
		http.StatusNotFound, nil)
	ana.Do(http.MethodGet, path+"/"+n.ID+"/deliveries", nil, http.StatusNotFound, nil)
}

// TestChannelRetention sets what a channel keeps, within what the installation does.
func TestChannelRetention(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.With("RETENTION_DAYS", "30"), servertest.With("RETENTION_COUNT", "100"))
	ana := s.SignIn(t, "ana@example.com")
	const path = "/channels/demo/novidades"
	type kept struct{ KeepDays, KeepCount int }
	patch := func(change object) (k kept) {
		t.Helper()
		withKey(t, ana, s, http.MethodPatch, path, change, http.StatusOK, &k)
		return k
	}
	check.Equal(t, "kept at first", patch(object{"name": "Novidades"}), kept{})
	check.Equal(t, "kept", patch(object{"keepDays": 30, "keepCount": 7}), kept{30, 7})
	check.Equal(t, "kept without a change of it", patch(object{"name": "Outra"}), kept{30, 7})
	check.Equal(t, "kept when the days are removed", patch(object{"keepDays": nil}), kept{0, 7})
	for pointer, bad := range map[string]object{
		"#/keepDays":  {"keepDays": 31},
		"#/keepCount": {"keepCount": 101},
	} {
		var problem struct {
			Errors []struct{ Pointer, Code, Detail string }
		}
		withKey(t, ana, s, http.MethodPatch, path, bad, http.StatusUnprocessableEntity, &problem)
		if len(problem.Errors) != 1 || problem.Errors[0].Pointer != pointer || problem.Errors[0].Code != "maximum" ||
			!strings.Contains(problem.Errors[0].Detail, "the limit of this installation") {
			t.Errorf("errors of %v: got %+v, want one of %s that names the limit", bad, problem.Errors, pointer)
		}
	}
	withKey(t, ana, s, http.MethodPatch, path, object{"keepDays": 0}, http.StatusUnprocessableEntity, nil)
}
