package template_test

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sininho/sininho/pkg/mend"
	"github.com/sininho/sininho/pkg/rules"
	"github.com/sininho/sininho/server/internal/core"
)

func own(t *testing.T, tpl core.WebhookTemplate, payload string) (core.Rendered, error) {
	t.Helper()
	return senders(t).Render(t.Context(), core.SenderPlain, &tpl, []byte(payload), map[string]string{"x-event": "e"})
}

func TestOwnTemplates(t *testing.T) {
	t.Parallel()
	const payload = `{"n":1234567,"big":12345678901234567890,"f":1500000.25,"e":1e3,"s":"élan","list":["b","a","b"],"m":{"y":2,"x":1},
		"long":"word word word","t":"2026-03-01T12:00:00Z","at":1772366400,"null":null,"objects":[{"k":"p"},{"k":"q"}]}`
	for name, c := range map[string]struct{ template, want string }{
		"text":           {"plain", "plain"},
		"numbers":        {"{{ payload.n }} {{ payload.f }} {{ payload.e }}", "1234567 1500000.25 1000"},
		"a large number": {"{{ payload.big }}", "12345678901234567890"},
		"arithmetic": {
			"{{ payload.n | plus: 1 }} {{ 7 | divided_by: 2 }} {{ 7 | divided_by: 2.0 }} {{ payload.f | times: 2 }}",
			"1234568 3 3.5 3000000.5",
		},
		"headers": {"{{ headers.x-event }}", "e"},
		"missing": {"{{ payload.a.b.c }}{{ other }}x", "x"},
		"null":    {`{{ payload.null | default: "d" }}`, "d"},
		"if": {
			"{% if payload.n > 5 and payload.s contains 'lan' %}yes{% elsif true %}no{% else %}never{% endif %}", "yes",
		},
		"unless": {"{% unless payload.null %}yes{% else %}no{% endunless %}", "yes"},
		"case":   {"{% case payload.s %}{% when 'a', 'élan' %}yes{% else %}no{% endcase %}", "yes"},
		"for": {
			"{% for x in payload.list reversed limit: 2 offset: 1 %}{{ forloop.index }}{{ x }}{% unless forloop.last " +
				"%},{% endunless %}{% endfor %}", "1a,2b",
		},
		"for else":   {"{% for x in payload.none %}x{% else %}none{% endfor %}", "none"},
		"for range":  {"{% for i in (1..3) %}{{ i }}{% endfor %}", "123"},
		"for object": {"{% for p in payload.m %}{{ p[0] }}={{ p[1] }} {% endfor %}", "x=1 y=2"},
		"break, continue": {
			"{% for i in (1..9) %}{% if i == 2 %}{% continue %}{% endif %}{% if i == 4 %}{% break %}{% endif %}{{ i " +
				"}}{% endfor %}", "13",
		},
		"nested loops": {
			"{% for i in (1..2) %}{% for i in (1..2) %}{{ i }}{% endfor %}{{ i }}{{ forloop.index }} {% endfor %}",
			"1211 1222",
		},
		"assign, capture": {
			"{% assign a = payload.list | uniq | join: '+' %}{% capture b %}<{{ a }}>{% endcapture %}{{ b }}", "<b+a>",
		},
		"trimming": {"a  {{- payload.s -}}  b", "aélanb"},
		"raw, comment": {
			"{% raw %}{{ x | nofilter }}{% endraw %}{% comment %}{% bad %}{% endcomment %}", "{{ x | nofilter }}",
		},
		"truncate": {
			"{{ payload.long | truncate: 6 }} {{ payload.long | truncatewords: 1 }} {{ 'abc' | truncate: 3 }} {{ " +
				"'abc' | truncate: -9 }}", "word… word… abc …",
		},
		"slice": {
			"{{ payload.s | slice: 0 }}{{ payload.s | slice: -2, 9 }}{{ payload.s | slice: 99, 1 }}{{ payload.s | " +
				"slice: 3, 9223372036854775807 }}", "éann",
		},
		"capitalize": {"{{ payload.s | capitalize }}", "Élan"},
		"replace": {
			"{{ payload.long | replace: 'word', 'w' | replace_first: 'w', 'x' | append: '!' | prepend: '>' }}",
			">x w w!",
		},
		"date": {"{{ payload.t | date: '%d/%m/%Y' }} {{ payload.at | date: '%Y' }}", "01/03/2026 2026"},
		"map, sort": {
			"{{ payload.objects | map: 'k' | join }} {{ payload.list | sort | join: '' }} {{ payload.list.size }}",
			"p q abb 3",
		},
		"json": {"{{ payload.m | json }}", `{"x":1,"y":2}`},
	} {
		r, err := own(t, core.WebhookTemplate{Title: c.template}, payload)
		if err != nil || r.Notification.Title != c.want {
			t.Errorf("render %s: got %q, want %q (%v)", name, r.Notification.Title, c.want, err)
		}
	}
}

// mended returns the notification as package core goes on with it.
func mended(r core.Rendered) rules.Notification {
	in := r.Notification
	n, _ := mend.Notification(rules.Notification{Title: in.Title, Body: in.Body, Link: in.Link, Icon: in.Icon,
		Importance: string(in.Importance), ExternalID: in.ExternalID}, rules.Links{})
	return n
}

func TestResultsAreMadeToFit(t *testing.T) {
	t.Parallel()
	words := strings.TrimSpace(strings.Repeat("palavra ", 4000))
	r, err := own(t, core.WebhookTemplate{
		Title: "{{ payload.w }}", Body: "{{ payload.w }}", Importance: " important\n", ExternalID: "{{ payload.w }}",
		Link: " https://example.com/a ", Icon: "x",
	}, `{"w":"`+words+`"}`)
	if err != nil {
		t.Fatalf("render: %v", err)
	}
	n := mended(r)
	if size := len([]rune(n.Title)); size > core.MaxTitle || !strings.HasSuffix(n.Title, " palavra…") {
		t.Errorf("title: got %q of %d characters, want at most %d that end in palavra…", n.Title, size, core.MaxTitle)
	}
	if size := len([]rune(n.Body)); size != core.MaxBody || !strings.HasSuffix(n.Body, "…") {
		t.Errorf("body: got %d characters, want %d that end in an ellipsis", size, core.MaxBody)
	}
	if n.Importance != string(core.Important) || n.Link != "https://example.com/a" {
		t.Errorf("importance and link: got %q and %q, want them trimmed", n.Importance, n.Link)
	}
	if len(n.ExternalID) != 32 {
		t.Errorf("external id: got %q, want a hash of 32 characters", n.ExternalID)
	}
	r, err = own(t, core.WebhookTemplate{
		Title: "a\n{{ payload.x }}\tb", Body: "\r\n\n\nl\n \n\n\nm{{ payload.x }}\n",
	}, `{"x":"\u0000"}`)
	if n := mended(r); err != nil || n.Title != "a b" || n.Body != "l\n\nm" {
		t.Errorf("text with blanks: got %q and %q, %v; want a b and l\\n\\nm", n.Title, n.Body, err)
	}
	if r, err := own(t, core.WebhookTemplate{Title: "{{ payload.none }}"}, `{}`); err != nil ||
		r.Notification.Title != "" {
		t.Errorf("empty title: got %+v, %v; want it rendered, as the caller refuses it", r, err)
	}
	if r, err := own(t, core.WebhookTemplate{Title: "{{ payload | broken", Skip: "not\n now"}, `{}`); !core.IsCode(err,
		core.CodeInvalid) {
		t.Errorf("broken template: got %+v, %v; want %s", r, err, core.CodeInvalid)
	}
	if r, err := own(t, core.WebhookTemplate{Title: "t", Skip: "not\n now"}, `{}`); err != nil || r.Skip != "not now" ||
		r.Notification.Title != "" {
		t.Errorf("skipped event: got %+v, %v; want the reason alone", r, err)
	}
	for _, body := range []string{``, `[]`, `1`, `null`, `{`} {
		if _, err := own(t, core.WebhookTemplate{Title: "t"}, body); !core.IsCode(err, core.CodeMalformed) {
			t.Errorf("render the payload %q: got %v, want %s", body, err, core.CodeMalformed)
		}
	}
}

func TestFaultsOfTemplates(t *testing.T) {
	t.Parallel()
	for template, want := range map[string]string{
		"{{ payload.a":                     "line 1: a tag is not closed in its line",
		"a\nb {% if x %}":                  `line 2: unterminated "if" block in {% if x %}`,
		"{{ payload.a\n| upcase }}":        "line 1: a tag is not closed in its line",
		"\n\n{{ payload. }}":               `line 3: syntax error in "payload." in {{ payload. }}`,
		"{{ a | nofilter }}":               `line 1: there is no filter "nofilter"`,
		"{{ a | | upcase }}":               `line 1: there is no filter ""`,
		"{% if a | nofilter %}{% endif %}": `line 1: there is no filter "nofilter"`,
		"{% include 'x' %}":                `line 1: undefined tag "include" in {% include 'x' %}`,
		"{% tablerow x in y %}":            `line 1: undefined tag "tablerow" in {% tablerow x in y %}`,
		"{% endif %}":                      "line 1: endif ends nothing in {% endif %}",
		"{% raw %}":                        "endraw is missing",
		"{% capture %}{% endcapture %}":    "line 1: capture needs the name of a variable in {% capture %}",
		"{% for x y %}{% endfor %}":        `line 1: syntax error in "%loop x y" in {% for x y %}`,
		"{{ 99999999999999999999 }}":       "it cannot be read",
		"{{ %assign a = 1 }}":              "line 1: syntax error in {{ %assign a = 1 }}",
		"{{ a == b }}":                     "line 1: only if, elsif and unless compare, not {{ a == b }}",
		"{% assign x = a contains b %}": "line 1: only if, elsif and unless compare, not {% assign x = a " +
			"contains b %}",
		"{% if a == blank %}{% endif %}": `line 1: there is no blank; compare with nil or "", or the size with 0 in {% if a == blank %}`,
		"{% assign = 1 %}":               `line 1: syntax error in "%assign = 1" in {% assign = 1 %}`,
	} {
		faults := senders(t).Check(core.WebhookTemplate{Title: "t", Body: template})
		if len(faults) != 1 {
			t.Errorf("faults of %q: got %+v, want one", template, faults)
			continue
		}
		if f := faults[0]; f.Pointer != "#/template/body" || f.Code != "template" {
			t.Errorf("fault of %q: got %s at %s, want template at #/template/body", template, f.Code, f.Pointer)
		}
		if got := faults[0].Detail.EN; got != want {
			t.Errorf("fault of %q: got %q, want %q", template, got, want)
		}
	}
	if faults := senders(t).
		Check(core.WebhookTemplate{
			Title: "{{", Link: "{%", Skip: "{{ a | upcase }} | is no filter, '|' neither",
		}); len(faults) != 2 {
		t.Errorf("faults of two broken fields: got %+v, want 2", faults)
	}
}

// TestBombs checks that templates and payloads that expand enormously fail soon and without much memory.
func TestBombs(t *testing.T) { //nolint:paralleltest // measures memory
	senders(t) // parsed before memory is measured
	huge := `{"s":"` + strings.Repeat("a", 250<<10) + `","l":[` +
		strings.TrimSuffix(strings.Repeat("1,", 15_000), ",") + `]}`
	part := `[` + strings.TrimSuffix(strings.Repeat(`"aaaaaaaaaaaa",`, 6_000), ",") + `]`
	one := `{"l":[` + part + `],"m":[` + part + `]}`
	nines := `[` + strings.TrimSuffix(strings.Repeat("1,", 9_000), ",") + `]`
	twins := `{"l":` + nines + `,"k":` + nines + `}`
	many := func(n int, s string) string { return strings.Repeat(s, n) }
	for name, c := range map[string]struct{ template, payload string }{
		"a long range":      {"{% for i in (1..1000000000) %}{% endfor %}", `{}`},
		"a range backwards": {"{% for i in (1..1000000000) reversed %}{% endfor %}", `{}`},
		"nested loops":      {many(6, "{% for i in (1..100) %}") + many(6, "{% endfor %}"), `{}`},
		"loops with captures": {
			"{% for i in (1..100000) %}{% capture x %}" + many(1000, "x") + "{% endcapture %}{% endfor %}", `{}`,
		},
		"loops in conditions": {
			"{% for i in (1..100000) %}{% if payload.l == payload.l %}{% endif %}{% endfor %}", huge,
		},
		"lists compared": {
			"{% for i in (1..4000) %}{% if payload.l == payload.k %}{% endif %}{% endfor %}", twins,
		},
		"lists searched": {
			"{% for i in (1..4000) %}{% unless payload.l contains 'zz' %}{% endunless %}{% endfor %}", twins,
		},
		"texts searched": {
			"{% for i in (1..4000) %}{% if payload.s contains 'zz' %}{% endif %}{% endfor %}", huge,
		},
		"cases of lists": {
			"{% for i in (1..4000) %}{% case payload.l %}{% when payload.k %}{% endcase %}{% endfor %}", twins,
		},
		"lists compared, set": {"{% for i in (1..4000) %}{% assign x = payload.l == payload.k %}{% endfor %}", twins},
		"lists compared, put": {"{% for i in (1..4000) %}{{ payload.l == payload.k }}{% endfor %}", twins},
		"doubling":            {"{% assign s = 'x' %}" + many(60, "{% assign s = s | append: s %}") + "{{ s }}", `{}`},
		"doubling lists": {
			"{% assign l = payload.l %}" + many(60, "{% assign l = l | concat: l %}") + "{{ l | size }}", huge,
		},
		"doubling captures": {
			"{% capture s %}x{% endcapture %}" + many(60, "{% capture s %}{{ s }}{{ s }}{% endcapture %}"), `{}`,
		},
		"replace by itself":   {"{{ payload.s | replace: 'a', payload.s }}", huge},
		"join by itself":      {"{{ payload.l | join: payload.s }}", huge},
		"a wide date":         {"{{ 'now' | date: '%1000000000Y' }}", `{}`},
		"a wide date padded":  {"{{ 'now' | date: '%_^1000000000Y' }}", `{}`},
		"a range made a list": {"{{ (1..1000000000) | join }}", `{}`},
		"a range as argument": {"{{ payload.l | concat: (1..1000000000) }}", `{"l":[]}`},
		"much output":         {many(300, "{{ payload.s }}"), huge},
		"one thing as json": {
			"{% assign l = payload.l %}" + many(13, "{% assign l = l | concat: l %}") + "{{ l | json | size }}", one,
		},
		"one thing, unique": {
			"{% assign l = payload.l %}" + many(13, "{% assign l = l | concat: l %}") + "{{ l | uniq | size }}", one,
		},
		"one thing compared": {
			"{% assign l = payload.l %}{% assign m = payload.m %}" +
				many(13, "{% assign l = l | concat: l %}{% assign m = m | concat: m %}") + "{% if l == m %}{% endif %}",
			one,
		},
		"one thing written": {
			"{% assign l = payload.l %}" + many(13, "{% assign l = l | concat: l %}") + "{{ l }}", one,
		},
		"much json":       {many(300, "{{ payload | json | size }}"), huge},
		"sorting":         {many(300, "{{ payload.l | sort | size }}"), huge},
		"long conditions": {many(55, "{% if 1 == 2"+many(12, " or payload.l != payload.l")+" %}{% endif %}"), huge},
		"maps compared":   {"{% if payload.m == payload.m %}{% endif %}", `{"m":{}}`},
		"text in numbers": {"{{ 'x' | plus: 1 }}", `{}`},
		"by zero":         {"{{ 1 | divided_by: 0 }}", `{}`},
		"modulo zero":     {"{{ 1.5 | modulo: 0 }}", `{}`},
		"many values":     {"t", `{"l":[` + strings.TrimSuffix(strings.Repeat("1,", 25_000), ",") + `]}`},
		"deep json":       {"{{ payload.d }}", `{"d":` + many(20_000, "[") + many(20_000, "]") + `}`},
		"break outside":   {"{% break %}", `{}`},
		"the meter spoofed": {
			"{% assign forloop = 1 %}{% for i in (1..100000000) %}{% assign forloop = nil %}{% endfor %}", `{}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			begun := time.Now()
			r, err := own(t, core.WebhookTemplate{Title: "t", Body: c.template}, c.payload)
			took := time.Since(begun)
			runtime.ReadMemStats(&after)
			if !core.IsCode(err, core.CodeInvalid) && !core.IsCode(err, core.CodeMalformed) {
				t.Errorf("render: got %.100q and %v, want %s or %s", r.Notification.Body, err, core.CodeInvalid,
					core.CodeMalformed)
			}
			if made := (after.TotalAlloc - before.TotalAlloc) >> 20; took > 30*time.Second || made > 300 {
				t.Errorf("render: took %s and %d MiB, want at most 30s and 300 MiB", took, made)
			}
			if len(fmt.Sprint(err)) > 1000 {
				t.Errorf("length of the error: got %d, want at most 1000", len(fmt.Sprint(err)))
			}
		})
	}
}

// A payload is data: Liquid within it is not executed.
func TestPayloadsAreNotRun(t *testing.T) {
	t.Parallel()
	r, err := own(t, core.WebhookTemplate{
		Title: "{{ payload.a }}", Body: "{% assign x = payload.a %}{{ x | append: '!' }}",
	}, `{"a":"{{ headers.x-event }}{% raw %}"}`)
	if err != nil || r.Notification.Title != "{{ headers.x-event }}{% raw %}" ||
		!strings.HasPrefix(r.Notification.Body, "{{ headers.x-event }}") {
		t.Errorf("Liquid in a payload: got %+v, %v; want it as text", r, err)
	}
}

// structuredSenders are the senders whose payloads have a template.
var structuredSenders = []core.WebhookSender{
	core.SenderGitHub, core.SenderGitLab, core.SenderAlertmanager, core.SenderGrafana, core.SenderStripe,
	core.SenderSentry, core.SenderGitea, core.SenderUptimeKuma, core.SenderSonarr, core.SenderRadarr,
	core.SenderJenkins,
}

// An event without information is skipped.
func TestEmptyEvents(t *testing.T) {
	t.Parallel()
	for _, sender := range structuredSenders {
		if r, err := senders(t).Render(t.Context(), sender, nil, []byte(`{"sender":{"login":"x"}}`), nil); err != nil ||
			r.Skip == "" {
			t.Errorf("empty event of %s: got %+v, %v; want it skipped", sender, r, err)
		}
	}
}

// The shipped templates accept any payload that is posted as one of their kinds.
func TestShippedTemplatesTakeAnything(t *testing.T) {
	t.Parallel()
	all := events(t)
	for _, sender := range structuredSenders {
		for name, e := range all {
			if _, err := senders(t).Render(t.Context(), sender, nil, e.Payload, e.Headers); err != nil &&
				!core.IsCode(err, core.CodeInvalid) {
				t.Errorf("render %s as %s: got %v, want success or %s", name, sender, err, core.CodeInvalid)
			}
		}
		for _, odd := range []string{
			`{}`, `{"alerts":1,"repository":"x","action":{},"object_kind":[1],"data":7,"type":null}`,
			`{"alerts":[1,null,"x"],"commits":{},"object_kind":"push","type":"charge.refunded"}`,
		} {
			if _, err := senders(t).
				Render(t.Context(), sender, nil, []byte(odd),
					map[string]string{"x-github-event": "push"}); err != nil && !core.IsCode(err, core.CodeInvalid) {
				t.Errorf("render %s as %s: got %v, want success or %s", odd, sender, err, core.CodeInvalid)
			}
		}
	}
}

// An owner's template is parsed once, even if several goroutines render it at the same time.
func TestOwnTemplatesAreParsedOnce(t *testing.T) {
	tpl := core.WebhookTemplate{
		Title: "{{ payload.n }}{% if payload.n > 5 %} many{% endif %}",
		Body:  strings.Repeat("{% if payload.n == 0 %}{% endif %}", 500),
	}
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			want := map[bool]string{true: fmt.Sprint(i, " many"), false: fmt.Sprint(i)}[i > 5]
			if r, err := own(t, tpl, fmt.Sprintf(`{"n":%d}`, i)); err != nil || r.Notification.Title != want {
				t.Errorf("title: got %q, want %q (%v)", r.Notification.Title, want, err)
			}
		})
	}
	all.Wait()
	if made := testing.AllocsPerRun(5, func() { _, _ = own(t, tpl, `{"n":1}`) }); made > 10_000 {
		t.Errorf("allocations of rendering a template again: got %v, want at most 10000", made)
	}
}

// TestFaultsNameNothingOfThisProgram renders values that filters cannot use. The texts are shown to the webhook's
// owner.
func TestFaultsNameNothingOfThisProgram(t *testing.T) {
	t.Parallel()
	const payload = `{"n":1,"s":"x","list":["b",1],"m":{"y":2}}`
	for template, want := range map[string]string{
		"{{ payload.m | times: 2 }}":              "line 1: the value is not a number in ",
		"{{ payload.s | truncate: payload.m }}":   "line 1: the value is not a whole number in ",
		"{{ payload.n | sort }}":                  "line 1: the value is not a list in ",
		"{{ payload.m | date: '%Y' }}":            "line 1: the value is not a time in ",
		"{{ payload.s | plus: 'x to type int' }}": "line 1: the value is not a number in ",
		"{{ payload.n | divided_by: payload.m }}": `line 1: error applying filter "divided_by" ` +
			`("the divisor is not a number") in `,
	} {
		checkFault(t, template, payload, want+template)
	}
	checkFault(t, "{{ payload.list | sort_natural }}", payload, "it cannot be worked out with these values")
}

// checkFault checks the only fault of a template that cannot be rendered.
func checkFault(t *testing.T, template, payload, want string) {
	t.Helper()
	_, err := own(t, core.WebhookTemplate{Title: template}, payload)
	var fault *core.Error
	if !errors.As(err, &fault) || len(fault.Fields) != 1 {
		t.Fatalf("render %q: got error %v, want one fault", template, err)
	}
	if got := fault.Fields[0].Detail.EN; got != "cannot be rendered: "+want {
		t.Errorf("fault of %q: got %q, want %q", template, got, "cannot be rendered: "+want)
	}
}
