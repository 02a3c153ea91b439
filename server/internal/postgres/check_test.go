package postgres_test

import (
	"bytes"
	"context"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/sininho/sininho/server/internal/core"
)

// equal reports a value that is not as wanted.
func equal[T any](t *testing.T, what string, got, want T) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s: got %+v, want %+v", what, got, want)
	}
}

// wantCode reports an error that does not have the code; the empty code wants no error.
func wantCode(t *testing.T, what string, err error, want core.Code) {
	t.Helper()
	switch {
	case want == "" && err != nil:
		t.Errorf("%s: got error %v, want none", what, err)
	case want != "" && !core.IsCode(err, want):
		t.Errorf("%s: got error %v, want code %q", what, err, want)
	}
}

// tester is a test, or one run of a property.
type tester interface {
	rapid.TB
	Context() context.Context
}

// succeed ends a test in which a step failed.
func succeed(t tester, what string, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
}

// sorted returns ids in order.
func sorted(list []core.ID) []core.ID {
	return slices.SortedFunc(slices.Values(list), func(a, b core.ID) int { return bytes.Compare(a[:], b[:]) })
}

// ids returns the ids of items.
func ids[T any](items []T, id func(T) core.ID) []core.ID {
	out := []core.ID{}
	for _, item := range items {
		out = append(out, id(item))
	}
	return out
}

// second returns the error of a call whose result does not matter.
func second[T any](_ T, err error) error { return err }
