package servertest_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/sininho/sininho/pkg/sininho"
	"github.com/sininho/sininho/pkg/sininho/sininhotest"
	"github.com/sininho/sininho/pkg/webhook"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/lab/servertest"
)

// contestant is a server that receives the calls of conformanceFile.
type contestant struct {
	t     *testing.T
	url   string
	keys  map[string]string   // API keys by role
	vars  map[string]string   // values that a call can refer to as {name}
	step  func(time.Duration) // sets its clock forward; nil for a server
	ahead time.Duration       // of its clock
}

// later steps the clock of a contestant whose clock can be stepped. The other one is waited for.
func (c *contestant) later(d time.Duration) {
	if c.step != nil {
		c.step(d)
		c.ahead += d
	}
}

var allScopes = []sininho.Scope{sininho.ScopePublish, sininho.ScopeChannels, sininho.ScopeRead}

// scopesOf lists the scopes of the roles that have an API key of the publisher conforme.
var scopesOf = map[string][]sininho.Scope{
	"publisher": allScopes, "expired": allScopes, "revoked": allScopes,
	"publish": {sininho.ScopePublish}, "channels": {sininho.ScopeChannels}, "read": {sininho.ScopeRead},
}

// newContestant adds the credentials that need no preparation.
func newContestant(t *testing.T, url string, keys map[string]string) *contestant {
	t.Helper()
	keys["unknown"], keys["token"] = "snh_live_unknown", "sna_live_unknown"
	return &contestant{t: t, url: url, keys: keys, vars: map[string]string{
		"channel": "/channels/conforme/avisos", "notifications": "/channels/conforme/avisos/notifications",
		"nowhere": "0199c2f4-7a10-7c3e-9f3d-0a1b2c3d4e5f",
	}}
}

// newFake has from the start the channels that only the server creates by calls.
func newFake(t *testing.T) *contestant {
	t.Helper()
	server := sininhotest.New(t)
	server.Channel("conforme/avisos")
	server.Channel("conforme/mais")
	keys := map[string]string{"foreign": server.Channel("alheio/avisos")}
	for role, scopes := range scopesOf {
		keys[role] = server.NewAPIKey("conforme", scopes...)
	}
	server.RevokeAPIKey(keys["revoked"])
	server.RevokeAPIKey(keys["expired"])
	c := newContestant(t, server.URL, keys)
	c.step = server.Step
	return c
}

// newReal starts a server with an https PUBLIC_URL, because a server in development accepts links that this one must
// refuse. People sign in at a second node on the same database.
func newReal(t *testing.T) *contestant {
	t.Helper()
	secret := servertest.With("SECRET_KEY", base64.StdEncoding.EncodeToString(core.NewSecretKey()))
	node := servertest.Start(t, secret)
	server := servertest.Start(t, secret, servertest.With("DATABASE_URL", node.DatabaseURL),
		servertest.With("PUBLIC_URL", "https://sininho.example.com"), servertest.With("SIGN_IN", "google"))
	ana := node.SignIn(t, "ana@example.com")
	newKey := func(publisher string, scopes []sininho.Scope) (key apiKey) {
		ana.Do(http.MethodPost, "/publishers/"+publisher+"/api-keys", object{"name": "K", "scopes": scopes}, 201, &key)
		return key
	}
	for _, slug := range []string{"conforme", "alheio"} {
		ana.Do(http.MethodPost, "/publishers", object{"slug": slug, "name": slug}, 201, nil)
	}
	keys := map[string]string{"foreign": newKey("alheio", allScopes).Secret}
	for role, scopes := range scopesOf {
		key := newKey("conforme", scopes)
		keys[role] = key.Secret
		switch role {
		case "revoked":
			ana.Do(http.MethodDelete, "/publishers/conforme/api-keys/"+key.ID, nil, 204, nil)
		case "expired":
			execute(t, node, "update api_keys set expires_at = now() - interval '1 second' where id = $1", key.ID)
		}
	}
	c := newContestant(t, server.URL, keys)
	client, err := sininho.New(sininho.WithBaseURL(server.URL), sininho.WithAPIKey(keys["publisher"]))
	if err != nil {
		t.Fatalf("new client: %v", err)
	}
	for category, err := range client.Categories.List(t.Context()) {
		if err != nil {
			t.Fatalf("list categories: %v", err)
		}
		c.vars[category.Slug] = category.ID
	}
	return c
}

// call makes a call. If the row says so, it repeats the call until the response is as wanted, and has the body unless
// that is empty.
func (c *contestant) call(row *conformanceRow, body string) observed {
	c.t.Helper()
	deadline := time.Now().Add(20 * time.Second)
	for {
		got := c.callOnce(row)
		isWanted := got.summary == row.want && (body == "" || got.body == body)
		if !row.eventually || isWanted || c.step != nil || time.Now().After(deadline) {
			return got
		}
	}
}

func (c *contestant) callOnce(row *conformanceRow) observed {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(c.t.Context(), 10*time.Second)
	defer cancel()
	url, sent := c.url+"/api/v1"+c.expand(row.path), c.expand(row.body)
	req, err := http.NewRequestWithContext(ctx, row.method, url, strings.NewReader(sent))
	if err != nil {
		c.t.Fatalf("new request: %v", err)
	}
	c.sign(req, row, sent)
	if row.body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	for _, header := range row.headers {
		name, value, _ := strings.Cut(c.expand(header), ": ")
		if name == "Content-Type" {
			req.Header.Del(name)
		}
		req.Header.Add(name, value)
	}
	res, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		c.t.Fatalf("call %s: %v", row.name, err)
	}
	defer res.Body.Close() // the body has been read in full
	body, err := io.ReadAll(res.Body)
	if err != nil {
		c.t.Fatalf("read the response of %s: %v", row.name, err)
	}
	return c.read(row, res, body)
}

// sign adds the credential of the row's role, or the signature of a webhook's sender.
func (c *contestant) sign(req *http.Request, row *conformanceRow, body string) {
	key := c.keys[row.role]
	switch {
	case row.signedBy != "":
		id, secret, _ := strings.Cut(row.signedBy, " ")
		message := webhook.Message{ID: id, Timestamp: time.Now(), Body: []byte(body)}
		header, err := webhook.Sign(message, c.expand(secret))
		if err != nil {
			c.t.Fatalf("sign the body of %s: %v", row.name, err)
		}
		req.Header = header
	case key != "":
		req.Header.Set("Authorization", "Bearer "+key)
	case row.role != "visitor":
		c.t.Fatalf("nobody is %q", row.role)
	}
}

var (
	wantStart = regexp.MustCompile(`^  (gets|eventually)`)
	macro     = regexp.MustCompile(`\{([a-z]+(?:\.[a-z]+)?|in -?[0-9]+[a-z]+|[0-9]+×[^}]+)\}`)
)

// expand replaces {name} with a kept value, {in 90m} with a time, and {3×ab} with ababab.
func (c *contestant) expand(text string) string {
	return macro.ReplaceAllStringFunc(text, func(m string) string {
		name := strings.Trim(m, "{}")
		if in, ok := strings.CutPrefix(name, "in "); ok {
			wait, err := time.ParseDuration(in)
			if err != nil {
				c.t.Fatalf("parse a wait: %v", err)
			}
			return time.Now().Add(c.ahead + wait).UTC().Format(time.RFC3339Nano)
		}
		if count, what, ok := strings.Cut(name, "×"); ok {
			n, _ := strconv.Atoi(count)
			return strings.Repeat(what, n)
		}
		if value, ok := c.vars[name]; ok {
			return value
		}
		return m // braces that are part of the JSON
	})
}

// read summarizes a response, and keeps the values that later calls refer to.
func (c *contestant) read(row *conformanceRow, res *http.Response, body []byte) observed {
	c.t.Helper()
	var value any
	var known struct {
		ID, Code, URL, Secret string
		Meta                  struct{ NextCursor string }
		Errors                []struct{ Pointer, Code string }
	}
	if len(body) > 0 {
		if err := json.Unmarshal(body, &value); err != nil {
			c.t.Fatalf("decode the response of %s: %v: %.200s", row.name, err, body)
		}
		_ = json.Unmarshal(body, &known)
	}
	if row.keep != "" {
		c.vars[row.keep+".id"], c.vars[row.keep+".etag"] = known.ID, res.Header.Get("ETag")
		c.vars[row.keep+".cursor"], c.vars[row.keep+".secret"] = known.Meta.NextCursor, known.Secret
		_, c.vars[row.keep+".path"], _ = strings.Cut(known.URL, "/api/v1")
	}
	summary := strings.TrimSpace(strconv.Itoa(res.StatusCode) + " " + known.Code)
	faults := make([]string, len(known.Errors))
	for i, fault := range known.Errors {
		faults[i] = fault.Pointer + " " + fault.Code
	}
	slices.Sort(faults)
	if len(faults) > 0 {
		summary += ": " + strings.Join(faults, ", ")
	}
	if len(summary) > 400 {
		summary = summary[:400]
	}
	normal, _ := json.MarshalIndent(normalized(value), "", "  ")
	header := res.Header.Get("Content-Type") + " " + res.Header.Get("Idempotency-Replayed")
	return observed{summary: summary, header: header, body: string(normal), sent: res.Header}
}

// normalized replaces values that differ between servers, and removes the wording of faults and the addresses of the
// picture proxy, which sininhotest has not.
func normalized(value any) any {
	switch v := value.(type) {
	case map[string]any:
		for _, name := range []string{"requestId", "iconProxy", "imageProxy", "avatarProxy"} {
			delete(v, name)
		}
		for name, member := range v {
			v[name] = normalized(member)
			if name == "nextCursor" || name == "url" || name == "secret" {
				v[name] = "<" + name + ">"
			}
		}
		if v["code"] != nil {
			delete(v, "detail")
		}
	case []any:
		for i, item := range v {
			v[i] = normalized(item)
		}
		slices.SortStableFunc(v, func(a, b any) int { return strings.Compare(faultOf(a), faultOf(b)) })
	case string:
		if _, err := uuid.Parse(v); err == nil {
			return "<id>"
		}
		if _, err := time.Parse(time.RFC3339, v); err == nil {
			return "<time>"
		}
	}
	return value
}

// faultOf returns the sort key of a fault.
func faultOf(item any) string {
	if fault, ok := item.(map[string]any); ok && fault["pointer"] != nil {
		return fmt.Sprint(fault["pointer"], " ", fault["code"])
	}
	return ""
}
