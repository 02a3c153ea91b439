package command

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
)

// TestUserAgent expects the program before the library; tests are built without versions.
func TestUserAgent(t *testing.T) {
	var got string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got = r.Header.Get("User-Agent")
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"caller":"visitor"}`)
	}))
	defer server.Close()
	env := func(name string) string {
		return map[string]string{"SININHO_URL": server.URL, "SININHO_API_KEY": anAPIKey}[name]
	}
	_, _, _ = run(t, env, "", "whoami")
	const want = "sininho/dev sininho-go/dev (+https://github.com/sininho/sininho)"
	if got != want {
		t.Errorf("User-Agent of the command line: got %q, want %q", got, want)
	}
}
