package sininho

import (
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Kinds of failure, to be matched with [errors.Is].
var (
	// ErrUnreachable: no attempt got an answer. What was sent may have been carried out:
	// repeat it under the same idempotency key ([WithIdempotencyKey]) or externalId.
	ErrUnreachable = errors.New("the server could not be reached")
	// ErrUnauthorized: no credential, or one that is wrong, expired or revoked (401).
	ErrUnauthorized = errors.New("unauthorized")
	// ErrForbidden: the API key lacks the scope or cannot do this at all, the person's role does
	// not allow it, or the person is no operator (403). What belongs to somebody else is an
	// [ErrNotFound].
	ErrForbidden = errors.New("forbidden")
	// ErrNotFound: there is no such thing, or it is not yours (404).
	ErrNotFound = errors.New("not found")
	// ErrConflict: it conflicts with what there is, such as a slug that is taken (409).
	ErrConflict = errors.New("conflict")
	// ErrChanged: it was changed since the version given by [IfVersion] was seen (412).
	ErrChanged = errors.New("changed meanwhile")
	// ErrInvalid: the input is refused, by this package ([*InputError]) or by the server
	// (422); either lists all faults.
	ErrInvalid = errors.New("invalid input")
	// ErrRateLimited: over a limit even after the retries (429); see Error.RetryAfter.
	ErrRateLimited = errors.New("over the rate limit")
)

// CodeIdempotencyInFlight is the code of the 409 that says that the first request with this
// key is still being worked on. It is tried again by itself.
const CodeIdempotencyInFlight = "idempotency_in_flight"

// Codes of refusals that programs tell apart.
const (
	// CodeAlreadyRotated: the API key has a successor (409); rotate that one.
	CodeAlreadyRotated = "already_rotated"
	// CodeDisabled: the event endpoint is switched off (422); switch it on first.
	CodeDisabled = "disabled"
	// CodeInUse: something else depends on it (409); delete or move that first.
	CodeInUse = "in_use"
	// CodeLastOwner: a publisher keeps at least one owner (409).
	CodeLastOwner = "last_owner"
	// CodeSlugTaken: the slug is another's (409).
	CodeSlugTaken = "slug_taken"
	// CodeAccessDenied: the person refused the device sign-in (400).
	CodeAccessDenied = "access_denied"
	// CodeExpiredToken: the device sign-in is over (400).
	CodeExpiredToken = "expired_token"
)

// errAnswer: the answer is nothing that Sininho says.
var errAnswer = errors.New("unexpected answer")

// Error is a refusal by the server (RFC 9457). Get it with [errors.As]. It never holds a
// credential, even if the server repeats one.
type Error struct {
	// Method and Path are those of the request. A credential in the path is replaced by its
	// name, as in `/waitlist/entries/{token}`.
	Method, Path string
	// Status is the HTTP status.
	Status int
	// Code is stable and for programs; empty when something before the server answered.
	Code string
	// Title and Detail are for people.
	Title, Detail string
	// RequestID names the request in the server's log.
	RequestID string
	// Fields holds every fault of the input.
	Fields []FieldError
	// RetryAfter is how long the server asks to wait; 0 when it does not.
	RetryAfter time.Duration
}

// FieldError is one fault of an input.
type FieldError struct {
	// Pointer says where: `#/title` in the body, or `query:limit`, `path:id`,
	// `header:idempotency-key`.
	Pointer string `json:"pointer"`
	// Code is stable and for programs, as too_long.
	Code string `json:"code"`
	// Detail is for people.
	Detail string `json:"detail"`
}

// Name is the field's name without the notation, as `title` for `#/title`.
func (f FieldError) Name() string {
	if name, ok := strings.CutPrefix(f.Pointer, "#/"); ok {
		return strings.NewReplacer("~1", "/", "~0", "~").Replace(strings.ReplaceAll(name, "/", "."))
	}
	_, name, found := strings.Cut(f.Pointer, ":")
	if found {
		return name
	}
	return f.Pointer
}

// Error describes the refusal in one line.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString("sininho: ")
	if e.Method != "" {
		b.WriteString(e.Method + " " + e.Path + ": ")
	}
	b.WriteString(strconv.Itoa(e.Status))
	if e.Code != "" {
		b.WriteString(" " + e.Code)
	}
	text := e.text()
	if len(e.Fields) > 0 {
		text = strings.TrimSuffix(text, ".") // the faults continue the sentence
	}
	if text != "" {
		b.WriteString(": " + text)
	}
	writeFields(&b, e.Fields)
	if e.RequestID != "" {
		b.WriteString(" [request " + e.RequestID + "]")
	}
	return b.String()
}

func (e *Error) text() string {
	if e.Detail != "" {
		return e.Detail
	}
	return e.Title
}

// Is matches the kinds of failure by the status.
func (e *Error) Is(target error) bool {
	switch e.Status {
	case http.StatusUnauthorized:
		return target == ErrUnauthorized
	case http.StatusForbidden:
		return target == ErrForbidden
	case http.StatusNotFound:
		return target == ErrNotFound
	case http.StatusConflict:
		return target == ErrConflict
	case http.StatusPreconditionFailed:
		return target == ErrChanged
	case http.StatusUnprocessableEntity:
		return target == ErrInvalid
	case http.StatusTooManyRequests:
		return target == ErrRateLimited
	}
	return false
}

// InputError is an input that was refused before anything was sent. It is an [ErrInvalid].
type InputError struct {
	// Fields holds every fault, in the notation of [Error].Fields.
	Fields []FieldError
}

// Error tells all faults in one line.
func (e *InputError) Error() string {
	b := &strings.Builder{}
	b.WriteString("sininho: not sent")
	writeFields(b, e.Fields)
	return b.String()
}

// Is makes it an ErrInvalid.
func (e *InputError) Is(target error) bool { return target == ErrInvalid }

func writeFields(b *strings.Builder, fields []FieldError) {
	separator := ": "
	for _, f := range fields {
		b.WriteString(separator + f.Name() + " " + f.Detail)
		separator = "; "
	}
}
