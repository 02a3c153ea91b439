package docs_test

import (
	"net/http"
	"testing"

	"github.com/sininho/sininho/server/servertest"
)

// world is a server and what a reader of the guides has there.
type world struct {
	url    string
	token  string // of the owner of acme
	apiKey string // of acme
}

// newWorld starts a server with a person on it and, unless the guide makes them itself, their publisher acme, its key
// and its channel.
func newWorld(t *testing.T, withPublisher bool) world {
	t.Helper()
	server := servertest.Start(t)
	ana := server.SignIn(t, "ana@example.com")
	var made struct{ Secret string }
	ana.Do(http.MethodPost, "/subscribers/access-tokens", map[string]string{"name": "guides"}, http.StatusCreated, &made)
	w := world{url: server.URL, token: made.Secret}
	if !withPublisher {
		return w
	}
	ana.Do(http.MethodPost, "/publishers", map[string]string{"slug": "acme", "name": "Acme"}, http.StatusCreated, nil)
	ana.Do(http.MethodPost, "/publishers/acme/api-keys", map[string]any{"name": "First steps", "scopes": []string{"publish", "channels", "read"}},
		http.StatusCreated, &made)
	w.apiKey = made.Secret
	var categories struct{ Data []struct{ ID, Slug string } }
	ana.Do(http.MethodGet, "/categories", nil, http.StatusOK, &categories)
	ana.Do(http.MethodPost, "/channels", map[string]string{"publisherSlug": "acme", "slug": "deploys", "name": "Deploys",
		"categoryId": categories.Data[0].ID}, http.StatusCreated, nil)
	return w
}
