package live

import (
	"math/big"
	"regexp"
	"strconv"
	"testing"
)

var eventIDForm = regexp.MustCompile(`\A(0|[1-9][0-9]*)\z`)

// FuzzEventID expects exactly the ids of positions to be parsed: decimal numbers without a sign, a space or a leading
// zero, up to the largest position.
func FuzzEventID(f *testing.F) {
	f.Add("42", int64(7))
	f.Fuzz(func(t *testing.T, id string, position int64) {
		n, isNumber := new(big.Int).SetString(id, 10)
		want := eventIDForm.MatchString(id) && isNumber && n.IsInt64()
		got, ok := parseEventID(id)
		if ok != want {
			t.Errorf("parse the event id %q: got %t, want %t", id, ok, want)
		}
		if ok && got != n.Int64() {
			t.Errorf("position of the event id %q: got %d, want %s", id, got, n)
		}
		made := strconv.FormatInt(position, 10)
		if got, ok := parseEventID(made); ok != (position >= 0) || ok && got != position {
			t.Errorf("parse the event id %s: got %d and %t", made, got, ok)
		}
	})
}
