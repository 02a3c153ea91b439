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

func TestMailboxes(t *testing.T) {
	for email, want := range map[string]string{
		"Ana@Example.com": "ana@example.com", "ana+1@example.com": "ana@example.com", "ana+a+b@example.com": "ana@example.com",
		"+ana@example.com": "+ana@example.com", "a.na@example.com": "a.na@example.com", "a.n.a+x@gmail.com": "ana@gmail.com",
		"Ana@googlemail.com": "ana@gmail.com", "a_n-a.@pm.me": "ana@proton.me", "ana@protonmail.com": "ana@proton.me",
	} {
		if got := core.MailboxOf(email); got != want {
			t.Errorf("mailbox of %s: got %s, want %s", email, got, want)
		}
	}
}
