package sininho

import (
	"crypto/rand"
	"fmt"
	"maps"
	"net/mail"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"github.com/sininho/sininho/pkg/rules"
)

// CallOption is an option of a call that creates something.
type CallOption func(*call)

type call struct{ key string }

// WithIdempotencyKey sets the idempotency key of a call, 1 to 255 visible ASCII characters. A call with a
// key that was used in the past 24 hours does nothing and returns the first response, so that an
// interrupted program can run again. A key applies to one caller and one path: the same key on two channels
// publishes to both. Without this option, each call generates a key, which covers its own retries.
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

// ChangeOption is an option of a call that changes or deletes something.
type ChangeOption func(*change)

type change struct{ version *string }

// IfVersion makes the call fail with [ErrChanged], changing nothing, if the resource is no longer
// in the given version: the Version of a value returned by Get, Create or Update. The call also
// fails for an empty version, such as that of a list item. A retry after a lost response can fail
// with ErrChanged although the change was made: read the resource again.
func IfVersion(version string) ChangeOption {
	if version == "" {
		version = `""` // matches no version, so that a missing version fails instead of skipping the check
	}
	return func(c *change) { c.version = &version }
}

func newChange(opts []ChangeOption) change {
	var c change
	for _, opt := range opts {
		opt(&c)
	}
	return c
}

func inputFault(pointer, code, detail string) error {
	return &InputError{Fields: []FieldError{{Pointer: pointer, Code: code, Detail: detail}}}
}

// parseSlug checks a publisher's slug, which becomes part of a path.
func parseSlug(slug string) (string, error) {
	if IsSlug(slug) {
		return slug, nil
	}
	return "", inputFault("path:publisherSlug", "invalid_slug",
		"must have lower-case letters, digits and single hyphens, such as demo; got "+quote(slug))
}

// parseItem checks a publisher's slug and the id of one of its resources.
func parseItem(slug, id string) (string, uuid.UUID, error) {
	slug, err := parseSlug(slug)
	if err != nil {
		return "", uuid.UUID{}, err
	}
	parsed, err := parseID(id)
	return slug, parsed, err
}

// parseChannelItem checks a channel's address and the id of one of its resources.
func parseChannelItem(channel, id string) (Address, uuid.UUID, error) {
	address, err := ParseAddress(channel)
	if err != nil {
		return Address{}, uuid.UUID{}, err
	}
	parsed, err := parseID(id)
	return address, parsed, err
}

func parseID(id string) (uuid.UUID, error) {
	parsed, err := uuid.Parse(id)
	if err != nil || len(id) != 36 {
		return uuid.UUID{}, inputFault("path:id", "invalid_id",
			"must be an id from the API, such as 0199c2f4-7a10-7c3e-9f3d-0a1b2c3d4e5f; got "+quote(id))
	}
	return parsed, nil
}

// quote returns a shortened, printable form of s for error messages.
func quote(s string) string {
	if len(s) > 80 {
		s = strings.ToValidUTF8(s[:80], "") + "…"
	}
	return strconv.Quote(s)
}

// faults collects everything that is wrong with an input.
type faults []FieldError

func (f *faults) add(name, code, format string, args ...any) {
	*f = append(*f, FieldError{Pointer: "#/" + name, Code: code, Detail: fmt.Sprintf(format, args...)})
}

// text checks for invalid UTF-8, which encoding/json would silently replace with U+FFFD.
func (f *faults) text(name, value string) {
	if !utf8.ValidString(value) {
		f.add(name, "text", "is not valid UTF-8")
	}
}

// inBatch adds the faults of one notification of a batch.
func (f *faults) inBatch(i int, list faults) {
	for _, fault := range list {
		fault.Pointer = rules.InBatch(i, fault.Pointer)
		*f = append(*f, fault)
	}
}

// email rejects a text that is clearly not an email address; the server validates the address.
func (f *faults) email(name, value string) {
	if _, err := mail.ParseAddress(value); err != nil || strings.ContainsAny(value, "<> ") {
		f.add(name, "invalid_email", "must be an email address such as ana@example.com, not %s", quote(value))
	}
}

// id parses the id of a category.
func (f *faults) id(name, value string) uuid.UUID {
	parsed, err := uuid.Parse(value)
	if err != nil {
		f.add(name, "invalid_id", "must be the id of a category, not %s", quote(value))
	}
	return parsed
}

// texts checks optional texts by their field names.
func (f *faults) texts(named map[string]*string) {
	for _, name := range slices.Sorted(maps.Keys(named)) {
		if text := named[name]; text != nil {
			f.text(name, *text)
		}
	}
}

func (f faults) err() error {
	if len(f) == 0 {
		return nil
	}
	return &InputError{Fields: f}
}

// anyServer accepts links to this machine, because a development server does, http pictures, because servers with a
// picture proxy do, and links of schemes that only the server's settings name.
var anyServer = rules.Links{AllowLoopback: true, HTTPPictures: true, AnyScheme: true}

// unchanged stands for a required text that an update leaves as it is, so that its other fields can be validated.
const unchanged = "-"

// found adds the faults of the shared rules.
func (f *faults) found(list rules.Faults) {
	for _, fault := range list {
		*f = append(*f, FieldError{Pointer: fault.Pointer, Code: fault.Code, Detail: fault.Detail.EN})
	}
}

// inputError returns the faults as an [*InputError], or nil if there are none.
func inputError(found rules.Faults) error {
	var f faults
	f.found(found)
	return f.err()
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

// value returns *p, or the zero value if p is nil.
func value[T any](p *T) T {
	var zero T
	if p == nil {
		return zero
	}
	return *p
}

// pointerTo returns a pointer to a copy of value, as new(value) does in Go 1.26.
func pointerTo[T any](value T) *T { return &value }
