package push

import (
	"crypto/ecdh"
	"encoding/base64"
	"testing"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/lab/check"
)

func decoded(t *testing.T, s string) []byte {
	t.Helper()
	b, err := base64.RawURLEncoding.DecodeString(s)
	if err != nil {
		t.Fatalf("decode base64: %v", err)
	}
	return b
}

// TestSealExample reproduces the example of RFC 8291, appendix A.
func TestSealExample(t *testing.T) {
	t.Parallel()
	to, err1, err2 := core.ParsePushKeys(
		"BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
		"BTBZMqHH6r4Tts7J_aSIgg")
	if err1 != nil || err2 != nil {
		t.Fatalf("parse the keys: %v, %v", err1, err2)
	}
	key, err := ecdh.P256().NewPrivateKey(decoded(t, "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"))
	if err != nil {
		t.Fatalf("read the private key: %v", err)
	}
	got, err := sealWith(to, []byte("When I grow up, I want to be a watermelon"), 0, key,
		decoded(t, "DGv6ra1nlYgDCS1FRnbzlw"))
	if err != nil {
		t.Fatalf("seal: %v", err)
	}
	check.Equal(t, "sealed example", base64.RawURLEncoding.EncodeToString(got),
		"DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_"+
			"yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN")
}

// TestPadding expects lengths to be rounded up, but no message to become longer than its limit.
func TestPadding(t *testing.T) {
	t.Parallel()
	key, err := ecdh.P256().GenerateKey(nil)
	if err != nil {
		t.Fatalf("make a key: %v", err)
	}
	to := core.PushKeys{P256dh: key.PublicKey().Bytes(), Auth: make([]byte, 16)}
	for _, c := range []struct{ text, limit, want int }{
		{0, 1000, 0}, {1, 1000, 32}, {31, 1000, 32}, {32, 1000, 32}, {33, 1000, 64},
		{33, 40 + SealOverhead, 40}, {33, 33 + SealOverhead, 33}, {33, 10, 33},
	} {
		sealed, err := Seal(to, make([]byte, c.text), c.limit)
		if err != nil {
			t.Fatalf("seal %d bytes: %v", c.text, err)
		}
		check.Equal(t, "bytes of a sealed text without what is around it", len(sealed)-SealOverhead, c.want)
	}
}
