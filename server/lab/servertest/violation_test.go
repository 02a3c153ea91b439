package servertest_test

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// violation is a value that breaks one constraint of a schema, and what the server must report about it.
type violation struct {
	what    string // the constraint
	pointer string // of the fault
	code    string // of the fault; empty if several are right
	value   any    // the whole value with the fault in it
}

// violations returns a violation of every constraint of a schema, made from a valid value of it.
func violations(schema *openapi3.Schema, valid any) []violation {
	v := violator{}
	v.visit(schema, "#", valid, func(changed any) any { return changed })
	return v.all
}

type violator struct{ all []violation }

// visit adds the violations of the value at pointer; put returns the whole value with another one in its place.
func (v *violator) visit(schema *openapi3.Schema, pointer string, valid any, put func(any) any) {
	if len(schema.AllOf) == 1 { // how OpenAPI 3.0 makes a referenced schema nullable
		referred := *schema.AllOf[0].Value
		referred.Nullable = schema.Nullable
		schema = &referred
	}
	add := func(what, at, code string, value any) {
		v.all = append(v.all, violation{what + " at " + at, at, code, put(value)})
	}
	code := "type"
	if len(schema.Enum) > 0 {
		code = "enum" // which says more
	}
	for _, wrong := range wrongTypes(schema) {
		add(fmt.Sprintf("%T", wrong), pointer, code, wrong)
	}
	switch {
	case schema.Type.Is(openapi3.TypeObject):
		object, _ := valid.(map[string]any)
		v.visitObject(schema, pointer, object, put, add)
	case schema.Type.Is(openapi3.TypeArray):
		list, _ := valid.([]any)
		v.visitArray(schema, pointer, list, put, add)
	case schema.Type.Is(openapi3.TypeString):
		wrong := wrongTexts(schema)
		for _, code := range slices.Sorted(maps.Keys(wrong)) {
			add(code, pointer, code, wrong[code])
		}
		add("text", pointer, "", "a\x00b")
	case schema.Type.Is(openapi3.TypeInteger):
		add("fraction", pointer, "type", 1.5)
		if schema.Min != nil {
			add("minimum", pointer, "minimum", *schema.Min-1)
		}
		if schema.Max != nil {
			add("maximum", pointer, "maximum", *schema.Max+1)
		}
	}
}

func (v *violator) visitObject(
	schema *openapi3.Schema, pointer string, valid map[string]any, put func(any) any,
	add func(what, at, code string, value any),
) {
	if valid == nil { // an optional object that is not there
		valid = map[string]any{}
	}
	with := func(name string, value any) map[string]any {
		changed := maps.Clone(valid)
		changed[name] = value
		return changed
	}
	if of := schema.AdditionalProperties; of.Has != nil && !*of.Has {
		add("unknown field", pointer+"/nãoÉ~1~", "", with("nãoÉ~1~", 1))
		v.all[len(v.all)-1].pointer = pointer + "/nãoÉ~01~0"
	} else if of.Schema != nil {
		v.visit(of.Schema.Value, pointer+"/k", "v", func(changed any) any { return put(with("k", changed)) })
	}
	if schema.MaxProps != nil && len(schema.Properties) == 0 {
		many := map[string]any{}
		for i := range *schema.MaxProps + 1 {
			many[fmt.Sprint("k", i)] = "v"
		}
		add("maxProperties", pointer, "too_many", many)
	}
	if schema.MinProps > 0 {
		add("minProperties", pointer, "too_few", map[string]any{})
	}
	for _, name := range slices.Sorted(maps.Keys(schema.Properties)) {
		if slices.Contains(schema.Required, name) {
			without := maps.Clone(valid)
			delete(without, name)
			add("required", pointer+"/"+name, "required", without)
		}
		at := func(changed any) any { return put(with(name, changed)) }
		v.visit(schema.Properties[name].Value, pointer+"/"+name, valid[name], at)
	}
}

func (v *violator) visitArray(
	schema *openapi3.Schema, pointer string, valid []any, put func(any) any,
	add func(what, at, code string, value any),
) {
	item := any("x")
	if len(valid) > 0 {
		item = valid[0]
	}
	if schema.MinItems > 0 {
		add("minItems", pointer, "too_few", []any{})
	}
	if schema.MaxItems != nil {
		add("maxItems", pointer, "too_many", slices.Repeat([]any{item}, int(*schema.MaxItems)+1))
	}
	if schema.UniqueItems {
		add("uniqueItems", pointer, "duplicate", []any{item, item})
	}
	v.visit(schema.Items.Value, pointer+"/0", item, func(changed any) any {
		return put(append([]any{changed}, valid[min(1, len(valid)):]...))
	})
}

// wrongTypes returns values of other types, and null unless it is allowed.
func wrongTypes(schema *openapi3.Schema) (wrong []any) {
	for _, value := range []any{"x", 7, true, []any{}, map[string]any{}, nil} {
		if !ofType(schema, value) {
			wrong = append(wrong, value)
		}
	}
	return wrong
}

// ofType reports whether a value has the type of a schema, whatever else is wrong with it.
func ofType(schema *openapi3.Schema, value any) bool {
	switch value.(type) {
	case string:
		return schema.Type.Is(openapi3.TypeString)
	case int:
		return schema.Type.Is(openapi3.TypeInteger)
	case bool:
		return schema.Type.Is(openapi3.TypeBoolean)
	case []any:
		return schema.Type.Is(openapi3.TypeArray)
	case map[string]any:
		return schema.Type.Is(openapi3.TypeObject)
	default:
		return schema.Nullable
	}
}

// wrongTexts returns a text that breaks each constraint of a schema, by the code of the fault.
func wrongTexts(schema *openapi3.Schema) map[string]string {
	wrong := map[string]string{}
	if !schema.Type.Is(openapi3.TypeString) {
		return wrong
	}
	if len(schema.Enum) > 0 {
		wrong["enum"] = "nonsense"
	}
	if schema.MinLength > 0 {
		wrong["too_short"] = strings.Repeat("a", int(schema.MinLength)-1)
	}
	if schema.MaxLength != nil {
		wrong["too_long"] = strings.Repeat("é", int(*schema.MaxLength)+1)
	}
	if schema.Pattern != "" {
		wrong["pattern"] = mismatch(schema)
	}
	if schema.Format != "" {
		wrong["format"] = "no " + schema.Format
	}
	return wrong
}

// mismatch returns a text that does not match the pattern of a schema.
func mismatch(schema *openapi3.Schema) string {
	pattern := regexp.MustCompile(schema.Pattern)
	for _, text := range []string{"!", " ", "é", "A b", "-"} {
		text = strings.Repeat(text, max(1, int(schema.MinLength)/len(text)))
		if !pattern.MatchString(text) {
			return text
		}
	}
	panic("no text is known that does not match " + schema.Pattern)
}
