package core

import "testing"

// CheckCode fails the test unless err is an *Error with that code, or nil if the code is empty.
func CheckCode(t testing.TB, what string, err error, want Code) {
	t.Helper()
	if want == "" && err != nil || want != "" && !IsCode(err, want) {
		t.Errorf("%s: got error %v, want code %q", what, err, want)
	}
}

// Succeed stops the test if err is not nil.
func Succeed(t testing.TB, what string, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
}
