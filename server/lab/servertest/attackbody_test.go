package servertest_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
)

// defaultBody is the limit of bodies in bytes where the contract sets no other.
const defaultBody = 16 << 10

// maxBody returns how many bytes the body of an operation may have.
func (o described) maxBody() int {
	if given, ok := o.RequestBody.Value.Extensions["x-max-bytes"].(float64); ok {
		return int(given)
	}
	return defaultBody
}

// TestBadBodies sends to every operation with a body what is no JSON, too much of it, or values that no type has.
func TestBadBodies(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for id, op := range documented(t) {
		if op.body() == nil {
			continue
		}
		r := table[id].make(f)
		if id == "confirmEventEndpoint" {
			r.path = f.newEndpoint() + "/confirm" // not confirmed yet
		}
		send := func(what string, body []byte, want ...int) {
			t.Helper()
			status, _, got := f.sendBody(op.method, table[id].caller(), r.path, "application/json", body)
			if !slices.Contains(want, status) {
				t.Errorf("%s with %s: got %d, want %v: %s", id, what, status, want, got)
			}
		}
		for what, body := range map[string]string{
			"an open nesting of 10,000": strings.Repeat("[", 10_000), "broken UTF-8": "{\"title\": \"\xff\"}",
			"UTF-16": "\xff\xfe{\x00}\x00", "two values": "{} {}", "a control character": "{\"title\": \"\x00\"}",
			"a number without an end": `{"title": 1e}`, "NaN": `{"title": NaN}`, "a comment": "{} // {}",
			"half an object": `{"title": "T"`,
		} {
			if id == "receiveWebhook" { // it reads texts, too, in any encoding
				send(what, []byte(body), 202, 400, 422)
				continue
			}
			send(what, []byte(body), 400)
		}
		limit, nested := op.maxBody(), []byte(`{"title":`+strings.Repeat("[", 10_000)+strings.Repeat("]", 10_000)+"}")
		if len(nested) <= limit {
			send("a nesting of 10,000", nested, 400)
		}
		send("a byte more than its limit", bytes.Repeat([]byte(" "), limit+1), 413)
		for what, body := range badFields(op.body(), r.body) {
			send(what, body, 400, 422)
		}
	}
}

// badFields returns bodies in each of which one field of a valid body has a bad value.
func badFields(schema *openapi3.Schema, valid any) map[string][]byte {
	whole, _ := valid.(object)
	all := map[string][]byte{}
	for name, property := range schema.Properties {
		for what, value := range badValues(property.Value) {
			body := maps.Clone(whole)
			if body == nil {
				body = object{}
			}
			body[name] = json.RawMessage(value)
			encoded, err := json.Marshal(body)
			if err != nil {
				panic(err) // the values are JSON
			}
			all[fmt.Sprintf("%s as %s", what, name)] = encoded
		}
	}
	return all
}

// badValues returns values that a property cannot have. Those without a type take anything.
func badValues(schema *openapi3.Schema) map[string]string {
	switch {
	case schema.Type.Is(openapi3.TypeString):
		return map[string]string{"NUL": `"a\u0000b"`, "a number": "1", "a list": `["a"]`, "true": "true"}
	case schema.Type.Is(openapi3.TypeInteger):
		return map[string]string{"a fraction": "1.5", "a huge number": "99999999999999999999", "infinity": "1e999",
			"a negative number": "-1", "a text": `"1"`, "a list": "[1]"}
	case schema.Type.Is(openapi3.TypeBoolean):
		return map[string]string{"a number": "1", "a text": `"true"`, "a list": "[true]"}
	case schema.Type.Is(openapi3.TypeArray):
		return map[string]string{"a text": `"a"`, "an object": `{"0": "a"}`, "lists": "[[[[]]]]"}
	default:
		return nil
	}
}
