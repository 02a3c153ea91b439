package waitlist

import (
	"bytes"
	"regexp"
	"testing"

	"github.com/sininho/sininho/server/internal/core"
)

func mustTokens(t *testing.T, secretKey []byte) tokens {
	t.Helper()
	made, err := newTokens(secretKey)
	if err != nil {
		t.Fatalf("derive the key of tokens: %v", err)
	}
	return made
}

func TestTokens(t *testing.T) {
	key := bytes.Repeat([]byte{7}, 32)
	made, again := mustTokens(t, key), mustTokens(t, key)
	other := mustTokens(t, bytes.Repeat([]byte{8}, 32))
	seen := map[string]bool{}
	for i := range 300 {
		id := core.ID{byte(i), byte(i >> 8)}
		for prefix, token := range map[string]string{"swt": made.entry(id), "swi": made.invitation(id)} {
			if !regexp.MustCompile(`^` + prefix + `_[0-9A-Za-z]{43}$`).MatchString(token) {
				t.Fatalf("token of %s: got %q, want %s_ and 43 letters and digits", id, token, prefix)
			}
			if seen[token[4:]] {
				t.Fatalf("token of %s: got %q, which belongs to something else, too", id, token)
			}
			seen[token[4:]] = true
		}
		if got, want := again.entry(id), made.entry(id); got != want {
			t.Fatalf("token of %s from the same key: got %q, want %q", id, got, want)
		}
		if other.entry(id) == made.entry(id) {
			t.Fatalf("token of %s from another key: got the same", id)
		}
	}
}

func TestNewEntry(t *testing.T) {
	tokens := mustTokens(t, make([]byte, 32))
	e := tokens.newEntry(Input{Email: "ana@example.com", ReferralCode: "k7p2m9xq", Locale: "pt"})
	if !bytes.Equal(e.TokenHash, core.HashSecret(tokens.entry(e.ID))) {
		t.Error("the token hash of a new entry is not that of its token")
	}
	if !bytes.Equal(e.InvitationHash, core.HashSecret(tokens.invitation(e.ID))) {
		t.Error("the invitation hash of a new entry is not that of its invitation")
	}
	if !regexp.MustCompile(`^[a-z0-9]{8}$`).MatchString(e.ReferralCode) {
		t.Errorf("referral code of a new entry: got %q, want 8 small letters and digits", e.ReferralCode)
	}
	if e.ReferredBy != "k7p2m9xq" {
		t.Errorf("referral code that brought a new entry: got %q, want k7p2m9xq", e.ReferredBy)
	}
	for _, code := range []string{"x\x00y", "K7P2M9XQ", "a b", ""} {
		if e := tokens.newEntry(Input{Email: "ana@example.com", ReferralCode: code}); e.ReferredBy != "" {
			t.Errorf("referral code %q: got %q, want it to be ignored", code, e.ReferredBy)
		}
	}
}
