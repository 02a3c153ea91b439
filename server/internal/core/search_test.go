package core_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sininho/sininho/server/internal/check"
	"github.com/sininho/sininho/server/internal/core"
)

func TestParseSearch(t *testing.T) {
	t.Parallel()
	for q, want := range map[string]core.Search{
		"":                          {},
		" \t\n":                     {},
		"%_ - !":                    {Nothing: true},
		"🚇":                         {Nothing: true},
		"METRO":                     {Words: []string{"metro"}},
		"Previsão e\u0301tica":      {Words: []string{"etica", "previsao"}},
		"linha-azul, 9.º":           {Words: []string{"9", "azul", "linha", "o"}},
		"a a A á":                   {Words: []string{"a"}},
		strings.Repeat("ação ", 40): {Words: []string{"acao"}},
		"a av ave":                  {Words: []string{"ave"}},
		"हिन्दी":                    {Words: []string{"हिन्दी"}},
		"m:* & !x | 'y'":            {Words: []string{"m", "x", "y"}},
		"a b c d e f g h":           {Words: strings.Fields("a b c d e f g h")},
	} {
		got, err := core.ParseSearch(q)
		core.CheckCode(t, fmt.Sprintf("ParseSearch(%q)", q), err, "")
		check.Equal(t, fmt.Sprintf("ParseSearch(%q)", q), got, want)
	}
	_, err := core.ParseSearch("a b c d e f g h i")
	core.CheckCode(t, "ParseSearch of nine words", err, core.CodeInvalid)
}
