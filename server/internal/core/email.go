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

// MailboxOf returns the mailbox that an address leads to, so that a person does not count once for each address that
// they can think up: without the tag after a plus sign, and without what Gmail and Proton ignore.
func MailboxOf(email string) string {
	name, domain, _ := strings.Cut(strings.ToLower(email), "@")
	if start, _, tagged := strings.Cut(name, "+"); tagged && start != "" {
		name = start
	}
	switch domain {
	case "gmail.com", "googlemail.com":
		return strings.ReplaceAll(name, ".", "") + "@gmail.com"
	case "proton.me", "protonmail.com", "pm.me":
		return strings.NewReplacer(".", "", "-", "", "_", "").Replace(name) + "@proton.me"
	}
	return name + "@" + domain
}
