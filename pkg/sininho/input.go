package sininho

import (
	"crypto/rand"
	"fmt"
	"maps"
	"net/mail"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"github.com/sininho/sininho/pkg/rules"
)

// CallOption changes one call that creates something.
type CallOption func(*call)

type call struct{ key string }

// WithIdempotencyKey gives the call a key of your own, 1 to 255 visible ASCII characters.
// A call with a key that was used within 24 hours does nothing and returns the first
// response, so that a program that was cut off can run again. A key counts for one caller
// and one path: the same key on two channels publishes to both. Without this option each
// call makes a key, which covers its own retries.
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

// ChangeOption changes one call that changes or deletes something.
type ChangeOption func(*change)

type change struct{ version *string }

// IfVersion lets the call change nothing unless the thing still is as it was seen: give the
// Version of what a Get, Create or Update returned. Otherwise the call is an [ErrChanged],
// as it is for the empty version of what came in a list.
// A retry after an answer that was lost can be one too, though the change was made: look
// again.
func IfVersion(version string) ChangeOption {
	if version == "" {
		version = `""` // no server's: the check must not silently be left out
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
		"must have lower-case letters, digits and single hyphens, as demo; got "+quote(slug))
}

// parseItem checks a publisher's slug and the id of something that it has.
func parseItem(slug, id string) (string, uuid.UUID, error) {
	slug, err := parseSlug(slug)
	if err != nil {
		return "", uuid.UUID{}, err
	}
	parsed, err := parseID(id)
	return slug, parsed, err
}

// parseChannelItem checks a channel's address and the id of something that is in it.
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

// bounded checks what no server keeps: a NUL, and more than most characters.
func (f *faults) bounded(name, value string, most int) {
	if strings.ContainsRune(value, 0) {
		f.add(name, "text", "holds a NUL")
	}
	f.length(name, value, most)
}

func (f *faults) length(name, value string, most int) {
	if n := utf8.RuneCountInString(value); n > most {
		f.add(name, "too_long", "has at most %d characters, not %d", most, n)
	}
}

// name checks a name or title, which stands on one line beside others.
func (f *faults) name(field, value string, most int) {
	switch {
	case value == "":
		f.add(field, "required", "is needed")
	case rules.IsBlank(value):
		f.add(field, "blank", "is blank")
	case rules.HasControls(value):
		f.add(field, "text", "holds a line break, or another control or direction character")
	}
	f.length(field, value, most)
}

// link checks an address that readers are led to, if there is one.
func (f *faults) link(name, value string) {
	switch {
	case len(value) > MaxAddress:
		f.add(name, "too_long", "has at most %d bytes, not %d", MaxAddress, len(value))
	case value != "" && !isLink(value):
		f.add(name, "link", "must be an https address as https://example.com/page, not %s", quote(value))
	}
}

// isLink lets http to this machine through: a server under development takes it.
func isLink(value string) bool {
	u, err := url.Parse(value)
	if err != nil || u.Host == "" || u.User != nil || strings.ContainsAny(value, " \t\r\n\"<>\\") {
		return false
	}
	return u.Scheme == "https" || u.Scheme == "http" && isLoopback(u.Hostname())
}

func isLoopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}

// email checks only what keeps the address from being sent at all; the server judges it.
func (f *faults) email(name, value string) {
	if _, err := mail.ParseAddress(value); err != nil || strings.ContainsAny(value, "<> ") {
		f.add(name, "invalid_email", "must be an e-mail address as ana@example.com, not %s", quote(value))
	}
}

// id reads the id of a category.
func (f *faults) id(name, value string) uuid.UUID {
	parsed, err := uuid.Parse(value)
	if err != nil {
		f.add(name, "invalid_id", "must be the id of a category, not %s", quote(value))
	}
	return parsed
}

// texts checks texts that may be absent, by their names.
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

// value is what p points to, or zero.
func value[T any](p *T) T {
	var zero T
	if p == nil {
		return zero
	}
	return *p
}
