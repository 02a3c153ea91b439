package httpapi

import (
	"bytes"
	"strings"
	"testing"

	"github.com/sininho/sininho/openapi"
)

// TestOperationWithoutTokenScope reads contracts in which an operation that access tokens may call states no scope, or
// one that does not exist.
func TestOperationWithoutTokenScope(t *testing.T) {
	for _, wrong := range []string{"", "      x-token-scope: everything\n", "      x-token-scope: channels\n"} {
		document := bytes.Replace(openapi.Sininho, []byte("      x-token-scope: manage\n"), []byte(wrong), 1)
		func() {
			defer func() {
				if problem, _ := recover().(string); !strings.Contains(problem, "x-token-scope") {
					t.Errorf("contract with %q for a scope: got panic %q, want one about x-token-scope", wrong, problem)
				}
			}()
			readContract(document)
		}()
	}
}
