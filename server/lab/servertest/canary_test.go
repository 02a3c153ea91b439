package servertest_test

import (
	"bytes"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/sininho/sininho/internal/eventually"
	"github.com/sininho/sininho/server/internal/dev"
)

// canaries are a fixture's secrets by name, and what must not have them: the log and the responses of failed requests.
type canaries struct {
	*fixture
	secrets map[string]string
	log     *syncBuffer
	failed  bytes.Buffer
}

// syncBuffer is a buffer that several goroutines write to.
type syncBuffer struct {
	mu sync.Mutex
	bytes.Buffer
}

func (b *syncBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.Buffer.Write(p)
}

func (b *syncBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.Buffer.String()
}

func newCanaries(t *testing.T) *canaries {
	t.Helper()
	c := &canaries{log: &syncBuffer{}, secrets: map[string]string{}}
	var dir string
	c.fixture = newFixture(t, func(config *dev.Config) {
		config.Log = slog.New(slog.NewJSONHandler(c.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
		dir = config.Dir
	})
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, c.URL, nil)
	if err != nil {
		t.Fatalf("new request: %v", err)
	}
	c.owner.Sign(req)
	session, err := req.Cookie("__Host-sininho")
	if err != nil {
		t.Fatalf("session cookie: %v", err)
	}
	var endpoint struct{ Secret string }
	c.clearEndpoints()
	c.owner.Do(http.MethodPost, "/publishers/p/event-endpoints", object{"name": "E", "url": "https://localhost:9/"}, 201,
		&endpoint)
	var begun struct{ DeviceCode string }
	c.owner.Do(http.MethodPost, "/auth/device", object{}, 200, &begun)
	database, err := url.Parse(c.DatabaseURL)
	if err != nil {
		t.Fatalf("parse the database's address: %v", err)
	}
	c.secrets["session"], c.secrets["endpoint secret"], c.secrets["device code"] = session.Value, endpoint.Secret,
		begun.DeviceCode
	c.secrets["access token"], c.secrets["API key"] = c.newToken().Secret, c.newKey("publish").Secret
	var feed madeAddress
	c.owner.Do(http.MethodPut, "/subscribers/feed-address", nil, 200, &feed)
	c.secrets["feed address"] = strings.TrimSuffix(feed.Atom[strings.LastIndex(feed.Atom, "/")+1:], ".atom")
	c.secrets["webhook address"] = c.webhook.URL[strings.LastIndex(c.webhook.URL, "/")+1:]
	c.secrets["webhook secret"], c.secrets["waitlist token"] = c.WebhookSecret, c.newEntry()
	c.secrets["database password"], _ = database.User.Password()
	c.addFiles(dir)
	return c
}

// addFiles adds the secrets of the server's settings, which are in the files that dev keeps.
func (c *canaries) addFiles(dir string) {
	c.t.Helper()
	key, err := os.ReadFile(filepath.Join(dir, "secret.key"))
	if err != nil {
		c.t.Fatalf("read the secret key: %v", err)
	}
	c.secrets["secret key"] = strings.TrimSpace(string(key))
	c.secrets["Google's client secret"] = "only-for-the-stand-in"
	credentials, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil || len(credentials) == 0 {
		c.t.Fatalf("find Firebase's credentials: got %v and %v", credentials, err)
	}
	for _, path := range credentials {
		var account struct {
			PrivateKey string `json:"private_key"`
		}
		if b, err := os.ReadFile(path); err == nil && json.Unmarshal(b, &account) == nil && account.PrivateKey != "" {
			c.secrets["Firebase's key"] = strings.Split(account.PrivateKey, "\n")[1]
		}
	}
}

// try sends a request as the holder of every credential, and keeps the response unless it succeeds.
func (c *canaries) try(method, path, contentType, body string) {
	c.t.Helper()
	for _, sign := range []func(*http.Request){
		c.owner.Sign, bearer(credential{Secret: c.secrets["access token"]}), bearer(credential{Secret: c.secrets["API key"]}),
		func(r *http.Request) { r.Header.Set("Authorization", "Basic "+c.secrets["API key"]) },
		func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+c.secrets["API key"]+"x") },
	} {
		req, err := http.NewRequestWithContext(c.t.Context(), method, c.URL+path, strings.NewReader(body))
		if err != nil {
			c.t.Fatalf("new request: %v", err)
		}
		req.Header.Set("Content-Type", contentType)
		sign(req)
		res, err := http.DefaultTransport.RoundTrip(req)
		if err != nil {
			c.t.Fatalf("request %s %s: %v", method, req.URL.Path, err)
		}
		if res.StatusCode >= http.StatusBadRequest {
			if _, err := io.Copy(&c.failed, res.Body); err != nil {
				c.t.Fatalf("read the body: %v", err)
			}
		}
		_ = res.Body.Close()
	}
}

// misplace sends every secret where it does not belong.
func (c *canaries) misplace() {
	for _, secret := range c.secrets {
		escaped := url.QueryEscape(secret)
		c.try(http.MethodGet, "/api/v1/channels?q="+escaped, "", "")
		c.try(http.MethodGet, "/api/v1/subscribers/me?access_token="+escaped, "", "")
		c.try(http.MethodGet, "/api/v1/"+url.PathEscape(secret), "", "")
		c.try(http.MethodPost, "/api/v1/webhooks/channels/"+url.PathEscape(secret), "application/json", "{")
		c.try(http.MethodPost, "/api/v1/auth/device/token", "application/json", `{"deviceCode":"`+secret+`","x":1}`)
		c.try(http.MethodPost, "/api/v1/channels/p/c/notifications", "application/json", `{"body":"`+secret)
		c.try(http.MethodDelete, "/api/v1/waitlist/entries/"+url.PathEscape(secret)+"x", "", "")
		c.try(http.MethodGet, "/api/v1/auth/google/callback?state="+escaped+"&code="+escaped, "", "")
		c.try(http.MethodGet, "/feeds/"+url.PathEscape(secret)+".atom", "", "")
		c.try(http.MethodGet, "/pictures/"+url.PathEscape(secret)+"/x", "", "")
	}
}

// breakDown takes tables away, so that requests with secrets fail within the server.
func (c *canaries) breakDown() {
	for _, table := range []string{
		"notifications", "sessions", "access_tokens", "api_keys", "webhooks", "waitlist_entries", "device_sign_ins",
		"feed_addresses",
	} {
		execute(c.t, c.Server, "alter table "+table+" rename to broken")
		c.try(http.MethodPost, "/api/v1/channels/p/c/notifications", "application/json", `{"title":"T"}`)
		c.try(http.MethodGet, "/api/v1/subscribers/notifications", "", "")
		c.try(http.MethodPost, "/api/v1/webhooks/channels/"+c.secrets["webhook address"], "application/json",
			`{"title":"T"}`)
		c.try(http.MethodGet, "/feeds/"+c.secrets["feed address"]+".atom", "", "")
		c.try(http.MethodGet, "/api/v1/waitlist/entries/"+c.secrets["waitlist token"], "", "")
		c.try(http.MethodPost, "/api/v1/auth/device/token", "application/json",
			`{"deviceCode":"`+c.secrets["device code"]+`"}`)
		execute(c.t, c.Server, "alter table broken rename to "+table)
	}
}

// public returns everything that visitors, analytics and monitoring receive.
func (c *canaries) public() string {
	var all strings.Builder
	for _, address := range []string{
		c.URL + "/", c.URL + "/config.js", c.URL + "/docs", c.MetricsURL, c.URL + "/livez", c.URL + "/readyz",
		c.URL + "/api/v1/openapi.json", c.URL + "/api/v1/channels", c.PostHogURL + "/events",
	} {
		res, err := http.Get(address)
		if err != nil {
			c.t.Fatalf("get %s: %v", address, err)
		}
		_, err = io.Copy(&all, res.Body)
		_ = res.Body.Close()
		if err != nil {
			c.t.Fatalf("read %s: %v", address, err)
		}
	}
	return all.String()
}

// TestSecretsAreNowhere uses and misplaces every kind of secret, and makes requests with them fail: the log at its
// finest level, the responses of failed requests and everything public are without them.
func TestSecretsAreNowhere(t *testing.T) {
	t.Parallel()
	c := newCanaries(t)
	c.misplace()
	c.breakDown()
	eventually.True(t, "an error is logged", func() bool { return strings.Contains(c.log.String(), `"level":"ERROR"`) })
	if !strings.Contains(c.failed.String(), `"code":"internal"`) {
		t.Errorf("responses of failed requests: got %s, want one of an internal error", &c.failed)
	}
	for where, text := range map[string]string{
		"the log": c.log.String(), "responses": c.failed.String(), "what is public": c.public(),
	} {
		for name, secret := range c.secrets {
			if at := strings.Index(text, secret); secret == "" || at >= 0 {
				t.Errorf("%s in %s: got it at %.300q, want none", name, where, text[max(0, at-150):])
			}
		}
	}
}
