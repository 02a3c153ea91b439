package servertest_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/sininho/sininho/server/lab/check"
)

// TestPublishedBy publishes in every way, each with the title that says who it was.
func TestPublishedBy(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	const path = "/channels/p/c/notifications"
	publish := func(caller, path string, body object, want int) {
		t.Helper()
		status, _ := f.call(http.MethodPost, caller, "", request{path, body})
		check.Equal(t, "status of publishing as "+caller, status, want)
	}
	for caller, by := range map[string]string{
		"owner": "person Owner", "editor": "person Editor", "owner's-token": "token Owner", "token:publish": "token Owner",
		"key:publish": "key K",
	} {
		publish(caller, path, object{"title": by, "body": "B"}, 201)
		publish(caller, path+"/batch", object{"notifications": []object{{"title": by, "body": "B"}}}, 200)
	}
	tomorrow := time.Now().Add(24 * time.Hour).UTC().Format(time.RFC3339)
	publish("editor", path, object{"title": "person Editor", "body": "B", "scheduledAt": tomorrow}, 201)
	status, _ := post(t, f.webhook.URL, `{"title":"webhook W"}`, http.Header{"Webhook-Id": {"e"}})
	check.Equal(t, "status of an event", status, http.StatusAccepted)

	var published, scheduled struct{ Data []struct{ ID, Title string } }
	f.owner.Do(http.MethodGet, path+"?limit=100", nil, 200, &published)
	f.owner.Do(http.MethodGet, path+"?limit=100&scheduled=true", nil, 200, &scheduled)
	all := append(published.Data, scheduled.Data...)
	check.Equal(t, "number of notifications", len(all), 1+2*5+2) // one is the fixture's
	for _, n := range all {
		if n.ID == f.notification {
			continue
		}
		var d struct {
			PublishedBy struct{ Kind, ID, TokenID, Name string }
		}
		f.owner.Do(http.MethodGet, path+"/"+n.ID+"/deliveries", nil, 200, &d)
		by := d.PublishedBy
		check.Equal(t, "who published "+n.Title, by.Kind+" "+by.Name, n.Title)
		check.Equal(t, "has an id, and a token if it was one", []bool{by.ID != "", by.TokenID != ""},
			[]bool{true, by.Kind == "token"})
	}
	for _, n := range all {
		_, _, body := f.sendBody(http.MethodGet, "key:read", path+"/"+n.ID+"/deliveries", "", nil)
		kind, _, _ := strings.Cut(n.Title, " ")
		if want := `"publishedBy":{"kind":"` + kind + `"}`; n.ID != f.notification && !strings.Contains(body, want) {
			t.Errorf("delivery summary for a key: got %s, want %s", body, want)
		}
	}
	for _, caller := range []string{"visitor", "subscriber", "other-owner", "other-key"} {
		status, _ := f.call(http.MethodGet, caller, "", request{path + "/" + f.notification + "/deliveries", nil})
		if status < http.StatusBadRequest {
			t.Errorf("delivery summary for %s: got status %d, want a refusal", caller, status)
		}
	}
}
