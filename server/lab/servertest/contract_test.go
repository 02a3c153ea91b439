package servertest_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/sininho/sininho/openapi"
)

// described is an operation of the contracts.
type described struct {
	*openapi3.Operation
	method string
	path   string // its template, relative to /api/v1
	item   *openapi3.PathItem
	doc    *openapi3.T
}

func documented(t *testing.T) map[string]described {
	t.Helper()
	all := map[string]described{}
	for _, contract := range [][]byte{openapi.Sininho, openapi.Waitlist} {
		doc, err := openapi3.NewLoader().LoadFromData(contract)
		if err != nil {
			t.Fatalf("load the contract: %v", err)
		}
		for path, item := range doc.Paths.Map() {
			for method, op := range item.Operations() {
				all[op.OperationID] = described{op, method, path, item, doc}
			}
		}
	}
	return all
}

// body returns the JSON schema of the operation's body, or nil.
func (o described) body() *openapi3.Schema {
	if o.RequestBody == nil || o.takesPicture() {
		return nil
	}
	return o.RequestBody.Value.Content["application/json"].Schema.Value
}

// takesPicture reports whether the operation's body is a picture.
func (o described) takesPicture() bool {
	return o.RequestBody != nil && o.RequestBody.Value.Content["image/*"] != nil
}

// picture is the body of a request that is a file.
type picture []byte

// pngFile is a PNG of 3×2 pixels.
var pngFile = func() picture {
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 3, 2))); err != nil {
		panic(err)
	}
	return b.Bytes()
}()

// encode returns a body and its media type.
func encode(t *testing.T, body any) (encoded []byte, contentType string) {
	t.Helper()
	if file, ok := body.(picture); ok {
		return file, "image/png"
	}
	encoded, err := json.Marshal(body)
	if err != nil {
		t.Fatalf("encode JSON: %v", err)
	}
	return encoded, "application/json"
}

// caller returns a caller that is allowed to call the row's operation.
func (r row) caller() string {
	who := strings.Fields(r.who)
	if who[slices.Index(callers, "owner")] != "+" && who[slices.Index(callers, "operator")] == "+" {
		return "operator"
	}
	return "owner"
}

// sendBody sends a body of any kind to an operation, and returns the status and the problem's code.
func (f *fixture) sendBody(method, caller, path, contentType string, body []byte) (status int, code, response string) {
	f.t.Helper()
	req, err := http.NewRequestWithContext(f.t.Context(), method, f.URL+"/api/v1"+path, bytes.NewReader(body))
	if err != nil {
		f.t.Fatalf("new request: %v", err)
	}
	if contentType != "" {
		req.Header.Set("Content-Type", contentType)
	}
	f.sign[caller](req)
	res, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		f.t.Fatalf("request %s %s: %v", req.Method, req.URL, err)
	}
	defer res.Body.Close() // the body has been read in full
	read, err := io.ReadAll(res.Body)
	if err != nil {
		f.t.Fatalf("read the body: %v", err)
	}
	var problem struct{ Code string }
	_ = json.Unmarshal(read, &problem) // a body that is not a problem has no code
	return res.StatusCode, problem.Code, string(read)
}

// isCallback reports whether an operation is where a provider sends browsers back to.
func isCallback(id string) bool { return id == "finishGoogleSignIn" || id == "finishProviderSignIn" }

// TestFaultsAreDocumented makes each fault that a request can have, and expects its status to be in the contract.
func TestFaultsAreDocumented(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for id, op := range documented(t) {
		path := strings.Split(table[id].make(f).path, "?")[0]
		check := func(fault string, want int, query, contentType string, body []byte) {
			t.Helper()
			status, _, got := f.sendBody(op.method, table[id].caller(), path+query, contentType, body)
			if status != want {
				t.Errorf("%s with %s: got %d, want %d: %s", id, fault, status, want, got)
			}
			if op.Responses.Status(status) == nil {
				t.Errorf("%s with %s: the contract has no %d", id, fault, status)
			}
		}
		if id == "receiveWebhook" { // its senders cannot be corrected
			check("no body", http.StatusBadRequest, "?%zz&unknown=1", "application/json", nil)
			check("a large body", http.StatusRequestEntityTooLarge, "", "text/plain", bytes.Repeat([]byte(" "), 4<<20+1))
			continue
		}
		body, contentType := encode(t, object{})
		if op.takesPicture() {
			body, contentType = encode(t, pngFile)
			check("no body", http.StatusBadRequest, "", contentType, nil)
			check("a body of another type", http.StatusUnsupportedMediaType, "", "application/json", []byte("{}"))
			check("no picture", http.StatusUnprocessableEntity, "", contentType, []byte("{}"))
			check("a large body", http.StatusRequestEntityTooLarge, "", contentType, make([]byte, 5<<20+1))
		}
		check("a query that cannot be read", http.StatusBadRequest, "?%zz", contentType, body)
		if !isCallback(id) { // providers may add parameters
			check("an unknown parameter", http.StatusUnprocessableEntity, "?unknown=1", contentType, body)
		}
		if op.body() != nil {
			check("no body", http.StatusBadRequest, "", "application/json", nil)
			check("a body of another type", http.StatusUnsupportedMediaType, "", "text/plain", []byte("{}"))
			check("a large body", http.StatusRequestEntityTooLarge, "", "application/json",
				bytes.Repeat([]byte(" "), 2<<20+1))
		}
	}
}

// TestRequestExamplesAreTaken sends the example of every body, and of every further field, to a real server.
func TestRequestExamplesAreTaken(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.SignIn(t, "ana@example.com") // named by the examples
	execute(t, f.Server, "insert into categories (id, slug, name) values ('0199c2f4-7a10-7c3e-9f3d-0a1b2c3d4e5f', "+
		"'exemplo', 'Exemplo')")
	execute(t, f.Server, `insert into publisher_members (publisher_id, subscriber_id, role)
		select p.id, s.id, 'owner' from publishers p, subscribers s where p.slug = 'demo' and s.email = 'owner@example.com'`)
	for id, op := range documented(t) {
		schema := op.body()
		if schema == nil {
			continue
		}
		if schema.Example == nil {
			t.Errorf("%s: its body has no example", id)
			continue
		}
		for field, body := range examples(schema) {
			path := table[id].make(f).path
			if id == "correctNotification" && field == "scheduledAt" {
				soon := object{"title": "T", "scheduledAt": time.Now().Add(time.Hour)}
				path = "/channels/p/c/notifications/" + f.do("/channels/p/c/notifications", soon, 201).ID
			}
			sent, err := json.Marshal(body)
			if err != nil {
				t.Fatalf("encode JSON: %v", err)
			}
			status, code, got := f.sendBody(op.method, table[id].caller(), path, "application/json", sent)
			if id == "confirmEventEndpoint" && code == "invalid" && strings.Contains(got, `"code":"challenge"`) {
				continue // only the receiver knows the challenge
			}
			if status >= 500 || code == "invalid" || code == "malformed" {
				t.Errorf("%s, the example with %q: got %d: %s\n%s", id, field, status, got, sent)
			}
		}
	}
}

// examples returns the example of an object under "", and under the name of each property that has its own example, the
// object with that property.
func examples(schema *openapi3.Schema) map[string]map[string]any {
	whole, _ := schema.Example.(map[string]any)
	all := map[string]map[string]any{"": whole}
	for name, property := range schema.Properties {
		if example := property.Value.Example; example != nil &&
			(schema.MaxProps == nil || uint64(len(whole)) < *schema.MaxProps) {
			with := maps.Clone(whole)
			with[name] = example
			all[name] = with
		}
	}
	return all
}

// TestTimesComeBackAsKept sends a time that is more precise than the database, and expects the same stored time in
// every response.
func TestTimesComeBackAsKept(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	at := time.Now().Add(time.Hour).UTC().Truncate(time.Second).Add(123_456_789)
	kept := at.Truncate(time.Microsecond)
	var made, got struct {
		ID                     string
		ScheduledAt, ExpiresAt time.Time
	}
	f.owner.Do(http.MethodPost, "/channels/p/c/notifications",
		object{"title": "T", "scheduledAt": at, "expiresAt": at.Add(time.Hour)}, 201, &made)
	f.owner.Do(http.MethodGet, "/channels/p/c/notifications/"+made.ID, nil, 200, &got)
	if !made.ScheduledAt.Equal(kept) || !made.ExpiresAt.Equal(kept.Add(time.Hour)) {
		t.Errorf("published: got %v to %v, want %v for an hour", made.ScheduledAt, made.ExpiresAt, kept)
	}
	if got != made {
		t.Errorf("read: got %+v, want %+v", got, made)
	}
	var muted struct{ MutedUntil time.Time }
	f.owner.Do(http.MethodPatch, "/subscribers/channels/"+f.channel, object{"mutedUntil": at}, 200, &muted)
	if !muted.MutedUntil.Equal(kept) {
		t.Errorf("mutedUntil: got %v, want %v", muted.MutedUntil, kept)
	}
}

// TestSearchExamples expects the contract's search examples to find something in the sample data.
func TestSearchExamples(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	all := documented(t)
	for id, path := range map[string]string{"listChannels": "/channels", "listPublishers": "/publishers"} {
		parameters := all[id].Parameters
		i := slices.IndexFunc(parameters, func(p *openapi3.ParameterRef) bool { return p.Value.Name == "q" })
		var list struct{ Meta struct{ Total int } }
		f.owner.Do(http.MethodGet, fmt.Sprintf("%s?q=%v", path, parameters[i].Value.Example), nil, 200, &list)
		if list.Meta.Total == 0 {
			t.Errorf("%s: its example %v finds nothing", id, parameters[i].Value.Example)
		}
	}
	var list struct{ Meta struct{ Total int } }
	f.owner.Do(http.MethodGet, "/publishers?q="+strings.Repeat("a+", 99), nil, 200, &list)
}
