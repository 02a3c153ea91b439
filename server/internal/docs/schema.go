package docs

import (
	"fmt"
	"html/template"
	"maps"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// schema is a schema of the contract, prepared for display.
type schema struct {
	Type        string // for example "list of Channel"
	Description template.HTML
	Rules       []string // for example "1 to 200 characters"
	Values      []string // of an enumeration
	Members     []member
}

// member is a property of an object.
type member struct {
	Name     string
	Required bool
	*schema
}

// newSchema converts a schema with everything in it; no schema of the contract contains itself.
func newSchema(ref *openapi3.SchemaRef) *schema {
	s := ref.Value
	shown := &schema{Type: typeOf(ref), Description: describe(s.Description), Rules: rulesOf(s)}
	inner := s
	if s.Type.Is("array") {
		inner = s.Items.Value
		if s.Description == "" {
			shown.Description = describe(inner.Description)
		}
	}
	for _, value := range valuesOf(inner) {
		shown.Values = append(shown.Values, fmt.Sprint(value))
	}
	for _, all := range inner.AllOf {
		shown.Members = append(shown.Members, newSchema(all).Members...)
	}
	for _, name := range slices.SortedFunc(maps.Keys(inner.Properties), byRank(inner.Required)) {
		shown.Members = append(shown.Members,
			member{name, slices.Contains(inner.Required, name), newSchema(inner.Properties[name])})
	}
	return shown
}

// valuesOf returns the values of an enumeration, including one to which later versions may add values.
func valuesOf(s *openapi3.Schema) []any {
	known, _ := s.Extensions["x-extensible-enum"].([]any)
	return append(known, s.Enum...)
}

// byRank sorts required members first, in the contract's order, and the others by name.
func byRank(required []string) func(a, b string) int {
	rank := func(name string) int {
		if i := slices.Index(required, name); i >= 0 {
			return i
		}
		return len(required)
	}
	return func(a, b string) int {
		if d := rank(a) - rank(b); d != 0 {
			return d
		}
		return strings.Compare(a, b)
	}
}

func typeOf(ref *openapi3.SchemaRef) string {
	s := ref.Value
	switch {
	case s.Type.Is("array"):
		return "list of " + typeOf(s.Items)
	case s.Type.Is("object") && ref.Ref != "":
		return ref.Ref[strings.LastIndexByte(ref.Ref, '/')+1:]
	case s.Type.Is("object") && s.AdditionalProperties.Schema != nil:
		return "map of " + typeOf(s.AdditionalProperties.Schema)
	case s.Format == "uuid":
		return "id"
	case s.Format == "date-time":
		return "time"
	case s.Format == "uri":
		return "address"
	case s.Format == "email":
		return "e-mail address"
	}
	return strings.Join(s.Type.Slice(), " or ")
}

// rulesOf describes the limits that a client must know.
func rulesOf(s *openapi3.Schema) []string {
	var rules []string
	add := func(format string, values ...any) { rules = append(rules, fmt.Sprintf(format, values...)) }
	fixed := s.Format == "uuid" || s.Format == "date-time" || len(valuesOf(s)) > 0
	switch {
	case fixed || !s.Type.Is("string"):
	case s.MaxLength != nil && s.MinLength > 0:
		add("%d to %d characters", s.MinLength, *s.MaxLength)
	case s.MaxLength != nil:
		add("at most %d characters", *s.MaxLength)
	}
	if s.Pattern != "" {
		add("matches %s", s.Pattern)
	}
	if s.Min != nil && s.Max != nil && *s.Max < 1e9 {
		add("%.0f to %.0f", *s.Min, *s.Max)
	}
	if s.MaxItems != nil {
		add("at most %d", *s.MaxItems)
	}
	if s.MaxProps != nil {
		add("at most %d", *s.MaxProps)
	}
	if s.Default != nil {
		add("default %v", s.Default)
	}
	if s.Nullable {
		add("null removes it")
	}
	return rules
}

// exampleOf returns a value that the schema allows: its own example, or one composed of those of its members.
func exampleOf(s *openapi3.Schema) any {
	switch {
	case s.Example != nil:
		return s.Example
	case len(s.AllOf) > 0:
		return exampleOf(s.AllOf[0].Value)
	case len(valuesOf(s)) > 0:
		return valuesOf(s)[0]
	case s.Type.Is("object"):
		object := map[string]any{}
		for name, property := range s.Properties {
			if shownByExample(s, name, property.Value) {
				object[name] = exampleOf(property.Value)
			}
		}
		return object
	case s.Type.Is("array"):
		return []any{exampleOf(s.Items.Value)}
	case s.Type.Is("boolean"):
		return true
	case s.Type.Is("integer"), s.Type.Is("number"):
		return 1
	case s.Format == "uri":
		return "https://example.com/"
	}
	return "…"
}

// shownByExample excludes optional members without an example.
func shownByExample(s *openapi3.Schema, name string, property *openapi3.Schema) bool {
	return slices.Contains(s.Required, name) || property.Example != nil
}
