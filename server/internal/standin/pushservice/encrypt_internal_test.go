package pushservice

import (
	"crypto/ecdh"
	"encoding/base64"
	"testing"
)

// TestEncryptExample reproduces the example of RFC 8291, appendix A.
func TestEncryptExample(t *testing.T) {
	t.Parallel()
	decode := func(s string) []byte {
		b, err := base64.RawURLEncoding.DecodeString(s)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	to := Subscription{
		P256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
		Auth:   "BTBZMqHH6r4Tts7J_aSIgg",
	}
	key, err := ecdh.P256().NewPrivateKey(decode("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"))
	if err != nil {
		t.Fatal(err)
	}
	got, err := encryptWith(to, []byte("When I grow up, I want to be a watermelon"), key, decode("DGv6ra1nlYgDCS1FRnbzlw"))
	if err != nil {
		t.Fatal(err)
	}
	const want = "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_" +
		"yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
	if s := base64.RawURLEncoding.EncodeToString(got); s != want {
		t.Errorf("got\n%s, want\n%s", s, want)
	}
}

func TestReadFieldsRefusesTornBuffers(t *testing.T) {
	t.Parallel()
	whole := buffer{}.int(1, 300).fixed(2, 5).text(3, "abc").text(3, "d")
	f, err := readFields(whole)
	if err != nil || f.numbers[1] != 300 || f.numbers[2] != 5 || f.text(3) != "abc" || len(f.texts[3]) != 2 {
		t.Fatalf("%+v, %v", f, err)
	}
	ends := map[int]bool{0: true, 3: true, 12: true, 17: true}
	for i := range whole {
		if _, err := readFields(whole[:i]); (err == nil) != ends[i] {
			t.Errorf("cut at %d: %v", i, err)
		}
	}
}
