package template

import "testing"

func TestTitleIsOneLine(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		" Linha\r\n\tazul ":           "Linha azul",
		"a\u2028b\u2029c\u0085d\x00e": "a b c d e",
		"a\u202eb\u2066c\u200fd":      "abcd",
		"\x1b[2J":                     "[2J",
		"\U0001fae9":                  "\U0001fae9",
		"\u202e\n":                    "",
	} {
		if got := title(text); got != want {
			t.Errorf("title(%+q): got %+q, want %+q", text, got, want)
		}
	}
}
