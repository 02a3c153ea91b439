package httpapi

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/sininho/sininho/server/internal/core"
)

func TestRepeatedNames(t *testing.T) {
	w := newWorld(t)
	const hookBody = `{"name":"w","template":{"title":"%s"},"template":{"title":"y"}}`
	for name, c := range map[string]struct {
		method, path, body, want string
	}{
		"member":           {"POST", publish, `{"title":"x","title":"y"}`, "#/title"},
		"same value":       {"POST", publish, `{"title":"x","title":"x"}`, "#/title"},
		"escaped":          {"POST", publish, `{"title":"x","\u0074itle":"y"}`, "#/title"},
		"within an object": {"POST", publish, `{"title":"x","data":{"a":"1","a":"2"}}`, "#/data/a"},
		"object":           {"POST", publish, `{"title":"x","data":{"a":"1"},"data":{"b":"2"}}`, "#/data"},
		"patch":            {"PATCH", publish + "/" + anID, `{"title":"x","title":"y"}`, "#/title"},
		"template":         {"POST", webhooksOf, fmt.Sprintf(hookBody, "x"), "#/template"},
		"long template":    {"POST", webhooksOf, fmt.Sprintf(hookBody, strings.Repeat("x", 600_000)), "#/template"},
		"in a payload": {
			"POST", webhooksOf + "/preview", `{"payload":{"a":[{"b/c":1,"b/c":2}]}}`, "#/payload/a/0/b~1c",
		},
		"joining":  {"POST", joining, `{"email":"a@example.com","email":"b@example.com"}`, "#/email"},
		"inviting": {"POST", "/api/v1/waitlist/invitations", `{"next":1,"next":1000}`, "#/next"},
	} {
		t.Run(name, func(t *testing.T) {
			w.t = t
			credential := signedIn
			if strings.Contains(c.path, "/metro/") {
				credential = w.bearer()
			}
			a := w.send(c.method, c.path, c.body, credential)
			if a.Code != 422 {
				t.Fatalf("got status %d, want 422: %.300s", a.Code, a.Body)
			}
			e := a.problem().Errors
			if len(e) != 1 || e[0].Pointer != c.want || e[0].Code != "duplicate" {
				t.Errorf("faults: got %+v, want duplicate at %s", e, c.want)
			}
		})
	}
}

const (
	webhooksOf = "/api/v1/channels/metro/linhas/webhooks"
	joining    = "/api/v1/waitlist/entries"
)

// TestRepeatedNamesInEvents expects the last of repeated names to count, and the response to say so.
func TestRepeatedNamesInEvents(t *testing.T) {
	w := newWorld(t)
	post := func(name string, change func(*core.SealedWebhook), body string) *response {
		address := w.webhook(name, "")
		hook := w.hooks[string(core.HashSecret(address))]
		change(&hook)
		w.hooks[string(core.HashSecret(address))] = hook
		return w.send("POST", hooks+address, body)
	}
	for _, body := range []string{`{"title":"x","title":"y"}`, `{"title":"x","other":[{"a":1,"a":2}]}`} {
		a := post("plain", func(*core.SealedWebhook) {}, body)
		if a.Code != 202 || !strings.Contains(a.Body.String(), "is given more than once; the last counts") {
			t.Errorf("plain webhook, %s: got status %d, want 202 that says so: %s", body, a.Code, a.Body)
		}
		own := func(h *core.SealedWebhook) {
			h.Template = &core.WebhookTemplate{Title: "{{ payload.title }}"}
		}
		post("own template", own, body).wantStatus("webhook with a template, "+body, 202)
	}
}

// uncompiled fails the test if a template is compiled.
type uncompiled struct {
	core.Templates
	t *testing.T
}

func (u uncompiled) Check(core.WebhookTemplate) []core.FieldError {
	u.t.Error("a template of a body with faults was compiled, want none")
	return nil
}

func TestTemplatesOfFaultyBodiesAreNotCompiled(t *testing.T) {
	w := newWorld(t, func(c *Config) {
		c.Rules = core.NewRules(core.LinkRules{}, core.EventRules{}, uncompiled{t: t})
	})
	long := strings.Repeat("x", 300_000)
	for name, body := range map[string]string{
		"unknown member": `{"name":"w","template":{"title":"{{ x }}"},"colour":"red"}`,
		"repeated name":  `{"name":"w","template":{"title":"` + long + `"},"template":{"title":"y"}}`,
		"too long":       `{"name":"w","template":{"title":"` + long + `"}}`,
	} {
		w.send("POST", webhooksOf, body, w.bearer()).wantStatus("create with "+name, 422)
		w.send("PATCH", webhooksOf+"/"+anID, body, w.bearer()).wantStatus("update with "+name, 422)
		preview := strings.Replace(body, `"name":"w"`, `"payload":{}`, 1)
		w.send("POST", webhooksOf+"/preview", preview, w.bearer()).wantStatus("preview with "+name, 422)
	}
}

// TestBodyLimits posts a body of the maximum size, and one of a byte more, to every operation that takes a body.
func TestBodyLimits(t *testing.T) {
	w := newWorld(t, func(c *Config) { c.Limits.Off = true })
	address := w.webhook("open", "")
	values := strings.NewReplacer("{publisherSlug}", "metro", "{channelSlug}", "linhas",
		"/webhooks/channels/{id}", "/webhooks/channels/"+address, "{id}", anID, "{eventId}", "e", "{deliveryId}", anID)
	for key, o := range newServer(w.config).operations {
		if o.body == nil {
			continue
		}
		method, _, _ := strings.Cut(key, " ")
		t.Run(o.id, func(t *testing.T) {
			w.t = t
			send := func(size int64) *response {
				credential := signedIn
				if o.bearer && !strings.Contains(o.pattern, "members") {
					credential = w.bearer()
				}
				body := `{"unknown":1` + strings.Repeat(" ", int(size)-13) + "}"
				return w.send(method, values.Replace(o.pattern), body, credential)
			}
			if a := send(o.maxBody); a.Code == http.StatusRequestEntityTooLarge {
				t.Errorf("body of %d bytes: got status 413, want the body accepted", o.maxBody)
			}
			a := send(o.maxBody + 1)
			if a.Code != http.StatusRequestEntityTooLarge {
				t.Fatalf("body of %d bytes: got status %d, want 413: %.300s", o.maxBody+1, a.Code, a.Body)
			}
			want := fmt.Sprintf("%d KiB", o.maxBody>>10)
			if p := a.problem(); !strings.Contains(*p.Detail, want) {
				t.Errorf("detail: got %q, want the limit of %s named", *p.Detail, want)
			}
		})
	}
}

// TestBodyLimitsLeaveRoom compares the limit of each body with the longest one that its schema allows, with every
// character written as two escapes of six bytes.
func TestBodyLimitsLeaveRoom(t *testing.T) {
	for _, o := range newServer(newWorld(t).config).operations {
		if o.body == nil || o.id == receiveWebhook || o.id == "previewWebhook" { // these take any JSON
			continue
		}
		if o.id == publishNotifications { // a batch has fewer notifications when they are long
			continue
		}
		if longest := longestOf(o.body); longest > o.maxBody {
			t.Errorf("%s: got a limit of %d bytes, want at least %d, the longest valid body", o.id, o.maxBody, longest)
		}
	}
}

const maxEscaped, maxScalar = 12, 32

// longestOf returns the maximum size in bytes of a schema's value without white space.
func longestOf(s *openapi3.Schema) (n int64) {
	switch {
	case s.Type.Is(openapi3.TypeString) && s.Enum == nil:
		if s.Pattern != "" { // ASCII
			return int64(*s.MaxLength) + 2
		}
		return int64(*s.MaxLength)*maxEscaped + 2
	case s.Type.Is(openapi3.TypeArray):
		return 2 + int64(*s.MaxItems)*(longestOf(s.Items.Value)+1)
	case s.Type.Is(openapi3.TypeObject):
		for name, member := range s.Properties {
			n += int64(len(name)) + 4 + longestOf(member.Value)
		}
		if values := s.AdditionalProperties.Schema; values != nil {
			const key = 64 * maxEscaped
			n += int64(*s.MaxProps) * (key + 4 + longestOf(values.Value))
		}
		return n + 2
	default:
		return maxScalar
	}
}
