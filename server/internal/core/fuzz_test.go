package core_test

import (
	"hash/crc32"
	"math/big"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

var credentialForm = regexp.MustCompile(`\A(snh|sna)_live_([0-9A-Za-z]{30})([0-9A-Za-z]{6})\z`)

// issued reports whether a text may be a credential, by another implementation of the checksum.
func issued(s string) bool {
	parts := credentialForm.FindStringSubmatch(s)
	return parts != nil && checksumOf(parts[2]) == parts[3]
}

// checksumOf returns the CRC-32 of a text in base 62, with digits before capitals before small letters.
func checksumOf(random string) string {
	const digits = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ" // of math/big
	const ours = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	text := new(big.Int).SetUint64(uint64(crc32.ChecksumIEEE([]byte(random)))).Text(62)
	return strings.Repeat("0", 6-len(text)) + strings.Map(func(r rune) rune {
		return rune(ours[strings.IndexRune(digits, r)])
	}, text)
}

// FuzzCredential compares the check of API keys and access tokens with another one, also for texts that have a right
// checksum.
func FuzzCredential(f *testing.F) {
	f.Add(core.NewAPIKeySecret())
	f.Fuzz(func(t *testing.T, s string) {
		random := (s + strings.Repeat("0", 30))[:30]
		for _, credential := range []string{
			s, "snh_live_" + s, "snh_live_" + random + checksumOf(random), "sna_live_" + random + checksumOf(random),
		} {
			if got, want := core.WellFormedCredential(credential), issued(credential); got != want {
				t.Errorf("WellFormedCredential(%q): got %t, want %t", credential, got, want)
			}
		}
	})
}

// FuzzParseCursor expects only texts of cursors to be parsed, and each as the cursor that it is the text of.
func FuzzParseCursor(f *testing.F) {
	f.Add(core.Cursor{PublishedAt: now}.String(), now.UnixMicro(), "")
	f.Fuzz(func(t *testing.T, s string, micros int64, id string) {
		if c, err := core.ParseCursor(s); err == nil && c.String() != s {
			t.Errorf("String of the parsed cursor %q: got %q", s, c.String())
		}
		made := core.Cursor{PublishedAt: time.UnixMicro(micros).UTC()}
		copy(made.ID[:], id)
		got, err := core.ParseCursor(made.String())
		if year := made.PublishedAt.Year(); (year < 1970 || year > 9999) != (err != nil) {
			t.Errorf("parse the cursor of %s: got error %v", made.PublishedAt, err)
		}
		if err == nil && got != made {
			t.Errorf("parse %q: got %v, want %v", made, got, made)
		}
	})
}
