package core

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

const maxSearchWords = 8

// Search is a search for words. The zero Search matches everything.
type Search struct {
	// Words are in lower case and without accents. Each must be the beginning of a word in a match, or all of it if it
	// IsWhole.
	Words []string
	// Nothing is set for a search without words, which matches nothing.
	Nothing bool
}

// Empty reports whether the search matches everything.
func (s Search) Empty() bool { return len(s.Words) == 0 && !s.Nothing }

// IsWhole reports whether a word of a search matches whole words only. A single digit does: so many words begin with it
// that finding them all would cost as much as having no search.
func IsWhole(word string) bool {
	r, alone := onlyRune(word)
	return alone && unicode.Is(unicode.N, r)
}

// isLetter reports whether a word is a single letter, which is no search: it would match nearly everything. A single
// ideograph is a word.
func isLetter(word string) bool {
	r, alone := onlyRune(word)
	return alone && !unicode.Is(unicode.N, r) && !unicode.In(r, unicode.Ideographic, unicode.Hangul)
}

func onlyRune(word string) (r rune, alone bool) {
	r, size := utf8.DecodeRuneInString(word)
	return r, size == len(word)
}

// ParseSearch reads the query parameter q, without words of one letter. It fails with CodeInvalid for more than 8
// distinct words.
func ParseSearch(q string) (Search, error) {
	words := strings.FieldsFunc(foldAccents(q), func(r rune) bool {
		return !unicode.In(r, unicode.L, unicode.M, unicode.N)
	})
	words = slices.DeleteFunc(words, isLetter)
	slices.Sort(words)
	var distinct []string
	for i, word := range words {
		if i+1 == len(words) || !isRequiredBy(words[i+1], word) {
			distinct = append(distinct, word)
		}
	}
	if n := len(distinct); n > maxSearchWords {
		return Search{}, Invalid(FieldError{Pointer: "query:q", Code: "too_many", Detail: Text{
			EN: fmt.Sprintf("has %d words; at most %d are allowed", n, maxSearchWords),
			PT: fmt.Sprintf("tem %d palavras; o máximo é %d", n, maxSearchWords)}})
	}
	return Search{Words: distinct, Nothing: len(distinct) == 0 && strings.TrimSpace(q) != ""}, nil
}

// isRequiredBy reports whether the next word in their order already requires a word.
func isRequiredBy(next, word string) bool {
	return next == word || strings.HasPrefix(next, word) && !IsWhole(word)
}

// foldAccents returns s in lower case and without accents, like the database function searchable.
func foldAccents(s string) string {
	return strings.ToLower(strings.Map(func(r rune) rune {
		if r >= 0x300 && r <= 0x36f {
			return -1
		}
		return r
	}, norm.NFKD.String(s)))
}

// ErrSearchTimeout returns the error for a search that was cancelled because it took too long.
func ErrSearchTimeout(err error) *Error {
	return &Error{Code: CodeUnavailable, Reason: "search_timeout", Err: err, Detail: Text{
		EN: "The search took too long. Search for fewer or longer words.",
		PT: "A pesquisa demorou demasiado. Procure menos palavras ou palavras mais longas."}}
}
