package core

import (
	"context"
	"slices"
	"strings"
)

// Operators look after the installation: the e-mail addresses that they sign in with.
type Operators []string

// Has reports whether an address is an operator's.
func (o Operators) Has(email string) bool {
	return slices.ContainsFunc(o, func(each string) bool { return lower(each) == lower(email) })
}

// lower makes ASCII letters small, and no others: some of those become ASCII, and so another's address.
func lower(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			r += 'a' - 'A'
		}
		return r
	}, s)
}

// Check refuses a caller who is no operator with CodeForbidden.
func (o Operators) Check(ctx context.Context, c Caller, find func(ctx context.Context, id ID) (Subscriber, error)) error {
	s, err := find(ctx, c.SubscriberID)
	if err != nil {
		return err
	}
	if !o.Has(s.Email) {
		return Forbidden(Text{"This is for operators.", "Isto é para operadores."})
	}
	return nil
}
