// Package check compares values in tests. Its messages name what was compared.
package check

import (
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Equal fails the test if got is not want, with a diff unless both fit on a line.
func Equal[T any](t testing.TB, what string, got, want T, options ...cmp.Option) {
	t.Helper()
	diff := cmp.Diff(want, got, options...)
	switch {
	case diff == "":
	case isScalar(reflect.TypeFor[T]().Kind()):
		t.Errorf("%s: got %#v, want %#v", what, got, want)
	default:
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

func isScalar(k reflect.Kind) bool { return k == reflect.String || k <= reflect.Float64 }
