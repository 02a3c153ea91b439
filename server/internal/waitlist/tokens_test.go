package waitlist

import (
	"bytes"
	"regexp"
	"testing"

	"github.com/sininho/sininho/server/internal/core"
)

func TestTokens(t *testing.T) {
	key := bytes.Repeat([]byte{7}, 32)
	tokens, err := NewTokens(key)
	if err != nil {
		t.Fatal(err)
	}
	again, _ := NewTokens(key)
	other, _ := NewTokens(bytes.Repeat([]byte{8}, 32))
	seen := map[string]bool{}
	for i := range 300 {
		id := core.ID{byte(i), byte(i >> 8)}
		for prefix, token := range map[string]string{"swt": tokens.Entry(id), "swi": tokens.Invitation(id)} {
			if !regexp.MustCompile(`^` + prefix + `_[0-9A-Za-z]{43}$`).MatchString(token) {
				t.Fatalf("%q", token)
			}
			if seen[token[4:]] {
				t.Fatalf("%q is of something else too", token)
			}
			seen[token[4:]] = true
		}
		if again.Entry(id) != tokens.Entry(id) || other.Entry(id) == tokens.Entry(id) {
			t.Fatal("a token follows from the key and the id")
		}
	}
}

func TestNewEntry(t *testing.T) {
	tokens, _ := NewTokens(make([]byte, 32))
	e := tokens.newEntry(Input{Email: "ana@example.com", ReferralCode: "k7p2m9xq", Locale: "pt"})
	if !bytes.Equal(e.TokenHash, core.HashSecret(tokens.Entry(e.ID))) || !bytes.Equal(e.InvitationHash, core.HashSecret(tokens.Invitation(e.ID))) {
		t.Error("it is not found by its tokens")
	}
	if !regexp.MustCompile(`^[a-z0-9]{8}$`).MatchString(e.ReferralCode) || e.ReferredBy != "k7p2m9xq" {
		t.Errorf("%+v", e)
	}
	for _, code := range []string{"x\x00y", "K7P2M9XQ", "a b", ""} {
		if e := tokens.newEntry(Input{Email: "ana@example.com", ReferralCode: code}); e.ReferredBy != "" {
			t.Errorf("%q is taken for a code", code)
		}
	}
}

func TestInput(t *testing.T) {
	for _, email := range []string{"ana@example.com", "ana+x@example.com", "ana@xn--exmple-qta.com"} {
		if err := (Input{Email: email, Name: "Ana"}).Validate(); err != nil {
			t.Errorf("%s: %v", email, err)
		}
	}
	for _, email := range []string{"", "ana", "Ana <ana@example.com>", " ana@example.com", "ana@example.com\r\nBcc: x@example.com", "a b@example.com", "a@b@c",
		"ana@G\u0130thub.example", "mi\u212ae@example.net", "\u202eana@example.com", "ana@example.com\u00a0", "a\u200b@example.com"} {
		if err := (Input{Email: email}).Validate(); !core.IsCode(err, core.CodeInvalid) {
			t.Errorf("%q: %v", email, err)
		}
	}
	for _, name := range []string{" ", "A\nB", "A\u202eB", "A\x00"} {
		if err := (Input{Email: "ana@example.com", Name: name}).Validate(); !core.IsCode(err, core.CodeInvalid) {
			t.Errorf("%q: %v", name, err)
		}
	}
}
