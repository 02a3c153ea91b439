package servertest_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/sininho/sininho/server/servertest"
)

// TestGeneratedRequests generates requests to every operation of the contracts: valid ones, ones that break each
// constraint of each parameter and body, ones without a credential, with another method, and to what was deleted. One
// round has all of them once; `make test-input` runs rounds until there are 100,000. INPUT_SEED repeats a run.
func TestGeneratedRequests(t *testing.T) {
	t.Parallel()
	g := newGenerator(t, servertest.Start(t, uncapped...))
	g.round()
	t.Logf("%d requests of %d kinds, seed %d", g.sent, len(g.kinds), g.seed)
}

// uncapped are the settings of a server on which a test creates much.
var uncapped = caps("DEVICES_PER_SUBSCRIBER", "ACCESS_TOKENS_PER_SUBSCRIBER", "PUBLISHERS_PER_SUBSCRIBER",
	"SUBSCRIPTIONS_PER_SUBSCRIBER", "CHANNELS_PER_PUBLISHER", "API_KEYS_PER_PUBLISHER", "EVENT_ENDPOINTS_PER_PUBLISHER",
	"WEBHOOKS_PER_CHANNEL", "INVITATIONS_PER_DAY")

func caps(names ...string) (options []servertest.Option) {
	for _, name := range names {
		options = append(options, servertest.With("LIMIT_"+name, "1000000"))
	}
	return options
}

// seedOf returns the seed of a test: that of the environment, or one by chance.
func seedOf(t *testing.T) uint64 {
	t.Helper()
	given := os.Getenv("INPUT_SEED")
	if given == "" {
		return rand.Uint64()
	}
	seed, err := strconv.ParseUint(given, 10, 64)
	if err != nil {
		t.Fatalf("INPUT_SEED: %v", err)
	}
	return seed
}

// generator sends generated requests to a server.
type generator struct {
	sampler
	operations map[string]described
	seed       uint64
	sent       int
	kinds      map[string]bool // operations with what is special about the requests
	failures   int
}

// mostFailures ends a test that would otherwise report the same failure for each request.
const mostFailures = 20

func newGenerator(t *testing.T, s *servertest.Server) *generator {
	t.Helper()
	seed := seedOf(t)
	return &generator{sampler: sampler{newFixtureOn(t, s), rand.New(rand.NewPCG(seed, 0))}, //nolint:gosec // not a secret
		operations: documented(t), seed: seed, kinds: map[string]bool{}}
}

// round sends each kind of request to each operation once.
func (g *generator) round() {
	g.f.t.Helper()
	ids := slices.Sorted(maps.Keys(g.operations))
	g.dice.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
	for _, id := range ids {
		g.operation(id)
	}
	g.otherMethods()
}

// try sends a probe and reports what is wrong with the response.
func (g *generator) try(p probe) {
	g.f.t.Helper()
	g.sent++
	g.kinds[p.id+" "+p.what] = true
	faults, repeat := p.send(g.f, g.operations[p.id], fmt.Sprintf("input-%d", g.sent))
	if len(faults) == 0 {
		return
	}
	g.f.t.Errorf("%s, %s (request %d, seed %d):\n  %s\n  %s", p.id, p.what, g.sent, g.seed,
		strings.Join(faults, "\n  "), repeat)
	if g.failures++; g.failures >= mostFailures {
		g.f.t.Fatalf("%d failures", g.failures)
	}
}

// operation sends all kinds of requests to an operation. The valid one comes after those that are refused, and with the
// same path, so it fails if one of them has changed something.
func (g *generator) operation(id string) {
	g.f.t.Helper()
	valid := g.valid(id, true)
	g.refused(id, valid)
	g.try(valid)
	if valid.method == http.MethodDelete {
		g.gone(id, valid)
	}
	for range 2 {
		g.try(g.valid(id, false))
	}
	if op := g.operations[id]; valid.method == http.MethodGet && op.Responses.Status(200) != nil &&
		op.Responses.Status(200).Value.Content["text/event-stream"] == nil {
		head := g.valid(id, false)
		head.what, head.method = "HEAD", http.MethodHead
		g.try(head)
	}
	if g.operations[id].body() != nil {
		for range 6 {
			g.try(g.arbitrary(id))
		}
	}
}

// ownTarget are rows that change what other rows need, and so have something of their own to change here.
var ownTarget = map[string]func(f *fixture) request{
	"updateChannel": func(f *fixture) request { return request{"/channels/p/" + f.newChannel(), object{}} },
	"updateWebhook": func(f *fixture) request { return request{f.newWebhook(), object{}} },
	"correctNotification": func(f *fixture) request {
		return request{"/channels/p/c/notifications/" + f.newNotification(), object{"title": "T"}}
	},
	"updateEventEndpoint": func(f *fixture) request { return request{f.newEndpoint(), object{}} },
	"updatePublisher":     func(f *fixture) request { return request{"/publishers/" + f.newPublisher(), object{}} },
	"signOut":             asThrowaway("/auth"),
	"deleteMe":            asThrowaway("/subscribers/me"),
	"endOtherSessions":    asThrowaway("/subscribers/sessions"),
	"removeMember": func(f *fixture) request { // which changes the addresses of the publisher's webhooks
		publisher := f.newPublisher()
		member := f.owner.Admit(publisher, f.SignIn(f.t, f.slug()+"@example.com"), "editor")
		return request{path: "/publishers/" + publisher + "/members/" + member}
	},
}

// asThrowaway returns a request by a new person.
func asThrowaway(path string) func(f *fixture) request {
	return func(f *fixture) request {
		f.sign["throwaway"] = f.SignIn(f.t, f.slug()+"@example.com").Sign
		return request{path: path}
	}
}

// valid returns a valid request, with all optional properties or some.
func (g *generator) valid(id string, all bool) probe {
	g.f.t.Helper()
	op, row, create := g.operations[id], table[id], table[id].make
	p := probe{id: id, what: "valid", method: op.method, caller: row.caller(), header: http.Header{}}
	if own := ownTarget[id]; own != nil {
		create = own
	}
	made := create(g.f)
	if slices.Contains([]string{"signOut", "deleteMe", "endOtherSessions"}, id) {
		p.caller = "throwaway"
	}
	p.path = made.path
	if schema := op.body(); schema != nil {
		body := g.body(id, schema, made.body, all)
		if object, _ := body.(map[string]any); uint64(len(object)) < schema.MinProps {
			body = g.body(id, schema, made.body, true)
		}
		p.setBody(g.f.t, body)
	}
	if row.success >= http.StatusBadRequest {
		p.statuses = []int{row.success}
	} else {
		p.statuses = documentedSuccesses(op)
	}
	g.addParameters(&p, op)
	return p
}

func documentedSuccesses(op described) (statuses []int) {
	for status := range op.Responses.Map() {
		if n, err := strconv.Atoi(status); err == nil && n < http.StatusBadRequest {
			statuses = append(statuses, n)
		}
	}
	return statuses
}

func (p *probe) setBody(t *testing.T, value any) {
	t.Helper()
	encoded, err := json.Marshal(value)
	if err != nil {
		t.Fatalf("encode JSON: %v", err)
	}
	p.body = encoded
	p.header.Set("Content-Type", "application/json")
}

// addParameters adds some optional parameters.
func (g *generator) addParameters(p *probe, op described) {
	for _, parameter := range op.parameters() {
		if parameter.In == openapi3.ParameterInPath || g.dice.IntN(2) == 0 || parameter.Required {
			continue
		}
		if value, ok := g.parameter(parameter); ok {
			p.set(parameter, value)
		}
	}
}

// parameters returns the parameters of the operation and its path.
func (o described) parameters() (all []*openapi3.Parameter) {
	for _, ref := range slices.Concat(o.item.Parameters, o.Parameters) {
		all = append(all, ref.Value)
	}
	return all
}

// set sets a parameter of a request.
func (p *probe) set(parameter *openapi3.Parameter, value string) {
	if parameter.In == openapi3.ParameterInHeader {
		p.header.Set(parameter.Name, value)
		return
	}
	path, raw, _ := strings.Cut(p.path, "?")
	query, _ := url.ParseQuery(raw)
	query.Set(parameter.Name, value)
	p.path = path + "?" + query.Encode()
}

// clone returns a copy of a request for a change.
func (p *probe) clone(what string, statuses ...int) probe {
	changed := *p
	changed.what, changed.statuses, changed.header = what, statuses, p.header.Clone()
	return changed
}

// arbitrary returns a request with a body of the right names and arbitrary values. Where the schema refuses it, the
// server must.
func (g *generator) arbitrary(id string) probe {
	schema, p := g.operations[id].body(), g.valid(id, false)
	p.what, p.statuses = "arbitrary body", nil
	var body any = map[string]any{}
	for name := range schema.Properties {
		if g.dice.IntN(3) > 0 {
			body.(map[string]any)[name] = g.anything(3)
		}
	}
	if g.dice.IntN(10) == 0 {
		body = g.anything(4)
	}
	p.setBody(g.f.t, body)
	var sent any
	if err := json.Unmarshal(p.body, &sent); err != nil {
		g.f.t.Fatalf("decode an arbitrary body: %v", err)
	}
	if schema.VisitJSON(sent, append(slices.Clone(formats), openapi3.VisitAsRequest())...) != nil {
		p.statuses = []int{http.StatusUnprocessableEntity}
	}
	return p
}

// anything returns an arbitrary value.
func (g *generator) anything(depth int) any {
	switch n := g.dice.IntN(12); {
	case n == 0:
		return nil
	case n == 1:
		return g.dice.IntN(2) == 0
	case n == 2:
		return []any{0, -1, 1.5, 1e300, 1 << 53, -1 << 31}[g.dice.IntN(6)]
	case n == 3 && depth > 0:
		list := []any{}
		for range g.dice.IntN(4) {
			list = append(list, g.anything(depth-1))
		}
		return list
	case n == 4 && depth > 0:
		object := map[string]any{}
		for range g.dice.IntN(4) {
			object[g.text(&openapi3.Schema{}, 8)] = g.anything(depth - 1)
		}
		return object
	case n == 5:
		return []any{"", " ", "\x00", "\u202e", "../..", "%00", "null", "javascript:alert(1)", "{{ 1 | divided_by: 0 }}",
			time.Now().Format(time.RFC3339), "https://example.com/", "0199c2f4-7a10-7c3e-9f3d-0a1b2c3d4e5f",
			strings.Repeat("é", 3000)}[g.dice.IntN(13)]
	default:
		return g.text(&openapi3.Schema{}, 30)
	}
}

// refused sends what an operation must refuse.
func (g *generator) refused(id string, valid probe) {
	g.f.t.Helper()
	op := g.operations[id]
	g.wrongParameters(op, valid)
	g.wrongCredentials(id, valid)
	schema := op.body()
	if schema == nil {
		return
	}
	var body any
	if err := json.Unmarshal(valid.body, &body); err != nil {
		g.f.t.Fatalf("decode the valid body: %v", err)
	}
	for _, v := range violations(schema, body) {
		p := valid.clone(v.what, http.StatusUnprocessableEntity)
		p.pointer, p.code = v.pointer, v.code
		p.setBody(g.f.t, v.value)
		g.try(p)
	}
	g.wrongBodies(op, valid)
}

// wrongBodies sends bodies that are no JSON, of another type, or too long.
func (g *generator) wrongBodies(op described, valid probe) {
	g.f.t.Helper()
	for what, body := range map[string]string{
		"no body": "", "cut": string(valid.body[:len(valid.body)-1]), "two values": string(valid.body) + "{}",
		"a closing bracket": string(valid.body) + "}", "single quotes": `{'a':1}`, "no UTF-8": "{\"a\":\"\xff\xfe\"}",
		"an overlong encoding": "{\"a\":\"\xc0\xaf\"}", "an encoded surrogate": "{\"a\":\"\xed\xa0\x80\"}",
		"a byte order mark": "\ufeff{}", "a bad escape": `{"a":"\x"}`, "a leading zero": `{"a":01}`,
		"a large exponent": `{"a":1e999}`, "NaN": `{"a":NaN}`, "a comment": `{/**/}`, "a NUL": "{\x00}",
		"a control character": "{\"a\":\"\n\"}", "a trailing comma": `{"a":1,}`,
		"deep nesting":  `{"a":` + strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000) + "}",
		"open brackets": strings.Repeat("[", 12_000),
	} {
		p := valid.clone(what, http.StatusBadRequest)
		if len(body) > 10_000 {
			p.statuses = append(p.statuses, http.StatusRequestEntityTooLarge) // where only shorter ones are allowed
		}
		if p.body = []byte(body); body == "" {
			p.body = nil
		}
		g.try(p)
	}
	if limit, ok := op.RequestBody.Value.Extensions["x-max-bytes"].(float64); true {
		if !ok {
			limit = 16 << 10
		}
		p := valid.clone("too long", http.StatusRequestEntityTooLarge)
		p.body = slices.Concat(valid.body, bytes.Repeat([]byte(" "), int(limit)))
		g.try(p)
	}
	if first, rest, ok := bytes.Cut(valid.body, []byte(":")); ok { // {"name":...
		name := string(first[2 : len(first)-1])
		p := valid.clone("a name twice", http.StatusUnprocessableEntity)
		p.pointer, p.code = "#/"+name, "duplicate"
		p.body = slices.Concat(first, []byte(":1,"), first[1:], []byte(":"), rest)
		g.try(p)
		if op.OperationID != "receiveWebhook" { // senders cut texts anywhere
			p = valid.clone("a lone surrogate", http.StatusUnprocessableEntity)
			p.body = []byte(`{"` + name + `":"\ud83d"}`)
			g.try(p)
		}
	}
	for _, media := range []string{"text/plain", "", "application/json; charset=latin1", "application/json, text/plain",
		"application/problem+json", "multipart/form-data; boundary=x", "application/x-www-form-urlencoded", ";"} {
		if media == "application/x-www-form-urlencoded" && op.OperationID == "receiveWebhook" {
			continue // as GitHub sends events
		}
		p := valid.clone("of type "+media, http.StatusUnsupportedMediaType)
		p.header.Set("Content-Type", media)
		g.try(p)
	}
	p := valid.clone("compressed", http.StatusUnsupportedMediaType)
	p.header.Set("Content-Encoding", "gzip")
	g.try(p)
}

// wrongCredentials sends a valid request without a credential, and with one that nobody was given.
func (g *generator) wrongCredentials(id string, valid probe) {
	g.f.t.Helper()
	who := strings.Fields(table[id].who)
	if visitor := who[slices.Index(callers, "visitor")]; visitor == "401" {
		p := valid.clone("no credential", http.StatusUnauthorized)
		p.caller = "visitor"
		g.try(p)
		p.what = "a session that does not exist"
		p.header.Set("Cookie", "__Host-sininho="+g.text(&openapi3.Schema{}, 20))
		g.try(p)
	}
	if who[slices.Index(callers, "expired-key")] != "401" {
		return // credentials are ignored
	}
	for _, credential := range []string{"Bearer", "Bearer snh_live_", "Bearer " + g.text(&openapi3.Schema{}, 50),
		"Basic b3duZXI6", "snh_live_x", "Bearer sna_live_" + strings.Repeat("0", 36)} {
		p := valid.clone("a wrong credential", http.StatusUnauthorized)
		p.caller = "visitor"
		p.header.Set("Authorization", credential)
		g.try(p)
	}
}

// wrongParameters breaks each constraint of each parameter.
func (g *generator) wrongParameters(op described, valid probe) {
	g.f.t.Helper()
	hasQuery := op.OperationID != "finishGoogleSignIn" // Google may add parameters
	for _, parameter := range op.parameters() {
		g.wrongParameter(op, valid, parameter)
	}
	path, query, _ := strings.Cut(valid.path, "?")
	if hasQuery {
		p := valid.clone("an unknown parameter", http.StatusUnprocessableEntity)
		p.path, p.pointer, p.code = path+"?"+query+"&n%C3%A3o=1", "query:não", "unknown_parameter"
		g.try(p)
	}
	for _, broken := range []string{"%", "a=%zz", "a=1;b=2", "%f"} {
		p := valid.clone("a broken query", http.StatusBadRequest)
		p.path = path + "?" + broken
		g.try(p)
	}
}

func (g *generator) wrongParameter(op described, valid probe, parameter *openapi3.Parameter) {
	g.f.t.Helper()
	pointer := parameter.In + ":" + parameter.Name
	if parameter.In == openapi3.ParameterInHeader {
		pointer = parameter.In + ":" + strings.ToLower(parameter.Name)
	}
	refuse := func(what, code, value string) {
		g.f.t.Helper()
		p := valid.clone(what+" of "+pointer, http.StatusUnprocessableEntity)
		p.pointer, p.code = pointer, code
		if op.OperationID == "receiveWebhook" && parameter.In == openapi3.ParameterInPath {
			p.statuses, p.pointer = []int{http.StatusNotFound}, "" // who guesses an address learns nothing else
		}
		if parameter.In == openapi3.ParameterInPath {
			p.path = substituted(op.path, valid.path, map[string]string{parameter.Name: value})
		} else {
			p.set(parameter, value)
		}
		g.try(p)
	}
	schema := parameter.Schema.Value
	for code, wrong := range wrongTexts(schema) {
		if wrong != "" {
			refuse(code, code, wrong)
		}
	}
	switch {
	case schema.Type.Is(openapi3.TypeInteger):
		for _, wrong := range []string{"x", "1.5", "1e1", "0x1", "", " 1", "99999999999999999999"} {
			refuse("type", "type", wrong)
		}
		refuse("minimum", "minimum", fmt.Sprint(int(*schema.Min)-1))
		refuse("maximum", "maximum", fmt.Sprint(int(*schema.Max)+1))
	case schema.Type.Is(openapi3.TypeBoolean):
		refuse("type", "type", "maybe")
	case parameter.In != openapi3.ParameterInHeader: // where Go refuses them
		refuse("text", "", "a\x00b")
		refuse("text", "", "a\xffb")
	}
	switch path, query, _ := strings.Cut(valid.path, "?"); parameter.In {
	case openapi3.ParameterInQuery:
		p := valid.clone(pointer+" twice", http.StatusUnprocessableEntity)
		p.pointer, p.code = pointer, "duplicate"
		p.path = fmt.Sprintf("%s?%s&%s=1&%s=1", path, query, parameter.Name, parameter.Name)
		g.try(p)
		if parameter.Required {
			p = valid.clone("no "+pointer, http.StatusUnprocessableEntity)
			p.path, p.pointer, p.code = path, pointer, "required"
			g.try(p)
		}
	case openapi3.ParameterInHeader:
		p := valid.clone(pointer+" twice", http.StatusUnprocessableEntity)
		p.pointer, p.code = pointer, "duplicate"
		p.header[http.CanonicalHeaderKey(parameter.Name)] = []string{"1", "1"}
		g.try(p)
	}
}

// substituted returns the path of a request with other values of some parameters.
func substituted(template, path string, values map[string]string) string {
	path, query, hasQuery := strings.Cut(path, "?")
	parts := strings.Split(path, "/")
	for i, part := range strings.Split(template, "/") {
		if value, ok := values[strings.Trim(part, "{}")]; ok && strings.HasPrefix(part, "{") {
			parts[i] = url.PathEscape(value)
		}
	}
	path = strings.Join(parts, "/")
	if hasQuery {
		path += "?" + query
	}
	return path
}

// methods that a client may send.
var allMethods = []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch,
	http.MethodDelete, http.MethodOptions, http.MethodTrace, "BREW", "get", "M-SEARCH"}

// otherMethods sends every method that a path does not have.
func (g *generator) otherMethods() {
	g.f.t.Helper()
	for _, id := range slices.Sorted(maps.Keys(g.operations)) {
		op := g.operations[id]
		allowed := allowedMethods(op.item)
		for _, method := range allMethods {
			if slices.Contains(allowed, method) {
				continue
			}
			p := probe{id: id, what: method + " instead", method: method, caller: "owner", header: http.Header{},
				statuses: []int{http.StatusMethodNotAllowed}, allow: strings.Join(allowed, ", ")}
			p.path = strings.NewReplacer("{", "", "}", "").Replace(op.path)
			g.try(p)
		}
	}
}

// allowedMethods returns the methods of a path, in the order of the header Allow.
func allowedMethods(item *openapi3.PathItem) (allowed []string) {
	for _, method := range allMethods {
		op := item.GetOperation(method)
		if method == http.MethodHead {
			if op = item.Get; op != nil && op.Responses.Status(200) != nil &&
				op.Responses.Status(200).Value.Content["text/event-stream"] != nil {
				continue
			}
		}
		if slices.Contains(allMethods[:6], method) && op != nil {
			allowed = append(allowed, method)
		}
	}
	return allowed
}
