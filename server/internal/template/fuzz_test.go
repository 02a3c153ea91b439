package template_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/sininho/sininho/pkg/rules"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/template"
)

// FuzzTemplate expects a template without faults to give the same notification each time, of texts that can be stored
// and are not too long, or an error that tells its author; and one with faults never to give one.
func FuzzTemplate(f *testing.F) {
	senders, err := template.New()
	if err != nil {
		f.Fatalf("new senders: %v", err)
	}
	const payload = `{"title":"x","n":7,"f":1.5,"t":"2026-03-01T12:00:00Z","list":[1,"b",null],"o":{"a":{"b":[true]}}}`
	for _, source := range []string{
		"{{ payload.title | upcase }} {% for x in payload.list %}{{ x }}{% endfor %}", "{{ payload.o | json }}",
		"{% if payload.n > 5 and payload.title contains 'x' %}a{% elsif false %}b{% else %}c{% endif %}",
		"{% case payload.n %}{% when 7, 'x' %}a{% else %}b{% endcase %}{% unless payload.z %}c{% endunless %}",
		"{% assign a = payload.list | join: '+' %}{% capture b %}{{ a }}{% endcapture %}{{- b | slice: -2, 9 -}}",
		"{% for i in (1..9) reversed limit: 2 offset: 1 %}{% if i == 2 %}{% break %}{% endif %}{{ forloop.index }}{% endfor %}",
		"{{ payload.t | date: '%d/%m/%Y' }} {{ payload.f | times: 2 | divided_by: 0 }} {{ payload.o.a.b[0] }}",
		"{% raw %}{{ x }}{% endraw %}{% comment %}{% bad %}{% endcomment %}", "{{ payload.list | sort | uniq | map: 'k' }}",
	} {
		f.Add(source, payload)
	}
	f.Fuzz(func(t *testing.T, source, payload string) {
		own := &core.WebhookTemplate{Title: source, Body: source, ExternalID: source, Skip: "{% if false %}" + source +
			"{% endif %}"}
		faults := senders.Check(*own)
		got, err := senders.Render(t.Context(), core.SenderPlain, own, []byte(payload), nil)
		again, errAgain := senders.Render(t.Context(), core.SenderPlain, own, []byte(payload), nil)
		if !reflect.DeepEqual(got, again) || (err == nil) != (errAgain == nil) {
			t.Errorf("render %q twice: got %+v (%v) and %+v (%v)", source, got, err, again, errAgain)
		}
		if known, ok := errors.AsType[*core.Error](err); err != nil && (!ok ||
			known.Code != core.CodeInvalid && known.Code != core.CodeMalformed) {
			t.Fatalf("render %q: got error %v, want %s or %s", source, err, core.CodeInvalid, core.CodeMalformed)
		}
		if err == nil && len(faults) > 0 {
			t.Errorf("render %q: got %+v, want an error because of %v", source, got, faults)
		}
		var object map[string]any
		if err == nil && json.Unmarshal([]byte(payload), &object) != nil {
			t.Errorf("render the payload %q: got %+v, want an error", payload, got)
		}
		if err == nil {
			checkStorable(t, source, got)
		}
	})
}

func checkStorable(t *testing.T, source string, got core.Rendered) {
	t.Helper()
	n := got.Notification
	for text, most := range map[string]int{
		n.Title: core.MaxTitle, n.Body: core.MaxBody, n.ExternalID: 255, got.Skip: 4000,
	} {
		if !utf8.ValidString(text) || strings.ContainsRune(text, 0) || utf8.RuneCountInString(text) > most {
			t.Errorf("render %q: got %q of more than %d characters, or that cannot be stored", source, text, most)
		}
	}
	if rules.HasControls(n.Title) {
		t.Errorf("title of %q: got %q with controls", source, n.Title)
	}
	plain := !strings.ContainsAny(source, "{}%") && utf8.ValidString(source)
	if words := strings.Fields(source); plain && len(words) == 1 && len(source) < 100 && !rules.HasControls(source) &&
		!strings.ContainsRune(source, 0) && n.Title != words[0] {
		t.Errorf("title of the plain text %q: got %q", source, n.Title)
	}
}
