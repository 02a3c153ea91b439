package openid

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"net/mail"
	"strings"
	"unicode"
	"unicode/utf8"
)

// person is somebody to sign in as. There is one for each email address.
type person struct {
	email string
}

// offered are the people that the page proposes.
var offered = []person{{"ana@example.com"}, {"bruno@example.com"}, {"carla@example.com"}, {"duarte@example.com"}}

const maxEmail = 254 // RFC 5321's path without its angle brackets

// parsePerson returns the person with an email address, whose case does not matter.
func parsePerson(email string) (person, bool) {
	email = strings.ToLower(strings.TrimSpace(email))
	address, err := mail.ParseAddress(email)
	if err != nil || address.Address != email || len(email) > maxEmail {
		return person{}, false
	}
	return person{email}, true
}

// Email returns the address in lower case.
func (p person) Email() string { return p.email }

// Name derives a name from the address: "ana.silva+teste@example.com" is Ana Silva.
func (p person) Name() string {
	local := p.email[:strings.LastIndex(p.email, "@")]
	unlabelled, _, _ := strings.Cut(local, "+")
	words := strings.FieldsFunc(unlabelled, func(r rune) bool { return r == '.' || r == '_' || r == '-' })
	for i, word := range words {
		first, size := utf8.DecodeRuneInString(word)
		words[i] = string(unicode.ToTitle(first)) + word[size:]
	}
	if len(words) == 0 {
		return local
	}
	return strings.Join(words, " ")
}

// GivenName returns the first word of the name.
func (p person) GivenName() string {
	first, _, _ := strings.Cut(p.Name(), " ")
	return first
}

// Initial returns the letter shown instead of a picture.
func (p person) Initial() string {
	first, _ := utf8.DecodeRuneInString(p.Name())
	return string(first)
}

// subject returns the account's number at a provider, of 21 digits like Google's and always the same for an address.
func (p person) subject(provider string) string {
	sum := sha256.Sum256([]byte(strings.TrimPrefix(provider+" ", "Google ") + p.email))
	high, low := binary.BigEndian.Uint64(sum[:]), binary.BigEndian.Uint64(sum[8:])
	return fmt.Sprintf("1%010d%010d", high%1e10, low%1e10)
}
