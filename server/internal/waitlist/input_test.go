package waitlist

import (
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

func TestInput(t *testing.T) {
	for _, email := range []string{"ana@example.com", "ana+x@example.com", "ana@xn--exmple-qta.com"} {
		if err := check(Input{Email: email, Name: "Ana"}, time.Time{}); err != nil {
			t.Errorf("address %q: got error %v, want none", email, err)
		}
	}
	// U+0130 (capital I with a dot) and U+212A (the Kelvin sign) become ASCII letters in lower case.
	for _, email := range []string{"", "ana", "Ana <ana@example.com>", " ana@example.com",
		"ana@example.com\r\nBcc: x@example.com", "a b@example.com", "a@b@c", "ana@G\u0130thub.example",
		"mi\u212ae@example.net", "\u202eana@example.com", "ana@example.com\u00a0", "a\u200b@example.com"} {
		if err := check(Input{Email: email}, time.Time{}); !core.IsCode(err, core.CodeInvalid) {
			t.Errorf("address %q: got error %v, want invalid", email, err)
		}
	}
	for _, name := range []string{" ", "A\nB", "A\u202eB", "A\x00"} {
		if err := check(Input{Email: "ana@example.com", Name: name}, time.Time{}); !core.IsCode(err, core.CodeInvalid) {
			t.Errorf("name %q: got error %v, want invalid", name, err)
		}
	}
}
