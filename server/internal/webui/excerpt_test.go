package webui

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/sininho/sininho/server/lab/check"
)

func TestExcerpt(t *testing.T) {
	words := strings.Repeat("palavra ", 625)
	tests := []struct{ name, text, want string }{
		{"empty", " \n\t", ""},
		{"short", "Uma\nlinha  e\u2028outra", "Uma linha e outra"},
		{"direction", "a\u202eb\u2066c", "abc"},
		{"control", "a\x00b\x1bc", "a b c"},
		{"as long as allowed", strings.Repeat("é", 200), strings.Repeat("é", 200)},
		{"5,000 characters", words, strings.TrimSpace(words[:24*8]) + "…"},
		{"one long word", strings.Repeat("é", 5000), strings.Repeat("é", 199) + "…"},
		{"after punctuation", strings.Repeat("x", 150) + ", " + strings.Repeat("y", 100), strings.Repeat("x", 150) + "…"},
		{"combining", strings.Repeat("x", 198) + "e\u0301\u0302" + "more", strings.Repeat("x", 198) + "e…"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := excerpt(tt.text)
			check.Equal(t, "excerpt", got, tt.want)
			if n := utf8.RuneCountInString(got); n > maxDescription {
				t.Errorf("length: got %d, want at most %d", n, maxDescription)
			}
		})
	}
}
