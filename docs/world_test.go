package docs_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/sininho/sininho/pkg/sininho"
	"github.com/sininho/sininho/server/servertest"
)

// world is a server and what a reader of the guides has there.
type world struct {
	url    string
	token  string // of the owner of acme
	apiKey string // of acme
	place  string // the token of who waits
}

func TestMain(m *testing.M) { servertest.Main(m) }

// newWorld starts a server with a person on it, an operator; with one who waits; and, unless the guide makes them itself,
// with the person's publisher acme, its key and its channel.
func newWorld(t *testing.T, withPublisher bool) world {
	t.Helper()
	server := servertest.Start(t)
	ana := server.SignIn(t, servertest.Operator)
	var made struct{ Secret string }
	ana.Do(http.MethodPost, "/subscribers/access-tokens", map[string]string{"name": "guides"}, http.StatusCreated, &made)
	w := world{url: server.URL, token: made.Secret, place: wait(t, server, "bruno@example.net")}
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

// wait puts an address on the waiting list, and answers the token that was e-mailed to it.
func wait(t *testing.T, server *servertest.Server, email string) string {
	t.Helper()
	list := server.Client().Waitlist
	if err := list.Join(t.Context(), sininho.WaitlistInput{Email: email}); err != nil {
		t.Fatalf("join the list: %v", err)
	}
	link := server.Mail(t, email, 0).Link()
	token := link[strings.LastIndex(link, "/")+1:]
	if _, err := list.Confirm(t.Context(), token); err != nil {
		t.Fatalf("confirm the entry: %v", err)
	}
	return token
}
