package sininho

import (
	"crypto/rand"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"
)

// CallOption changes one call that creates something.
type CallOption func(*call)

type call struct{ key string }

// WithIdempotencyKey gives the call a key of your own, 1 to 255 visible ASCII characters.
// A call with a key that was used within 24 hours does nothing again and returns the first
// answer, so that a program that was cut off can run anew. Without this option each call
// makes a key, which covers its own retries.
func WithIdempotencyKey(key string) CallOption { return func(c *call) { c.key = key } }

func newCall(opts []CallOption) (call, error) {
	c := call{key: rand.Text()}
	for _, opt := range opts {
		opt(&c)
	}
	if c.key == "" || len(c.key) > 255 || !isVisibleASCII(c.key) {
		return call{}, inputFault("header:idempotency-key", "invalid", "must have 1 to 255 visible ASCII characters")
	}
	return c, nil
}

func inputFault(pointer, code, detail string) error {
	return &InputError{Fields: []FieldError{{Pointer: pointer, Code: code, Detail: detail}}}
}

func parseID(id string) (uuid.UUID, error) {
	parsed, err := uuid.Parse(id)
	if err != nil || len(id) != 36 {
		return uuid.UUID{}, inputFault("path:id", "invalid_id",
			"must be an id as the API gives it, as 0199c2f4-7a10-7c3e-9f3d-0a1b2c3d4e5f; got "+quote(id))
	}
	return parsed, nil
}

// quote shows what was given, shortened and harmless to print.
func quote(s string) string {
	if len(s) > 80 {
		s = strings.ToValidUTF8(s[:80], "") + "…"
	}
	return strconv.Quote(s)
}

// faults gathers all that is wrong with an input.
type faults []FieldError

func (f *faults) add(name, code, format string, args ...any) {
	*f = append(*f, FieldError{Pointer: "#/" + name, Code: code, Detail: fmt.Sprintf(format, args...)})
}

// text checks what JSON cannot carry: it would put U+FFFD in place of it, unasked.
func (f *faults) text(name, value string) {
	if !utf8.ValidString(value) {
		f.add(name, "not_utf8", "is not valid UTF-8")
	}
}

func (f *faults) length(name, value string, most int) {
	if n := utf8.RuneCountInString(value); n > most {
		f.add(name, "too_long", "has at most %d characters, not %d", most, n)
	}
}

func (f faults) err() error {
	if len(f) == 0 {
		return nil
	}
	return &InputError{Fields: f}
}

func optional[T comparable](value T) *T {
	var zero T
	if value == zero {
		return nil
	}
	return &value
}

func optionalTime(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	utc := t.UTC()
	return &utc
}
