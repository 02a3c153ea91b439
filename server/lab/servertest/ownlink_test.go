package servertest_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/sininho/sininho/server/lab/check"
	"github.com/sininho/sininho/server/lab/servertest"
)

// TestLinksToOwnPages publishes links to the server's own pages in every way of publishing.
func TestLinksToOwnPages(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ana := s.SignIn(t, "ana@example.com")
	const path = "/channels/demo/novidades/notifications"
	port := s.URL[strings.LastIndexByte(s.URL, ':'):]
	for link, want := range map[string]int{
		s.URL + "/feed":                             http.StatusCreated,
		s.URL + "/channels/demo/novidades":          http.StatusCreated,
		"https://example.com/login/device":          http.StatusCreated,
		s.URL + "/login/device?code=BCDF-GHJK":      http.StatusUnprocessableEntity,
		s.URL + "/api/v1/auth/google":               http.StatusUnprocessableEntity,
		s.URL + "/settings":                         http.StatusUnprocessableEntity,
		s.URL + "/channels/../login/device":         http.StatusUnprocessableEntity,
		s.URL + "/%6cogin/device":                   http.StatusUnprocessableEntity,
		"HTTP" + s.URL[4:] + "/login/device":        http.StatusUnprocessableEntity,
		"http://localhost" + port + "/login/device": http.StatusUnprocessableEntity,
		"//127.0.0.1" + port + "/login/device":      http.StatusUnprocessableEntity,
		"https://127.0.0.1" + port + "/login":       http.StatusUnprocessableEntity,
	} {
		a := withKey(t, ana, s, http.MethodPost, path, object{"title": "x", "link": link}, want, nil)
		if want == http.StatusUnprocessableEntity && !strings.Contains(string(a.Body), `"pointer":"#/link"`) {
			t.Errorf("problem of the link %s: got %s, want it to name #/link", link, a.Body)
		}
	}
	var n struct{ ID string }
	withKey(t, ana, s, http.MethodPost, path, map[string]any{"title": "x"}, http.StatusCreated, &n)
	device := map[string]any{"link": s.URL + "/login/device"}
	withKey(t, ana, s, http.MethodPatch, path+"/"+n.ID, device, http.StatusUnprocessableEntity, nil)

	body := `{"title":"x","link":"` + s.URL + `/login/device"}`
	var hook made
	withKey(t, ana, s, http.MethodPost, hooksPath, object{"name": "w"}, http.StatusCreated, &hook)
	got := deliver(t, hook.URL, body, sign(t, "e1", body, hook.Secret), http.StatusAccepted)
	check.Equal(t, "link to /login/device by a webhook", notificationOf(t, ana, got.NotificationID).Link, "")
	if len(got.Adjusted) != 1 || got.Adjusted[0].Pointer != "#/link" {
		t.Errorf("adjustments of a link to /login/device: got %+v, want that it was dropped", got.Adjusted)
	}
}
