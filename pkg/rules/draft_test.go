package rules_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/sininho/sininho/pkg/rules"
)

func TestFields(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"{{rua}} {{ rua }} {{das}}":               {"rua", "das"},
		"{{ hora de início }}":                    {"hora de início"},
		"{{}} {{ }} {rua} {{a}b}} {{a\nb}}":       nil,
		"{{{rua}}}":                               {"rua"},
		"{{" + strings.Repeat("a", 60) + "}}":     {strings.Repeat("a", 60)},
		"{{" + strings.Repeat("a", 61) + "}}":     nil,
		"{{a}}" + strings.Repeat(" {{b}} ", 1000): {"a", "b"},
	} {
		if got := (rules.Notification{Body: text}).Fields(); !slices.Equal(got, want) {
			t.Errorf("fields of %.80q: got %q, want %q", text, got, want)
		}
	}
}

func TestFilled(t *testing.T) {
	t.Parallel()
	n := rules.Notification{Title: "{{a}}", Link: "https://x/{{ a }}", Body: "{{b}}"}
	got := n.Filled(map[string]string{"a": "{{b}}"})
	if got.Title != "{{b}}" || got.Link != "https://x/{{b}}" || got.Body != "{{b}}" {
		t.Errorf("filled: got %+v, want values as they are, and a field without one left", got)
	}
}
