package handler

import (
	"encoding/json"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

const defaultLimit = 10

// Page returns the page that the parameters of a list ask for.
func Page(limit, offset *int32) core.Page {
	p := core.Page{Limit: defaultLimit, Offset: int(Value(offset))}
	if limit != nil {
		p.Limit = int(*limit)
	}
	return p
}

// Replayed returns the value of the Idempotency-Replayed header, or nil when the request was not replayed.
func Replayed(c core.Creation) *string {
	if c != core.Replayed && c != core.ReplayedExisting {
		return nil
	}
	return new("true")
}

// Convert maps list with to. The result is never nil, so it encodes as [] rather than null.
func Convert[T, U any](list []T, to func(T) U) []U {
	out := make([]U, len(list))
	for i, x := range list {
		out[i] = to(x)
	}
	return out
}

// Optional returns nil for the zero value, so that the field is omitted.
func Optional[T comparable](v T) *T {
	var none T
	if v == none {
		return nil
	}
	return &v
}

// Value returns *p, or the zero value when p is nil.
func Value[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}

// UTC converts a time to UTC and truncates it to microseconds, the precision of the database.
func UTC(t *time.Time) *time.Time {
	if t == nil {
		return nil
	}
	return new(t.UTC().Truncate(time.Microsecond))
}

// Input returns the conversion of a body, from which the faulty members have been removed, to an input with its rules.
func Input[T any, I core.Input](from func(T) I) func(body []byte) core.Input {
	return func(body []byte) core.Input {
		var in T
		_ = json.Unmarshal(body, &in)
		return from(in)
	}
}
