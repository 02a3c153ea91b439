package production

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/cookiejar"
	"net/url"

	"github.com/sininho/sininho/pkg/sininho"
)

// signIn signs a person in, as their browser does, and returns a client with an access token of theirs.
func (i *installation) signIn(client *http.Client, email string) (person *sininho.Client, token string) {
	i.t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		i.t.Fatalf("cookies: %v", err)
	}
	own := *client
	own.Jar = jar
	if got := status(i.t.Context(), &own, i.url+"/api/v1/auth/google?login_hint="+url.QueryEscape(email)); got != http.StatusOK {
		i.t.Fatalf("sign-in of %s: got status %d, want 200 in the end", email, got)
	}
	var created struct{ Secret string }
	i.post(&own, "/subscribers/access-tokens", map[string]any{"name": "production"}, &created)
	return i.sdk(client, created.Secret), created.Secret
}

// sdk returns the SDK with a credential.
func (i *installation) sdk(client *http.Client, credential string) *sininho.Client {
	i.t.Helper()
	c, err := sininho.New(sininho.WithBaseURL(i.url), sininho.WithAPIKey(credential), sininho.WithHTTPClient(client))
	if err != nil {
		i.t.Fatalf("new client: %v", err)
	}
	return c
}

func (i *installation) post(client *http.Client, path string, in, out any) {
	i.t.Helper()
	body, err := json.Marshal(in)
	if err != nil {
		i.t.Fatalf("encode JSON: %v", err)
	}
	req, err := http.NewRequestWithContext(i.t.Context(), http.MethodPost, i.url+"/api/v1"+path, bytes.NewReader(body))
	if err != nil {
		i.t.Fatalf("new request: %v", err)
	}
	req.Header.Set("Content-Type", "application/json")
	res, err := client.Do(req)
	if err != nil {
		i.t.Fatalf("POST %s: %v", path, err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusCreated {
		i.t.Fatalf("POST %s: got %s, want 201", path, res.Status)
	}
	if err := json.NewDecoder(res.Body).Decode(out); err != nil {
		i.t.Fatalf("POST %s: %v", path, err)
	}
}

// channel is where the load publishes.
const channel = "porto/avisos"

// createChannel has a person create a publisher, a channel and an API key, which it returns.
func (i *installation) createChannel(owner *sininho.Client) (key string) {
	i.t.Helper()
	ctx := i.t.Context()
	if _, err := owner.Publishers.Create(ctx, "porto", sininho.PublisherInput{Name: "Porto"}); err != nil {
		i.t.Fatalf("create a publisher: %v", err)
	}
	for category, err := range owner.Categories.List(ctx) {
		if err != nil {
			i.t.Fatalf("list the categories: %v", err)
		}
		if _, err := owner.Channels.Create(ctx, channel, sininho.ChannelInput{Name: "Avisos", CategoryID: category.ID}); err != nil {
			i.t.Fatalf("create a channel: %v", err)
		}
		break
	}
	created, err := owner.APIKeys.Create(ctx, "porto", sininho.APIKeyInput{Name: "load",
		Scopes: []sininho.Scope{sininho.ScopePublish, sininho.ScopeRead}})
	if err != nil {
		i.t.Fatalf("create an API key: %v", err)
	}
	return created.Secret
}

// follower signs a person in who follows the channel with one device.
func (i *installation) follower(client *http.Client, name string) {
	i.t.Helper()
	person, token := i.signIn(client, name+"@example.com")
	if _, err := person.Subscriptions.Follow(i.t.Context(), channel); err != nil {
		i.t.Fatalf("follow: %v", err)
	}
	authorized := *client
	authorized.Transport = bearer{client.Transport, token}
	i.post(&authorized, "/subscribers/devices", map[string]any{"installationId": "installation-" + name, "kind": "token",
		"address": "device-of-" + name, "platform": "web", "name": "Browser"}, &struct{}{})
}

// bearer adds a credential to requests.
type bearer struct {
	next  http.RoundTripper
	token string
}

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+b.token)
	return b.next.RoundTrip(r)
}
