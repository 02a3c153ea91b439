//go:build go1.26

package sininho_test

import (
	"strings"
	"testing"
)

// equal fails the test if got is not want. It does without go-cmp, because every requirement of this module becomes
// one of the SDK's users.
func equal[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %#v, want %#v", what, got, want)
	}
}

// errorContains fails the test if there is no error or its text does not contain part.
func errorContains(t *testing.T, what string, err error, part string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), part) {
		t.Errorf("%s: got the error %v, want one that contains %q", what, err, part)
	}
}
