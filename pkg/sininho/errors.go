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
	// ErrUnreachable means that no attempt got a response. The request may have been carried out:
	// repeat it under the same idempotency key ([WithIdempotencyKey]) or externalId.
	ErrUnreachable = errors.New("the server could not be reached")
	// ErrUnauthorized means that the credential is missing, wrong, expired or revoked (401).
	ErrUnauthorized = errors.New("unauthorized")
	// ErrForbidden means that the API key lacks the scope or cannot do this at all, that the
	// person's role does not allow it, or that the person is not an operator (403). Accessing what
	// belongs to somebody else fails with [ErrNotFound].
	ErrForbidden = errors.New("forbidden")
	// ErrNotFound means that the resource does not exist or is not yours (404).
	ErrNotFound = errors.New("not found")
	// ErrConflict means that the request conflicts with existing data, such as a slug that is taken (409).
	ErrConflict = errors.New("conflict")
	// ErrChanged means that the resource has changed since the version given to [IfVersion] was read (412).
	ErrChanged = errors.New("changed meanwhile")
	// ErrInvalid means that the input was refused, by this package ([*InputError]) or by the server
	// (422). Either error lists all faults.
	ErrInvalid = errors.New("invalid input")
	// ErrRateLimited means that the rate limit is still exceeded after the retries (429); see Error.RetryAfter.
	ErrRateLimited = errors.New("over the rate limit")
)

// codeIdempotencyInFlight is the code of the 409 response while the first request with this
// idempotency key is still in progress.
const codeIdempotencyInFlight = "idempotency_in_flight"

// Error codes that programs may want to distinguish.
const (
	// CodeAlreadyRotated means that the API key has a successor (409); rotate that one.
	CodeAlreadyRotated = "already_rotated"
	// CodeNotPrivate means that only a private channel has members and invitations (409).
	CodeNotPrivate = "not_private"
	// CodeAlreadyMember means that the invited address is that of a member with this role or more (409).
	CodeAlreadyMember = "already_member"
	// CodeDisabled means that the event endpoint is disabled (422); enable it first.
	CodeDisabled = "disabled"
	// CodeInUse means that something else depends on the resource (409); delete or move that first.
	CodeInUse = "in_use"
	// CodeInvitationAccepted means that an accepted membership invitation cannot be withdrawn (409).
	CodeInvitationAccepted = "invitation_accepted"
	// CodeInvitationEnded means that the membership invitation has expired, or was answered or withdrawn (409).
	CodeInvitationEnded = "invitation_ended"
	// CodeInvitationRequired means that nobody becomes a member or an owner without having accepted (422).
	CodeInvitationRequired = "invitation_required"
	// CodeLastOwner means that the change would leave a publisher without an owner (409).
	CodeLastOwner = "last_owner"
	// CodeNameTaken means that the channel has a template with that name (409).
	CodeNameTaken = "name_taken"
	// CodeRequestNotNeeded means that the person may create the publisher without asking (409).
	CodeRequestNotNeeded = "request_not_needed"
	// CodeRequestRequired means that operators approve each publisher (403); see [PublisherRequestsService.Ask].
	CodeRequestRequired = "request_required"
	// CodeSlugTaken means that the slug is already in use (409).
	CodeSlugTaken = "slug_taken"
	// CodeTooManyInvitations means that the person or publisher has invited too many addresses today (429).
	CodeTooManyInvitations = "too_many_invitations"
	// CodeQuotaExceeded means that the publisher's storage is full (422); see [PublishersService.Storage].
	CodeQuotaExceeded = "quota_exceeded"
	// CodeUnreadablePicture means that an uploaded file is no picture that the server can decode (422).
	CodeUnreadablePicture = "unreadable_picture"
	// CodeUnconfirmed means that the owner of the event endpoint's address has not agreed yet (422); confirm it first.
	CodeUnconfirmed = "unconfirmed"
	// CodeSuspended means that an operator has suspended the channel, the publisher or the account.
	CodeSuspended = "suspended"
	// CodeAccessDenied means that the person refused the device sign-in (400).
	CodeAccessDenied = "access_denied"
	// CodeExpiredToken means that the device sign-in has expired or was already used (400).
	CodeExpiredToken = "expired_token"
)

// errResponse means that the response is not one that Sininho sends.
var errResponse = errors.New("unexpected response")

// Error is a refusal by the server (RFC 9457). Get it with [errors.As]. It never contains a
// credential, even if the server repeats one.
type Error struct {
	// Method and Path are those of the request. A credential in the path is replaced by its
	// parameter name, as in `/waitlist/entries/{token}`.
	Method, Path string
	// Status is the HTTP status.
	Status int
	// Code is stable and meant for programs. It is empty if the response came from a proxy instead of the server.
	Code string
	// Title and Detail are meant for people.
	Title, Detail string
	// RequestID identifies the request in the server's log.
	RequestID string
	// Fields has every fault of the input.
	Fields []FieldError
	// RetryAfter is how long to wait before trying again; 0 if the server does not specify it.
	RetryAfter time.Duration
}

// FieldError is one fault of an input.
type FieldError struct {
	// Pointer locates the fault: `#/title` in the body, or `query:limit`, `path:id`, `header:idempotency-key`.
	Pointer string `json:"pointer"`
	// Code is stable and meant for programs, for example too_long.
	Code string `json:"code"`
	// Detail is meant for people.
	Detail string `json:"detail"`
}

// Name returns the field's name without the notation: `title` for `#/title`.
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

// Is reports whether the status corresponds to target, one of the kinds of failure.
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

// InputError is an input that was refused before anything was sent. It matches [ErrInvalid].
type InputError struct {
	// Fields has every fault, in the notation of [Error].Fields.
	Fields []FieldError
}

// Error describes all faults in one line.
func (e *InputError) Error() string {
	b := &strings.Builder{}
	b.WriteString("sininho: not sent")
	writeFields(b, e.Fields)
	return b.String()
}

// Is reports whether target is ErrInvalid.
func (e *InputError) Is(target error) bool { return target == ErrInvalid }

func writeFields(b *strings.Builder, fields []FieldError) {
	separator := ": "
	for _, f := range fields {
		b.WriteString(separator + f.Name() + " " + f.Detail)
		separator = "; "
	}
}
