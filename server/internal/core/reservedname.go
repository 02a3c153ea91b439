package core

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// reservedNames are the names, without everything that look-alikes change, that no new publisher may have.
type reservedNames map[string]bool

// names are those of Sininho itself, in a publisher's name or slug.
var names = []string{
	"Sininho", "Sininho oficial", "Sininho official", "Equipa Sininho", "Equipe Sininho", "Sininho team",
	"Sininho suporte", "Suporte Sininho", "Sininho support", "Sininho app",
	"Admin", "Administrador", "Administrator", "API", "WWW",
}

func newReservedNames(more []string) reservedNames {
	r := reservedNames{}
	for _, list := range [][]string{names, more} {
		for _, name := range list {
			if s := skeleton(name); s != "" {
				r[s] = true
			}
		}
	}
	return r
}

// reserved rejects a reserved name and its look-alikes.
func (f *faults) reserved(pointer, name string, r reservedNames) {
	if r[skeleton(name)] {
		f.Add(pointer, "reserved", Text{EN: "is reserved or looks like a reserved name; choose another",
			PT: "é um nome reservado ou parecido com um; escolha outro"})
	}
}

// skeleton returns a name without what look-alikes change: case, accents, separators, and letters and digits that look
// alike.
func skeleton(name string) string {
	return strings.Map(func(r rune) rune {
		r = unicode.ToLower(r)
		if look, ok := lookAlikes[r]; ok {
			return look
		}
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return -1
		}
		return r
	}, norm.NFKD.String(name))
}

// lookAlikes are characters that look like ASCII letters, in lower case. Letters that look like each other become the
// same: l, i and 1.
var lookAlikes = map[rune]rune{
	'0': 'o', '1': 'i', '3': 'e', '4': 'a', '5': 's', '7': 't', '$': 's', '@': 'a', '!': 'i', '|': 'i', 'l': 'i',
	'ı': 'i', 'ł': 'i', 'ø': 'o', 'ɑ': 'a', 'ո': 'n', 'ս': 'u', 'օ': 'o', 'һ': 'h',
	// Cyrillic
	'а': 'a', 'в': 'b', 'е': 'e', 'з': 'e', 'и': 'n', 'і': 'i', 'ї': 'i', 'ј': 'j', 'к': 'k', 'м': 'm', 'н': 'h',
	'о': 'o', 'п': 'n', 'р': 'p', 'с': 'c', 'ѕ': 's', 'т': 't', 'у': 'y', 'х': 'x',
	// Greek
	'α': 'a', 'β': 'b', 'ε': 'e', 'η': 'n', 'ι': 'i', 'κ': 'k', 'ν': 'v', 'ο': 'o', 'ρ': 'p', 'σ': 'o', 'τ': 't',
	'υ': 'u', 'χ': 'x',
}
