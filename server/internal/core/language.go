package core

import "golang.org/x/text/language"

// Language is a language in which the server writes to people, as a BCP 47 tag.
type Language string

// The languages. The first is that of people whose own is none of them.
const (
	Portuguese          Language = "pt-PT"
	BrazilianPortuguese Language = "pt-BR"
	English             Language = "en"
)

// LanguageOf returns the language for a person's locale, a BCP 47 tag.
func LanguageOf(locale string) Language {
	tag, err := language.Raw.Parse(locale)
	if err != nil {
		return Portuguese
	}
	l, _ := languageOf(tag)
	return l
}

// PreferredLanguage returns the language that an Accept-Language header prefers.
func PreferredLanguage(header string) Language {
	tags, q, err := language.ParseAcceptLanguage(header) // sorted by quality, highest first
	if err != nil {
		return Portuguese
	}
	for i, tag := range tags {
		if l, known := languageOf(tag); known && q[i] > 0 {
			return l
		}
	}
	return Portuguese
}

// languageOf returns the language for a tag, and whether it is that of the tag. It does not guess the country: a
// matcher takes Portuguese without one for that of Brazil.
func languageOf(tag language.Tag) (l Language, known bool) {
	base, _, region := tag.Raw()
	switch {
	case base.String() == "en":
		return English, true
	case base.String() == "pt" && region.String() == "BR":
		return BrazilianPortuguese, true
	default:
		return Portuguese, base.String() == "pt"
	}
}

// Translated is something with words in each language.
type Translated[T any] struct{ portuguese, brazilian, english T }

// Translate returns something in each language, of which none can be left out.
func Translate[T any](portuguese, brazilian, english T) Translated[T] {
	return Translated[T]{portuguese, brazilian, english}
}

// In returns it in a language.
func (t Translated[T]) In(l Language) T {
	switch l {
	case English:
		return t.english
	case BrazilianPortuguese:
		return t.brazilian
	default:
		return t.portuguese
	}
}
