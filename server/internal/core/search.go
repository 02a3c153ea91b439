package core

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

const maxSearchWords = 8

// Search is a search for words. The zero Search matches everything.
type Search struct {
	// Words are in lower case and without accents. Each must be the beginning of a word in a match.
	Words []string
	// Nothing is set for a search without letters and digits, which matches nothing.
	Nothing bool
}

// Empty reports whether the search matches everything.
func (s Search) Empty() bool { return len(s.Words) == 0 && !s.Nothing }

// ParseSearch reads the query parameter q. It fails with CodeInvalid for more than 8 distinct words.
func ParseSearch(q string) (Search, error) {
	words := strings.FieldsFunc(foldAccents(q), func(r rune) bool {
		return !unicode.In(r, unicode.L, unicode.M, unicode.N)
	})
	slices.Sort(words)
	var distinct []string
	for i, word := range words {
		if i+1 == len(words) || !strings.HasPrefix(words[i+1], word) { // the longer word already requires this one
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
