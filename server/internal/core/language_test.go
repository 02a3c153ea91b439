package core_test

import (
	"strings"
	"testing"

	"github.com/sininho/sininho/server/internal/core"
)

func TestLanguageOf(t *testing.T) {
	for locale, want := range map[string]core.Language{
		"pt": core.Portuguese, "pt-PT": core.Portuguese, "pt-AO": core.Portuguese, "pt-MZ": core.Portuguese,
		"PT-pt": core.Portuguese, "pt-Latn": core.Portuguese, "por": core.Portuguese,
		"pt-BR": core.BrazilianPortuguese, "pt_BR": core.BrazilianPortuguese, "pt-br": core.BrazilianPortuguese,
		"pt-Latn-BR": core.BrazilianPortuguese, "pt-BR-u-ca-gregory": core.BrazilianPortuguese,
		"en": core.English, "en-GB": core.English, "en-US": core.English, "EN": core.English, "en-Latn-IN": core.English,
		"es": core.Portuguese, "fr-CA": core.Portuguese, "gl": core.Portuguese, "und": core.Portuguese,
		"und-BR": core.Portuguese, "es-BR": core.Portuguese,
		"": core.Portuguese, "português": core.Portuguese, "english": core.Portuguese, "qq": core.Portuguese,
	} {
		if got := core.LanguageOf(locale); got != want {
			t.Errorf("language of %q: got %s, want %s", locale, got, want)
		}
	}
}

func TestPreferredLanguage(t *testing.T) {
	for header, want := range map[string]core.Language{
		"":                                    core.Portuguese,
		"pt":                                  core.Portuguese,
		"pt-PT,pt;q=0.9,en;q=0.8":             core.Portuguese,
		"pt-BR,pt;q=0.9,en-US;q=0.8,en;q=0.7": core.BrazilianPortuguese,
		"pt;q=0.8, pt-BR;q=0.9":               core.BrazilianPortuguese,
		"en-GB,en;q=0.9":                      core.English,
		"en;q=0.5, pt-BR;q=0.6":               core.BrazilianPortuguese,
		"es-ES, fr;q=0.9, en;q=0.1":           core.English,
		"es, fr;q=0.9":                        core.Portuguese,
		"en;q=0, pt-BR;q=0.1":                 core.BrazilianPortuguese,
		"en;q=0":                              core.Portuguese,
		"*":                                   core.Portuguese,
		"*, en;q=0.5":                         core.English,
		";;q=,":                               core.Portuguese,
		strings.Repeat("en-", 5000) + "x":     core.Portuguese,
	} {
		if got := core.PreferredLanguage(header); got != want {
			t.Errorf("language of the header %.60q: got %s, want %s", header, got, want)
		}
	}
}

func TestTranslated(t *testing.T) {
	hello := core.Translate("Olá", "Oi", "Hello")
	for l, want := range map[core.Language]string{core.Portuguese: "Olá", core.BrazilianPortuguese: "Oi",
		core.English: "Hello", "": "Olá", "es": "Olá"} {
		if got := hello.In(l); got != want {
			t.Errorf("text in %q: got %q, want %q", l, got, want)
		}
	}
}
