package rules_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/sininho/sininho/pkg/rules"
)

// FuzzLoneSurrogate compares with encoding/json, which replaces exactly the lone surrogates of a valid document by
// U+FFFD.
func FuzzLoneSurrogate(f *testing.F) {
	f.Add([]byte(`["\ud83d\ude87","\ud83d","\\ud83d","\\\udc00x"]`))
	f.Fuzz(func(t *testing.T, document []byte) {
		marked := bytes.Clone(document)
		rules.MarkLoneSurrogates(marked)
		if at := rules.LoneSurrogate(marked); at >= 0 || len(marked) != len(document) {
			t.Errorf("marked %q: got %q with a lone surrogate at %d", document, marked, at)
		}
		var value any
		replacement := strings.Contains(strings.ToLower(string(document)), `\ufffd`) ||
			bytes.ContainsRune(document, utf8.RuneError)
		if replacement || !utf8.Valid(document) || json.Unmarshal(document, &value) != nil {
			return
		}
		again, err := json.Marshal(value)
		if err != nil {
			t.Fatalf("encode %v: %v", value, err)
		}
		// Of members with the same name the last one wins, so a replaced surrogate may be lost with its member.
		if replaced := bytes.ContainsRune(again, utf8.RuneError); replaced && rules.LoneSurrogate(document) < 0 {
			t.Errorf("LoneSurrogate(%q): got none, but encoding/json replaces one", document)
		}
		if rules.LoneSurrogate(document) >= 0 && !json.Valid(marked) {
			t.Errorf("marked %q: got %q, want JSON", document, marked)
		}
		if rules.LoneSurrogate(document) < 0 && !bytes.Equal(marked, document) {
			t.Errorf("marked %q: got %q, want it unchanged", document, marked)
		}
	})
}
