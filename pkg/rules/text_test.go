package rules_test

import (
	"testing"

	"github.com/sininho/sininho/pkg/rules"
)

func TestTexts(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		text            string
		blank, controls bool
	}{
		"nothing":                        {"", true, false},
		"a Latin letter":                 {"a", false, false},
		"punctuation":                    {"?", false, false},
		"another script":                 {"नमस्ते", false, false},
		"an emoji":                       {"🚇", false, false},
		"an emoji of Unicode 16":         {"\U0001fae9", false, false},
		"an emoji not assigned yet":      {"\U0001faff", false, false},
		"an emoji of several characters": {"👩\u200d🔬", false, false},
		"a flag":                         {"🇵🇹", false, false},
		"a replacement character":        {"\ufffd", false, false},
		"spaces":                         {" \u00a0\u3000", true, false},
		"a zero-width space":             {"\u200b", true, false},
		"a byte order mark":              {"\ufeff", true, false},
		"a mark without a letter":        {"\u0301", true, false},
		"a variation selector":           {"\ufe0f", true, false},
		"a tag character":                {"\U000e0041", true, false},
		"ignorable and unassigned":       {"\U000e0fff", true, false},
		"a soft hyphen":                  {"\u00ad", true, false},
		"Hangul fillers":                 {"\u115f\u1160\u3164\uffa0", true, false},
		"empty Braille":                  {"\u2800", true, false},
		"private use":                    {"\ue000", true, false},
		"a line break":                   {"a\nb", false, true},
		"a tab":                          {"a\tb", false, true},
		"a NUL":                          {"a\x00", false, true},
		"an escape":                      {"\x1b[2J", false, true},
		"a C1 control":                   {"a\u009b", false, true},
		"a line separator":               {"a\u2028b", false, true},
		"a paragraph separator":          {"a\u2029b", false, true},
		"an override":                    {"a\u202eb", false, true},
		"an isolate":                     {"a\u2066b\u2069", false, true},
		"a right-to-left mark":           {"a\u200f", false, true},
		"an Arabic letter mark":          {"a\u061c", false, true},
		"only a right-to-left mark":      {"\u200f", true, true},
		"a joiner":                       {"a\u200cb\u200dc", false, false},
	} {
		if got := rules.IsBlank(test.text); got != test.blank {
			t.Errorf("%s: IsBlank(%+q): got %v, want %v", name, test.text, got, test.blank)
		}
		if got := rules.HasControls(test.text); got != test.controls {
			t.Errorf("%s: HasControls(%+q): got %v, want %v", name, test.text, got, test.controls)
		}
	}
}

func TestLoneSurrogate(t *testing.T) {
	t.Parallel()
	for json, want := range map[string]int{
		``:                           -1,
		`\`:                          -1,
		`\u`:                         -1,
		`"\ud83d\ude87"`:             -1,
		`"\\ud83d"`:                  -1,
		`"\ud83d"`:                   1,
		`"\uDC00\ud83d\ude87"`:       1,
		`"\ud83d\ude87\uDC00"`:       13,
		`"\ud83d\ud83d\ude87"`:       1,
		`"\ud83d x"`:                 1,
		`"\ud83d\n"`:                 1,
		`{"a\"b":"\u00e9","c\udfff`:  19,
		`{"a":"\\\ud83d","b":"\u12"`: 8,
	} {
		if got := rules.LoneSurrogate([]byte(json)); got != want {
			t.Errorf("LoneSurrogate(%s): got %d, want %d", json, got, want)
		}
	}
}
