package core_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/lab/check"
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
		"linha-azul, 9.º":           {Words: []string{"9", "azul", "linha"}},
		"a a A á":                   {Nothing: true},
		"e":                         {Nothing: true},
		"linha e":                   {Words: []string{"linha"}},
		"linha 7, 70":               {Words: []string{"7", "70", "linha"}},
		"7 7":                       {Words: []string{"7"}},
		"猫":                         {Words: []string{"猫"}},
		strings.Repeat("ação ", 40): {Words: []string{"acao"}},
		"a av ave":                  {Words: []string{"ave"}},
		"हिन्दी":                    {Words: []string{"हिन्दी"}},
		"ma:* & !xa | 'ya'":         {Words: []string{"ma", "xa", "ya"}},
		"aa bb cc dd ee ff gg hh i": {Words: strings.Fields("aa bb cc dd ee ff gg hh")},
	} {
		got, err := core.ParseSearch(q)
		core.CheckCode(t, fmt.Sprintf("ParseSearch(%q)", q), err, "")
		check.Equal(t, fmt.Sprintf("ParseSearch(%q)", q), got, want)
	}
	_, err := core.ParseSearch("aa bb cc dd ee ff gg hh ii")
	core.CheckCode(t, "ParseSearch of nine words", err, core.CodeInvalid)
}
