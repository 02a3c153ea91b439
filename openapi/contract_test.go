package openapi_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/sininho/sininho/openapi"
)

// TestExamplesFitTheirSchemas validates every example of the contract against its schema.
func TestExamplesFitTheirSchemas(t *testing.T) {
	t.Parallel()
	for _, contract := range [][]byte{openapi.Sininho, openapi.Waitlist} {
		if err := validate(t, contract); err != nil {
			t.Errorf("validate the contract: %v", err)
		}
	}

	// Shows that validation finds a wrong example.
	for right, wrong := range map[string]string{
		"example: Linha azul reaberta":            "example: ''",
		"maximum: 9007199254740991, example: 12}": "maximum: 9007199254740991, example: twelve}",
		"example: '2026-03-01T12:00:00Z'":         "example: in March",
	} {
		if err := validate(t, replaced(t, right, wrong)); err == nil {
			t.Errorf("validate with %q: got no error, want one", wrong)
		}
	}
}

func validate(t *testing.T, document []byte) error {
	t.Helper()
	contract, err := openapi3.NewLoader().LoadFromData(document)
	if err != nil {
		t.Fatalf("load the contract: %v", err)
	}
	return contract.Validate(t.Context(), openapi3.EnableExamplesValidation(), openapi3.EnableSchemaFormatValidation())
}

// TestBreakingChanges runs the compatibility check of CI on the contract against its baseline,
// and on breaking and compatible changes.
func TestBreakingChanges(t *testing.T) {
	t.Parallel()
	for name, contract := range map[string][]byte{"sininho.yaml": openapi.Sininho, "waitlist.yaml": openapi.Waitlist} {
		if out, broken := breaking(t, name, contract); broken {
			t.Errorf("breaking changes of %s: got some, want none:\n%s", name, out)
		}
	}
	const title = "title: {type: string, minLength: 1, maxLength: 200, example: Linha azul reaberta}"
	for _, change := range []struct {
		name, before, after string
		breaks              bool
	}{
		{"an operation is removed", "  /categories:\n", "  /kinds:\n", true},
		{"a response loses a member", "displayed: {type: integer", "shown: {type: integer", true},
		{"a bound becomes tighter", title, strings.Replace(title, "200", "199", 1), true},
		{"an input becomes required", "      required: [title]\n", "      required: [title, body]\n", true},
		{"a value is no longer accepted", "enum: [normal, important]", "enum: [normal]", true},
		{"a bound becomes wider", title, strings.Replace(title, "200", "250", 1), false},
		{"a member is added", title, title + "\n        colour: {type: string, maxLength: 20}", false},
		{
			"a value is added to a response", "x-extensible-enum: [hour, day]}",
			"x-extensible-enum: [hour, day, week]}", false,
		},
	} {
		t.Run(change.name, func(t *testing.T) {
			t.Parallel()
			if out, broken := breaking(t, "sininho.yaml",
				replaced(t, change.before, change.after)); broken != change.breaks {
				t.Errorf("breaking: got %t, want %t:\n%s", broken, change.breaks, out)
			}
		})
	}
}

func breaking(t *testing.T, name string, contract []byte) (out string, broken bool) {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, contract, 0o600); err != nil {
		t.Fatalf("write the contract: %v", err)
	}
	check := exec.CommandContext(t.Context(), "../.ci/breaking", path)
	written, err := check.CombinedOutput()
	if code := check.ProcessState.ExitCode(); code > 1 || (err == nil) != (code == 0) {
		t.Fatalf("run .ci/breaking: %v\n%s", err, written)
	}
	return string(written), err != nil
}

// replaced returns the contract with every occurrence of a text replaced.
func replaced(t *testing.T, before, after string) []byte {
	t.Helper()
	if !bytes.Contains(openapi.Sininho, []byte(before)) {
		t.Fatalf("contract: got no %q, want it for the test to replace", before)
	}
	return bytes.ReplaceAll(openapi.Sininho, []byte(before), []byte(after))
}

// TestEnumsOfResponsesMayGrow checks that no response has a closed enum, for which generated clients
// raise an error once a value is added, and that requests have only closed ones with the same values.
func TestEnumsOfResponsesMayGrow(t *testing.T) {
	t.Parallel()
	for _, contract := range [][]byte{openapi.Sininho, openapi.Waitlist} {
		doc, err := openapi3.NewLoader().LoadFromData(contract)
		if err != nil {
			t.Fatalf("load the contract: %v", err)
		}
		for _, item := range doc.Paths.Map() {
			for _, op := range item.Operations() {
				for status, response := range op.Responses.Map() {
					for _, media := range response.Value.Content {
						eachSchema(media.Schema, func(s *openapi3.Schema) {
							if len(s.Enum) > 0 {
								t.Errorf("response %s of %s: got the closed enum %v, want x-extensible-enum", status,
									op.OperationID, s.Enum)
							}
						})
					}
				}
				if op.RequestBody == nil || op.RequestBody.Value.Content["application/json"] == nil {
					continue
				}
				eachSchema(op.RequestBody.Value.Content["application/json"].Schema, func(s *openapi3.Schema) {
					if open := s.Extensions["x-extensible-enum"]; open != nil {
						t.Errorf("request of %s: got the open enum %v, want enum", op.OperationID, open)
					}
				})
			}
		}
		for name, schema := range doc.Components.Schemas {
			input := doc.Components.Schemas[name+"Input"]
			open := schema.Value.Extensions["x-extensible-enum"]
			if open != nil && input != nil && !reflect.DeepEqual(open, input.Value.Enum) {
				t.Errorf("values of %sInput: got %v, want those of %s, %v", name, input.Value.Enum, name, open)
			}
		}
	}
}

// eachSchema visits a schema and all schemas within it. It does not support recursive schemas; the contract has none.
func eachSchema(ref *openapi3.SchemaRef, visit func(*openapi3.Schema)) {
	if ref == nil {
		return
	}
	visit(ref.Value)
	eachSchema(ref.Value.Items, visit)
	eachSchema(ref.Value.AdditionalProperties.Schema, visit)
	for _, all := range ref.Value.AllOf {
		eachSchema(all, visit)
	}
	for _, property := range ref.Value.Properties {
		eachSchema(property, visit)
	}
}
