package core

import (
	"context"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/binary"
	"fmt"
	"strings"
	"time"
)

// EmailSignIn is a sign-in by an emailed code that has begun.
type EmailSignIn struct {
	ID    ID
	Email string
	// SubscriberID is the person to whom the address is added as a way to sign in, or nil to sign in.
	SubscriberID *ID
	// Language is that of the request that began it, and of the email if the person has no account.
	Language Language
	// Browser is the hash of the secret by which the browser is known, or nil.
	Browser   []byte
	Network   string // from which it was asked for
	CreatedAt time.Time
	ExpiresAt time.Time
}

// EmailSignInInput begins a sign-in by email.
type EmailSignInInput struct {
	Email string
	SignInStart
}

// Validate implements Input.
func (in EmailSignInInput) Validate(*Rules, time.Time) []FieldError {
	return CheckEmail("#/email", in.Email)
}

const (
	// EmailCodeLife is how long an emailed code is valid.
	EmailCodeLife = 15 * time.Minute
	// EmailCodeTries is how often a code can be tried. With codes of 8 digits, one who asks for as many as a mailbox
	// gets guesses one in 2,000,000 a day.
	EmailCodeTries = 5
	// EmailSignInsKept is how long sign-ins are kept, so that they count as those of the last day.
	EmailSignInsKept = 24 * time.Hour
)

// EmailCodeLimits bound how many codes are sent.
type EmailCodeLimits struct {
	// Hourly and Daily bound the codes to one mailbox that strangers ask for, and apart from these those that a person
	// asks for in browsers in which they have signed in before.
	Hourly, Daily int
	Network       int // a day, that strangers of one network ask for (Around has more)
	Budget        EmailBudget
}

// NewEmailCodeLimits returns the limits of production with a budget.
func NewEmailCodeLimits(b EmailBudget) EmailCodeLimits {
	return EmailCodeLimits{Hourly: 5, Daily: 10, Network: b.ForNetwork(), Budget: b}
}

// EmailSignInStore keeps sign-ins by email.
type EmailSignInStore interface {
	// BeginEmailSignIn stores a sign-in and queues its email. It fails with CodeRateLimited when as many codes were
	// sent as the limits allow.
	BeginEmailSignIn(ctx context.Context, s EmailSignIn, limits EmailCodeLimits) error
	// TryEmailSignIn counts an attempt, and ends the sign-in if the code was right. left is how many attempts remain.
	// It fails with CodeNotFound when the sign-in has ended, has expired, or had too many attempts.
	TryEmailSignIn(ctx context.Context, id ID, right bool, now time.Time) (s EmailSignIn, left int, err error)
}

// EmailCodes derives the codes of sign-ins by email. A code is not stored: it follows from the id of its sign-in and a
// key, so that the email can be written again and a copy of the database tells no code.
type EmailCodes struct{ key []byte }

// NewEmailCodes derives the key of codes from the server's secret key.
func NewEmailCodes(secretKey []byte) (EmailCodes, error) {
	key, err := hkdf.Key(sha256.New, secretKey, nil, "sininho email code", sha256.Size)
	return EmailCodes{key}, err
}

const (
	emailCodeDigits = 8
	emailCodes      = 100_000_000
)

// Code returns the code of a sign-in: 8 digits.
func (c EmailCodes) Code(id ID) string {
	mac := hmac.New(sha256.New, c.key)
	mac.Write(id[:])
	return fmt.Sprintf("%0*d", emailCodeDigits, binary.BigEndian.Uint64(mac.Sum(nil))%emailCodes)
}

// Is reports whether code is that of a sign-in. Spaces and hyphens do not matter.
func (c EmailCodes) Is(id ID, code string) bool {
	code = strings.NewReplacer(" ", "", "-", "", "\u00a0", "").Replace(code)
	return subtle.ConstantTimeCompare([]byte(code), []byte(c.Code(id))) == 1
}

// EmailCodePage returns the page of the web app where people give a code. Its fragment may have the code.
func EmailCodePage(publicURL string) string { return publicURL + "/login/code" }

// ErrWrongCode returns the error for a code that is not the emailed one.
func ErrWrongCode(left int) *Error {
	return Invalid(FieldError{Pointer: "#/code", Code: "wrong", Detail: Text{
		EN: fmt.Sprintf("is not the code of the last email; %d tries are left", left),
		PT: fmt.Sprintf("não é o código do último e-mail; pode tentar mais %d vezes", left)}})
}

// ErrNoEmailSignIn returns the error for a code in a browser that waits for none.
func ErrNoEmailSignIn() *Error {
	return &Error{Code: CodeNotFound, Reason: "no_sign_in", Detail: Text{
		EN: "This browser waits for no code: it has expired, was used, or belongs to another browser. Ask for another.",
		PT: "Este navegador não espera nenhum código: expirou, já foi usado ou é de outro navegador. Peça outro."}}
}

// ErrTooManyCodes returns the error for a mailbox that was sent as many codes as it may.
func ErrTooManyCodes(wait time.Duration) *Error {
	minutes := int(wait.Minutes()) + 1
	return &Error{Code: CodeRateLimited, RetryAfter: wait, Detail: Text{
		EN: fmt.Sprintf("This address was sent too many codes. Try again in %d minutes.", minutes),
		PT: fmt.Sprintf("Este endereço já recebeu demasiados códigos. Tente novamente daqui a %d minutos.", minutes)}}
}
