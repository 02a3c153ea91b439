package ntfy

import (
	"errors"
	"strconv"
	"testing"

	"github.com/sininho/sininho/server/lab/check"
)

// codeOf returns the number of a refusal.
func codeOf(err error) string {
	if e, ok := errors.AsType[*refusal](err); ok {
		return strconv.Itoa(e.Code)
	}
	return "no refusal"
}

// TestParseActions expects the short form and JSON to say the same.
func TestParseActions(t *testing.T) {
	t.Parallel()
	for s, want := range map[string][]action{
		"view, Open, https://a.example":                                     {{"view", "Open", "https://a.example"}},
		"action=view, label=Open, url=https://a.example/?a=b":               {{"view", "Open", "https://a.example/?a=b"}},
		`view, "Look, a \"quote\"; yes", https://a.example, clear=true`:     {{"view", `Look, a "quote"; yes`, "https://a.example"}},
		"view, It's here, https://a.example":                                {{"view", "It's here", "https://a.example"}},
		"VIEW, a, https://a.example; view, b, https://b.example;":           {{"view", "a", "https://a.example"}, {"view", "b", "https://b.example"}},
		`[{"action": "view", "label": "Open", "url": "https://a.example"}]`: {{"view", "Open", "https://a.example"}},
		"": nil,
	} {
		got, err := parseActions(s)
		if err != nil {
			t.Errorf("parse %s: %v", s, err)
		}
		check.Equal(t, "actions of "+s, got, want)
	}
	for _, s := range []string{"view", "view, a", "http, a, https://a.example", "view, a, b, c", `view, "a, b`, "[", "[1]",
		"view, a, b, cleared=1", "view, a, b;view, a, b;view, a, b;view, a, b", `view, "a" b, c`} {
		_, err := parseActions(s)
		check.Equal(t, "code of "+s, codeOf(err), "40018")
	}
}

// FuzzParseActions expects no panic, and buttons that have all they need.
func FuzzParseActions(f *testing.F) {
	f.Add(`view, "Look, \"a\"; b", url='https://a.example', clear=true; action=view, label=b, url=c`)
	f.Fuzz(func(t *testing.T, s string) {
		actions, err := parseActions(s)
		for _, a := range actions {
			if err == nil && (a.Action != "view" || a.Label == "" || a.URL == "") {
				t.Errorf("actions of %q: got %+v", s, a)
			}
		}
	})
}
