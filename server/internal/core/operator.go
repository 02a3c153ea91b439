package core

import (
	"context"
	"slices"
	"strings"
)

// Operators lists the email addresses of the people who run the installation. A person who came in by an OperatorLink
// is one of them, too.
type Operators []string

// Has reports whether a person is an operator.
func (o Operators) Has(s Subscriber) bool { return s.Operator || o.HasAddress(s.Email) }

// HasAddress reports whether email is the address of an operator.
func (o Operators) HasAddress(email string) bool {
	return slices.ContainsFunc(o, func(each string) bool { return lower(each) == lower(email) })
}

// lower converts ASCII letters to lower case. It leaves all other letters alone: some become ASCII in lower case, such
// as the Kelvin sign, and would match another person's address.
func lower(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			r += 'a' - 'A'
		}
		return r
	}, s)
}

// Check fails with CodeForbidden if the caller is not an operator.
func (o Operators) Check(
	ctx context.Context, c Caller, find func(ctx context.Context, id ID) (Subscriber, error),
) error {
	s, err := find(ctx, c.SubscriberID)
	if err != nil {
		return err
	}
	if !o.Has(s) {
		return Forbidden(Text{EN: "Only operators may do this.", PT: "Só os operadores o podem fazer."})
	}
	return nil
}
