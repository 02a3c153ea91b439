package core

import (
	"testing"

	"github.com/sininho/sininho/server/lab/check"
)

// TestOperators compares addresses as email does: ignoring case, but not accepting look-alike characters.
func TestOperators(t *testing.T) {
	operators := Operators{"Eva.Kiss@example.com"}
	for email, want := range map[string]bool{
		"eva.kiss@example.com": true, "EVA.KISS@EXAMPLE.COM": true, "eva@example.com": false,
		"eva.\u212aiss@example.com": false, "eva.ki\u017fs@example.com": false,
	} {
		check.Equal(t, "Has("+email+")", operators.Has(Subscriber{Email: email}), want)
	}
}
