package webpush

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/sha256"
	"encoding/base64"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/sininho/sininho/server/lab/check"
)

func TestKeys(t *testing.T) {
	t.Parallel()
	k := NewKey()
	again, err := ParseKey(k.Private())
	if err != nil {
		t.Fatalf("parse a key: %v", err)
	}
	check.Equal(t, "public key after parsing", again.Public(), k.Public())
	check.Equal(t, "bytes of a public key", len(decoded(t, k.Public())), 65)
	for _, wrong := range []string{"", "x", k.Public(), strings.Repeat("A", 43), k.Private()[:40], "ключ"} {
		if _, err := ParseKey(wrong); err == nil || !strings.HasPrefix(err.Error(), "must be a private key") {
			t.Errorf("parse %q: got error %v, want one that says what is expected", wrong, err)
		}
	}
}

// TestAuthorization checks the header against RFC 8292: the form of its example, the claims, and the signature.
func TestAuthorization(t *testing.T) {
	t.Parallel()
	k := NewKey()
	header, err := k.authorization("https://push.example.net", "mailto:push@example.com", time.Unix(1453523768, 0))
	if err != nil {
		t.Fatalf("authorization: %v", err)
	}
	token, ok := strings.CutSuffix(strings.TrimPrefix(header, "vapid t="), ", k="+k.Public())
	parts := strings.Split(token, ".")
	if !ok || len(parts) != 3 {
		t.Fatalf("header: got %s, want a token of three parts and the key", header)
	}
	check.Equal(t, "header of the token", string(decoded(t, parts[0])), `{"typ":"JWT","alg":"ES256"}`)
	check.Equal(t, "claims", string(decoded(t, parts[1])),
		`{"aud":"https://push.example.net","exp":1453523768,"sub":"mailto:push@example.com"}`)
	digest, signature := sha256.Sum256([]byte(parts[0]+"."+parts[1])), decoded(t, parts[2])
	if !ecdsa.Verify(&k.private.PublicKey, digest[:], new(big.Int).SetBytes(signature[:32]),
		new(big.Int).SetBytes(signature[32:])) {
		t.Error("the signature does not verify")
	}
}

// TestExampleOfRFC8292 verifies the token of the RFC (section 2.4) with its key, as push services verify ours.
func TestExampleOfRFC8292(t *testing.T) {
	t.Parallel()
	const (
		key   = "BA1Hxzyi1RUM1b5wjxsn7nGxAszw2u61m164i3MrAIxHF6YK5h4SDYic-dRuU_RCPCfA5aq9ojSwk5Y2EmClBPs"
		token = "eyJ0eXAiOiJKV1QiLCJhbGciOiJFUzI1NiJ9." +
			"eyJhdWQiOiJodHRwczovL3B1c2guZXhhbXBsZS5uZXQiLCJleHAiOjE0NTM1MjM3NjgsInN1YiI6Im1haWx0bzpwdXNoQGV4YW1wbGUuY29tIn0." +
			"i3CYb7t4xfxCDquptFOepC9GAu_HLGkMlMuCGSK2rpiUfnK9ojFwDXb1JrErtmysazNjjvW2L9OkSSHzvoD1oA"
	)
	public, err := ecdsa.ParseUncompressedPublicKey(elliptic.P256(), decoded(t, key))
	if err != nil {
		t.Fatalf("parse the key: %v", err)
	}
	end := strings.LastIndex(token, ".")
	digest, signature := sha256.Sum256([]byte(token[:end])), decoded(t, token[end+1:])
	if !ecdsa.Verify(public, digest[:], new(big.Int).SetBytes(signature[:32]), new(big.Int).SetBytes(signature[32:])) {
		t.Error("the signature of the RFC does not verify")
	}
	ours, err := (&Key{private: NewKey().private}).sign(map[string]any{"aud": "https://push.example.net",
		"exp": 1453523768, "sub": "mailto:push@example.com"})
	if err != nil {
		t.Fatalf("sign: %v", err)
	}
	check.Equal(t, "our token of the same claims, without the signature", ours[:strings.LastIndex(ours, ".")], token[:end])
}

func decoded(t *testing.T, s string) []byte {
	t.Helper()
	b, err := base64.RawURLEncoding.DecodeString(s)
	if err != nil {
		t.Fatalf("decode base64: %v", err)
	}
	return b
}
