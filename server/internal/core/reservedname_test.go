package core_test

import (
	"testing"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/lab/check"
)

// TestReservedNames creates publishers with reserved names, look-alikes of these and harmless ones.
func TestReservedNames(t *testing.T) {
	rules := core.NewRules(core.LinkRules{}, core.EventRules{}, nil, "Câmara de Lisboa", " ")
	faults := func(slug, name string) []string {
		return pointers(core.PublisherInput{Slug: slug, Name: name}.Validate(rules, now))
	}
	for _, name := range []string{
		"Sininho", "SININHO", " s i n i n h o ", "S-i_n.i·n’h•o", "Sínínhó", "Ｓininho", "5ininh0", "S1n1nho", "Slnlnho",
		"Sin!nho", "Ѕіnіnhо", "Sιnιnhο", "Sininho oficial", "Equipa Sininho", "ADMIN", "Cámara-de-Lisboa",
		"camaradelisboa", "Cаmаrа de Lіsbоа",
		// articles, numbers and signs
		"O Sininho", "o  SININHO", "The Sininho", "Os Sininho", "O O Sininho", "Osininho", "Sininho 1", "Sininho2026",
		"O Sininho 24", "Admin 2", "2 Sininho", "Sininho (2)", "Sininho 1 2", "Sininho ２", "Sininho②", "Sininho!",
		"¡Sininho!", "@Sininho", "Sininho | Oficial", "Sininho™ 2", "★ Sininho ★",
		"О Sininho", "0 Sininho", "O\u00a0Sininho", "O–Sininho", "Sininho 2.0",
		// letters that are drawn as nothing, after and within the name
		"Sininho\u3164", "Sin\u3164inho", "Sininho\u115f", "Sininh\u1160o", "Sinin\u200dho", "Sininho\uffa0",
		// letters in boxes, circles and flags, small capitals, and signs
		"🅢🅘🅝🅘🅝🅗🅞", "🆂🅸🅽🅸🅽🅷🅾", "Ⓢⓘⓝⓘⓝⓗⓞ", "🄢🄸🄽🄸🄽🄷🄾", "🇸🇮🇳🇮🇳🇭🇴", "ꜱɪɴɪɴʜᴏ", "Sininho™", "Sininho℠", "Sininho®",
		// other scripts
		"Ꮪininho", "SΙΝΙΝΗΟ", "Sɩnɩnho", "sɪninho", "Sin¡nho", "ʂininho", "Sininɦo", "ƽininho", "Sininħo", "Sininh٥",
		"Sininhഠ", "Sininhס", "Sininhօ", "Siпiпho", "𝕊ininho", "Sinınho", "Sinįnho",
	} {
		check.Equal(t, "faults of the name "+name, faults("p", name), []string{"#/name"})
	}
	for _, slug := range []string{
		"sininho", "s-i-n-i-n-h-o", "51n1nho", "sininho-oficial", "api", "www", "admin", "camara-de-lisboa",
		"o-sininho", "osininho", "o-o-sininho", "sininho1", "sininho-2", "sininho-1-2", "1-sininho", "api2",
	} {
		check.Equal(t, "faults of the slug "+slug, faults(slug, "P"), []string{"#/slug"})
	}
	check.Equal(t, "faults of both", faults("sininho", "Sininho"), []string{"#/name", "#/slug"})
	for _, name := range []string{"Padaria Sininho", "Sino", "2026", "O 1", "A", "As", "Sininhos", "Lisboa", "☂", "Администрация"} {
		check.Equal(t, "faults of the name "+name, faults("p", name), nil)
	}
}
