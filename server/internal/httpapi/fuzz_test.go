package httpapi

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/sininho/sininho/pkg/rules"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/payload"
)

// FuzzBody compares the parsed body with encoding/json, and the repeated name with a plain walk over the tokens.
func FuzzBody(f *testing.F) {
	f.Add([]byte(`{"a":[{"b/c":1,"b/c":2}],"\u0061":"\ud83d"}`), uint16(3))
	f.Fuzz(func(t *testing.T, body []byte, levels uint16) {
		compareParsed(t, body)
		nested := strings.Repeat("[", int(levels)) + string(body) + strings.Repeat("]", int(levels))
		compareParsed(t, []byte(nested))
	})
}

func compareParsed(t *testing.T, body []byte) {
	t.Helper()
	rules.MarkLoneSurrogates(body)
	value, repeated, err := parseJSON(body)
	name, deepest, readErr := walk(body)
	var want any
	wantErr := json.Unmarshal(body, &want) // fails on a number that is too large, too
	readable := readErr == nil && wantErr == nil && utf8.Valid(body) && deepest <= payload.MaxDepth
	if readable != (err == nil) {
		t.Errorf("parse %.200q: got error %v, want one: %t (%v)", body, err, !readable, readErr)
	}
	if err != nil {
		return
	}
	if !reflect.DeepEqual(value, want) {
		t.Errorf("parse %.200q: got %v, want %v", body, value, want)
	}
	if (repeated != "") != (name != nil) {
		t.Errorf("repeated name of %.200q: got %q, want %v", body, repeated, name)
	}
	if name != nil && !strings.HasSuffix(repeated, "/"+core.EscapePointer(*name)) {
		t.Errorf("repeated name of %.200q: got %q, want %q", body, repeated, *name)
	}
}

// level is an object or array that a walk is in.
type level struct {
	names  map[string]bool // nil in an array
	isName bool            // whether the next token is a name
}

// walk returns the first name that its object has twice, and the depth of the document.
func walk(body []byte) (repeated *string, deepest int, err error) {
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	levels := []level{{}}
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return repeated, deepest, nil
		}
		if err != nil {
			return repeated, deepest, err
		}
		top := &levels[len(levels)-1]
		if name, ok := token.(string); ok && top.isName {
			if top.isName = false; top.names[name] && repeated == nil {
				repeated = &name
			}
			top.names[name] = true
			continue
		}
		top.isName = top.names != nil
		switch token {
		case json.Delim('{'):
			levels = append(levels, level{map[string]bool{}, true})
		case json.Delim('['):
			levels = append(levels, level{})
		case json.Delim('}'), json.Delim(']'):
			levels = levels[:len(levels)-1]
			levels[len(levels)-1].isName = levels[len(levels)-1].names != nil
		}
		deepest = max(deepest, len(levels)-1)
	}
}

// FuzzSenderSignatures expects exactly those events of Stripe and GitHub to be verified that have the signature of the
// sender's documentation, whatever else is in their headers.
func FuzzSenderSignatures(f *testing.F) {
	f.Add("t=1614265330,v1=%s", "%s", []byte("{}"), []byte("[]"))
	f.Fuzz(func(t *testing.T, stripe, plain string, body, other []byte) {
		const secret, seconds = "a-secret-of-theirs", 1614265330
		now := time.Unix(seconds, 0)
		sum := func(text string) string {
			h := hmac.New(sha256.New, []byte(secret))
			h.Write([]byte(text))
			return hex.EncodeToString(h.Sum(nil))
		}
		want, wantPlain := sum(fmt.Sprintf("%d.%s", seconds, body)), sum(string(body))
		stripe, plain = strings.ReplaceAll(stripe, "%s", want), strings.ReplaceAll(plain, "%s", wantPlain)
		// Another time within the tolerance needs another signature, which the fuzzer cannot know.
		signed := strings.Contains(strings.ToLower(stripe), want)
		if verifyStripe(stripe, []string{secret}, body, now) == nil && !signed {
			t.Errorf("verify the event of Stripe %q: got no error, want one, without %s", stripe, want)
		}
		if got := verifyHex(plain, []string{secret}, body) == nil; got != strings.EqualFold(plain, wantPlain) {
			t.Errorf("verify the signature %q: got %t, want %t", plain, got, !got)
		}
		good := fmt.Sprintf("t=%d,v1=%s", seconds, want)
		if err := verifyStripe(good, []string{secret}, body, now); err != nil {
			t.Errorf("verify a signed event: got %v", err)
		}
		if !bytes.Equal(body, other) && (verifyStripe(good, []string{secret}, other, now) == nil ||
			verifyHex(wantPlain, []string{secret}, other) == nil) {
			t.Errorf("verify another body, %q: got no error", other)
		}
	})
}
