package core_test

import (
	"testing"

	"github.com/sininho/sininho/server/internal/core"
)

func TestEmailAddresses(t *testing.T) {
	for email, ok := range map[string]bool{
		"bia@example.com": true, "bia+metro@xn--exmple-4ta.com": true,
		"": false, "bia": false, "bia@": false, "Bia <bia@example.com>": false, "bia@example.com ": false,
		"bia@exâmple.com": false, "\u212aim@example.com": false, "bia@example.com\r\nBcc: x@example.com": false,
	} {
		if faults := core.CheckEmail("#/email", email); (len(faults) == 0) != ok {
			t.Errorf("faults of the address %q: got %v, want any: %t", email, faults, !ok)
		}
	}
}
