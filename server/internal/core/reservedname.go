package core

import (
	"slices"
	"strings"
	"unicode"

	"github.com/mtibben/confusables"
	"golang.org/x/text/unicode/norm"

	"github.com/sininho/sininho/pkg/rules"
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
			if skeleton(name) == "" {
				continue
			}
			r[skeleton(name)] = true
			for _, article := range articles {
				r[skeleton(article+name)] = true
			}
		}
	}
	return r
}

// reserved rejects a reserved name and its look-alikes, also with articles, numbers and signs around its words.
func (f *faults) reserved(pointer, name string, r reservedNames) {
	if r[skeleton(name)] || r[skeleton(onlyWords(name))] {
		f.Add(pointer, "reserved", Text{EN: "is reserved or looks like a reserved name; choose another",
			PT: "é um nome reservado ou parecido com um; escolha outro"})
	}
}

var articles = []string{"o", "a", "os", "as", "the"}

// onlyWords returns the words of a name, without the articles that it begins with.
func onlyWords(name string) string {
	words := strings.FieldsFunc(norm.NFKD.String(trademarks.Replace(name)), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsMark(r)
	})
	for len(words) > 0 && slices.Contains(articles, skeleton(words[0])) {
		words = words[1:]
	}
	return strings.Join(words, "")
}

// skeleton returns a name without what look-alikes change: case, accents, separators, what is drawn as nothing, and
// characters that look alike (Unicode Technical Standard 39).
func skeleton(name string) string {
	name = norm.NFKD.String(strings.Map(letterInABox, trademarks.Replace(name)))
	name = strings.Map(letter, norm.NFKD.String(confusables.Skeleton(name)))
	return confusables.Skeleton(name) // again, now that case is gone: m becomes rn
}

// letter returns the letter in lower case that a character passes for, or -1 for what is no letter or digit.
func letter(r rune) rune {
	r = unicode.ToLower(r)
	if look, ok := lookAlikes[r]; ok {
		return look
	}
	if !unicode.IsLetter(r) && !unicode.IsDigit(r) || rules.IsBlank(string(r)) {
		return -1
	}
	return r
}

// trademarks removes the signs that Unicode decomposes into letters.
var trademarks = strings.NewReplacer("™", "", "℠", "")

// letterInABox returns the letter that a squared, circled or flag letter shows, which Unicode decomposes only partly.
func letterInABox(r rune) rune {
	for _, a := range []rune{'🄰', '🅐', '🅰', '🇦'} {
		if r >= a && r < a+26 {
			return 'a' + r - a
		}
	}
	return r
}

// lookAlikes are characters that pass for letters, in lower case, besides those of the standard. Letters that look like
// each other become the same: l, i and 1.
var lookAlikes = map[rune]rune{
	'0': 'o', '1': 'i', '3': 'e', '4': 'a', '5': 's', '7': 't', '$': 's', '@': 'a', '!': 'i', '|': 'i', 'l': 'i',
	'¡': 'i', 'з': 'e', 'ɜ': 'e', 'ꞓ': 'e', 'и': 'n', 'π': 'n',
	// small capitals, which Cyrillic and Greek letters have become
	'ᴀ': 'a', 'ʙ': 'b', 'ᴅ': 'd', 'ᴇ': 'e', 'ꜰ': 'f', 'ɢ': 'g', 'ʜ': 'h', 'ᴊ': 'j', 'ĸ': 'k', 'ʟ': 'i', 'ʍ': 'm',
	'ɴ': 'n', 'ᴎ': 'n', 'ᴘ': 'p', 'ʀ': 'r', 'ᴛ': 't',
}
