package authenticator

import "testing"

// TestKeysAreWhole makes so many keys that some would begin with a zero.
func TestKeysAreWhole(t *testing.T) {
	for range 2000 {
		if got := len(NewKey().Key.AttestationData()); got != wholeKey {
			t.Fatalf("length of a public key: got %d, want %d", got, wholeKey)
		}
	}
}
