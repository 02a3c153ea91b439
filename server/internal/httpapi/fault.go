package httpapi

import (
	"fmt"
	"unicode/utf8"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/sininho/sininho/pkg/rules"
	"github.com/sininho/sininho/server/internal/core"
)

// faults collects the faults of a request.
type faults struct {
	list []core.FieldError
	seen map[string]bool // codes and pointers already reported, so that nothing is reported twice
}

// first reports whether key has not been passed before.
func (f *faults) first(key string) bool {
	if f.seen[key] {
		return false
	}
	if f.seen == nil {
		f.seen = map[string]bool{}
	}
	f.seen[key] = true
	return true
}

func (f *faults) full() bool { return len(f.list) >= maxFaults }

// add records a fault, once per pointer and code.
func (f *faults) add(pointer, code string, detail core.Text) {
	if f.full() || !f.first(code+" "+pointer) {
		return
	}
	f.list = append(f.list, core.FieldError{Pointer: pointer, Code: code, Detail: detail})
}

// schema records the schema violations in err for the value at pointer.
func (f *faults) schema(pointer string, err error) {
	switch e := err.(type) { //nolint:errorlint // the validator returns exactly these types
	case nil:
	case openapi3.MultiError:
		for _, each := range e {
			f.schema(pointer, each)
			if f.full() {
				return
			}
		}
	case *openapi3.SchemaError:
		at := pointer
		for _, name := range e.JSONPointer() {
			at += "/" + core.EscapePointer(name)
		}
		if object, ok := e.Value.(map[string]any); ok && e.SchemaField == "properties" {
			f.unknownFields(at, object, e.Schema)
			return
		}
		code, detail := describe(e)
		f.add(at, code, detail)
	default:
		f.add(pointer, "invalid", core.Text{EN: "is not valid", PT: "não é válido"})
	}
}

// unknownFields reports every unknown field of an object. The validator returns one error per field without
// naming it.
func (f *faults) unknownFields(at string, object map[string]any, schema *openapi3.Schema) {
	if !f.first("unknown fields of " + at) {
		return
	}
	for name := range object {
		if schema.Properties[name] == nil {
			f.add(at+"/"+core.EscapePointer(name), "unknown_field",
				core.Text{EN: "is not a field of this object", PT: "não é um campo deste objeto"})
		}
	}
}

var (
	textRequired  = core.Text{EN: "is missing", PT: "falta"}
	textDuplicate = core.Text{EN: "is given more than once", PT: "é dado mais de uma vez"}
)

// describe returns the code and the text of a schema violation.
func describe(e *openapi3.SchemaError) (code string, detail core.Text) {
	s := e.Schema
	switch e.SchemaField {
	case "required":
		return "required", textRequired
	case "type":
		return "type", textType(s)
	case "nullable":
		return "type", core.Text{EN: "must not be null", PT: "não pode ser null"}
	case "enum":
		return "enum", rules.NoneOf(enumerated(s.Enum))
	case "minLength":
		return "too_short", text("has fewer than %d characters", "tem menos de %d caracteres", s.MinLength)
	case "maxLength":
		given, _ := e.Value.(string)
		return "too_long", rules.TooLong(utf8.RuneCountInString(given), int(*s.MaxLength)) //nolint:gosec // it fits
	case "pattern":
		return "pattern", text("does not match %s", "não corresponde a %s", s.Pattern)
	case "format":
		return "format", text("is not of the form %s", "não tem a forma %s", s.Format)
	default:
		return describeCount(e.SchemaField, s)
	}
}

// describeCount is describe for ranges of numbers and sizes.
func describeCount(field string, s *openapi3.Schema) (code string, detail core.Text) {
	switch field {
	case "minimum":
		return "minimum", text("is less than %v", "é menor do que %v", *s.Min)
	case "maximum":
		return "maximum", text("is greater than %v", "é maior do que %v", *s.Max)
	case "maxItems":
		return "too_many", rules.TooMany(int(*s.MaxItems)) //nolint:gosec // it fits
	case "minItems":
		return "too_few", text("has fewer than %d items", "tem menos de %d elementos", s.MinItems)
	case "maxProperties":
		return "too_many", rules.TooMany(int(*s.MaxProps)) //nolint:gosec // it fits
	case "minProperties":
		return "too_few", text("has fewer than %d fields", "tem menos de %d campos", s.MinProps)
	case "uniqueItems":
		return "duplicate", core.Text{EN: "has an item twice", PT: "contém algo repetido"}
	default:
		return "invalid", core.Text{EN: "is not valid", PT: "não é válido"}
	}
}

func text(en, pt string, value any) core.Text {
	return core.Text{EN: fmt.Sprintf(en, value), PT: fmt.Sprintf(pt, value)}
}

// types names the JSON types in words.
var types = map[string]core.Text{
	openapi3.TypeString:  {EN: "a text", PT: "um texto"},
	openapi3.TypeInteger: {EN: "a whole number", PT: "um número inteiro"},
	openapi3.TypeNumber:  {EN: "a number", PT: "um número"},
	openapi3.TypeBoolean: {EN: "true or false", PT: "true ou false"},
	openapi3.TypeArray:   {EN: "a list", PT: "uma lista"},
	openapi3.TypeObject:  {EN: "an object", PT: "um objeto"},
}

func textType(s *openapi3.Schema) core.Text {
	var want core.Text
	if names := s.Type.Slice(); len(names) > 0 {
		want = types[names[0]]
	}
	return core.Text{EN: "is not " + want.EN, PT: "não é " + want.PT}
}

func enumerated(values []any) []string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = fmt.Sprint(v)
	}
	return out
}
