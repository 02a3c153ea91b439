package servertest_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
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

	"github.com/sininho/sininho/server/internal/dev"
	"github.com/sininho/sininho/server/lab/servertest"
)

// TestGeneratedRequests generates requests to every operation of the contracts: valid ones, ones that break each
// constraint of each parameter and body, ones without a credential, with another method, and to what was deleted. One
// round has all of them once; `make test-input` runs rounds until there are 100,000. INPUT_SEED repeats a run.
func TestGeneratedRequests(t *testing.T) {
	t.Parallel()
	log := &journal{}
	logged := func(c *dev.Config) { c.Log = slog.New(slog.NewJSONHandler(log, nil)) }
	options := append([]servertest.Option{servertest.Passkeys(), logged}, uncapped...)
	g := newGenerator(t, servertest.Start(t, options...))
	g.log = log
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
	log        *journal
}

// mostFailures ends a test that would otherwise report the same failure for each request.
const mostFailures = 20

func newGenerator(t *testing.T, s *servertest.Server) *generator {
	t.Helper()
	seed := seedOf(t)
	return &generator{sampler: sampler{newFixtureOn(t, s), rand.New(rand.NewPCG(seed, 0))},
		operations: documented(t), seed: seed, kinds: map[string]bool{}, log: &journal{}}
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
	requestID := fmt.Sprintf("input-%d", g.sent)
	faults, repeat := p.send(g.f, g.operations[p.id], requestID)
	if len(faults) == 0 {
		return
	}
	faults = append(faults, g.log.linesOf(requestID)...)
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
	"closeReport": func(f *fixture) request { // of a new person, because of the limit of open reports of each
		reporter := f.SignIn(f.t, f.slug()+"@example.com")
		reporter.Do(http.MethodPut, "/channels/p/c/report", object{"category": "spam"}, http.StatusNoContent, nil)
		var open struct{ Data []credential }
		f.operator.Do(http.MethodGet, "/admin/reports?status=open&limit=1", nil, http.StatusOK, &open)
		return request{"/admin/reports/" + open.Data[0].ID, object{"status": "resolved"}}
	},
	"signOut":          asThrowaway("/auth"),
	"deleteMe":         asThrowaway("/subscribers/me"),
	"endOtherSessions": asThrowaway("/subscribers/sessions"),
	"renewFeedAddress": asThrowaway("/subscribers/feed-address"),
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
	if slices.Contains([]string{"signOut", "deleteMe", "endOtherSessions", "renewFeedAddress"}, id) {
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
	if op.takesPicture() {
		p.setBody(g.f.t, made.body)
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
	body, contentType := encode(t, value)
	p.body = body
	p.header.Set("Content-Type", contentType)
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

// parameters returns the parameters of the operation and its path, without those that are only for texts and forms.
func (o described) parameters() (all []*openapi3.Parameter) {
	for _, ref := range slices.Concat(o.item.Parameters, o.Parameters) {
		if ref.Value.Extensions["x-for-texts"] != true {
			all = append(all, ref.Value)
		}
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
	refused := schema.VisitJSON(sent, append(slices.Clone(formats), openapi3.VisitAsRequest())...) != nil
	if refused && id != "receiveWebhook" { // which takes what is no object too
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
