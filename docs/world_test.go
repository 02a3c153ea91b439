package docs_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/sininho/sininho/pkg/sininho"
	"github.com/sininho/sininho/server/lab/servertest"
)

// world is a server with the credentials of a reader of the guides.
type world struct {
	url           string
	token         string // of the owner of acme
	apiKey        string // of acme
	waitlistToken string // of an entry on the waiting list
}

func TestMain(m *testing.M) { servertest.Main(m) }

// newWorld starts a server with an operator and an entry on the waiting list. With a publisher it also creates acme,
// its API key and its channel, which a guide otherwise creates itself.
func newWorld(t *testing.T, withPublisher bool) world {
	t.Helper()
	server := servertest.Start(t)
	ana := server.SignIn(t, servertest.Operator)
	var made struct{ Secret string }
	ana.Do(http.MethodPost, "/subscribers/access-tokens", map[string]string{"name": "guides"},
		http.StatusCreated, &made)
	w := world{url: server.URL, token: made.Secret, waitlistToken: joinWaitlist(t, server, "bruno@example.net")}
	if !withPublisher {
		return w
	}
	ana.Do(http.MethodPost, "/publishers", map[string]string{"slug": "acme", "name": "Acme"}, http.StatusCreated, nil)
	key := map[string]any{"name": "First steps", "scopes": []string{"publish", "channels", "read"}}
	ana.Do(http.MethodPost, "/publishers/acme/api-keys", key, http.StatusCreated, &made)
	w.apiKey = made.Secret
	var categories struct{ Data []struct{ ID, Slug string } }
	ana.Do(http.MethodGet, "/categories", nil, http.StatusOK, &categories)
	ana.Do(http.MethodPost, "/channels",
		map[string]string{
			"publisherSlug": "acme", "slug": "deploys", "name": "Deploys", "categoryId": categories.Data[0].ID,
		}, http.StatusCreated, nil)
	return w
}

// joinWaitlist puts an address on the waiting list and returns the token that was emailed to it.
func joinWaitlist(t *testing.T, server *servertest.Server, email string) string {
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
