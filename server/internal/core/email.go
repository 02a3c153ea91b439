package core

import (
	"net/mail"
	"strings"
)

// CheckEmail returns the faults of an email address that emails are sent to. It must be a bare address in ASCII, where
// other domains are written as xn--…. Beyond ASCII, some capital letters become small letters of another address.
func CheckEmail(pointer, s string) []FieldError {
	a, err := mail.ParseAddress(s)
	if err == nil && a.Address == s && !strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return nil
	}
	return []FieldError{{Pointer: pointer, Code: "email",
		Detail: Text{EN: "is not an email address", PT: "não é um endereço de e-mail"}}}
}
