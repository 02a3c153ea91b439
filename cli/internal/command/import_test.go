package command

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestSlugOf(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"backups": "backups", "Cópias de Noite": "copias-de-noite", "disk_alerts": "disk-alerts", "--a--b--": "a-b", "日本": "channel",
		"": "channel", strings.Repeat("a", 100): strings.Repeat("a", 60),
	} {
		if got := slugOf(name); got != want {
			t.Errorf("slug of %q: got %q, want %q", name, got, want)
		}
	}
}

// TestGotifyApplications reads what Gotify lists, and says when a token is not that of a client.
func TestGotifyApplications(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/application" || r.Header.Get("X-Gotify-Key") != "C1" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		_, _ = w.Write([]byte(`[{"id": 1, "token": "A1", "name": "Backup Server", "description": "d", "internal": false}]`))
	}))
	defer server.Close()
	all, err := gotifyApplications(t.Context(), server.URL+"/", "C1")
	if err != nil {
		t.Fatalf("list: %v", err)
	}
	if len(all) != 1 || all[0] != (gotifyApplication{"Backup Server", "d"}) {
		t.Errorf("applications: got %+v, want the backup server", all)
	}
	if _, err = gotifyApplications(t.Context(), server.URL, "A1"); err == nil || !strings.Contains(err.Error(), "401") {
		t.Errorf("with another token: got %v, want the status", err)
	}
}
