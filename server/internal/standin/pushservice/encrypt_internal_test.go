package pushservice

import (
	"crypto/ecdh"
	"encoding/base64"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestEncryptExample reproduces the example of RFC 8291, appendix A.
func TestEncryptExample(t *testing.T) {
	t.Parallel()
	decode := func(s string) []byte {
		b, err := base64.RawURLEncoding.DecodeString(s)
		if err != nil {
			t.Fatalf("decode base64: %v", err)
		}
		return b
	}
	to := Subscription{
		P256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
		Auth:   "BTBZMqHH6r4Tts7J_aSIgg",
	}
	key, err := ecdh.P256().NewPrivateKey(decode("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"))
	if err != nil {
		t.Fatalf("read the private key: %v", err)
	}
	got, err := encryptWith(to, []byte("When I grow up, I want to be a watermelon"), key,
		decode("DGv6ra1nlYgDCS1FRnbzlw"))
	if err != nil {
		t.Fatalf("encrypt: %v", err)
	}
	const want = "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_" +
		"yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
	if s := base64.RawURLEncoding.EncodeToString(got); s != want {
		t.Errorf("encrypted example: got\n%s, want\n%s", s, want)
	}
}

func TestReadFieldsRefusesTornBuffers(t *testing.T) {
	t.Parallel()
	whole := buffer{}.int(1, 300).fixed(2, 5).text(3, "abc").text(3, "d")
	f, err := readFields(whole)
	if err != nil {
		t.Fatalf("read the whole buffer: %v", err)
	}
	want := fields{numbers: map[int]uint64{1: 300, 2: 5}, texts: map[int][]string{3: {"abc", "d"}}}
	if diff := cmp.Diff(want, f, cmp.AllowUnexported(fields{})); diff != "" {
		t.Fatalf("fields of the whole buffer (-want +got):\n%s", diff)
	}
	ends := map[int]bool{0: true, 3: true, 12: true, 17: true}
	for i := range whole {
		if _, err := readFields(whole[:i]); (err == nil) != ends[i] {
			t.Errorf("buffer cut at %d: got %v, want an error: %t", i, err, !ends[i])
		}
	}
}
