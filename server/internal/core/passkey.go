package core

import (
	"context"
	"fmt"
	"time"
)

// Passkey is a key that an authenticator of a person holds for the installation, such as their phone or a security key.
// The server has only its public part.
type Passkey struct {
	ID           ID
	SubscriberID ID
	Name         string
	CredentialID []byte // by which the authenticator knows it
	UserHandle   []byte // random, by which the authenticator knows the account
	Credential   []byte // the public key, the counter and the flags, as package session keeps them
	CreatedAt    time.Time
	UsedAt       *time.Time // when the person last signed in with it
}

// IssuerPasskey stands for all passkeys among the issuers that an installation offers. No identity has it.
const IssuerPasskey = "passkey"

const (
	// MaxPasskeys is how many passkeys a person can have.
	MaxPasskeys = 20
	// PasskeyChallengeLife is how long the person has for an answer of their authenticator.
	PasskeyChallengeLife = 10 * time.Minute
)

// PasskeySignUpInput begins to sign up with a passkey.
type PasskeySignUpInput struct {
	Name         string // of the person
	OperatorLink string // the secret of an operator link, or empty
	SignInStart
}

// Validate implements Input.
func (in PasskeySignUpInput) Validate(*Rules, time.Time) []FieldError {
	var f faults
	f.Name("#/name", in.Name, maxPersonName)
	return f.Faults
}

// PasskeyInput is the input for a new passkey. Without a name, it gets that of the browser and its system.
type PasskeyInput struct {
	Name       *string
	Credential []byte // what the authenticator has made, in JSON
}

// Validate implements Input.
func (in PasskeyInput) Validate(*Rules, time.Time) []FieldError {
	if in.Name == nil {
		return nil
	}
	return CheckName("#/name", *in.Name)
}

// PasskeyRename is the input for renaming a passkey.
type PasskeyRename struct{ Name string }

// Validate implements Input.
func (in PasskeyRename) Validate(*Rules, time.Time) []FieldError { return CheckName("#/name", in.Name) }

// ErrNoPasskeyChallenge returns the error for the answer to a challenge that the browser does not wait for.
func ErrNoPasskeyChallenge() *Error {
	return &Error{Code: CodeNotFound, Reason: "no_challenge", Detail: Text{
		EN: "This browser waits for no passkey: it has taken too long, or was used. Try again.",
		PT: "Este navegador não espera nenhuma chave de acesso: demorou demasiado ou já foi usada. Tente novamente."}}
}

// ErrPasskeyRefused returns the error for the answer of an authenticator that proves nothing.
func ErrPasskeyRefused() *Error {
	return passkeyFault("refused", "is not the answer of an authenticator to this challenge",
		"não é a resposta de um autenticador a este desafio")
}

// ErrUnknownPasskey returns the error for a passkey that belongs to no account, or to none any more.
func ErrUnknownPasskey() *Error {
	return passkeyFault("unknown", "is of a passkey that belongs to no account here",
		"é de uma chave de acesso que não pertence a nenhuma conta daqui")
}

// ErrClonedPasskey returns the error for a passkey whose counter has gone back, so that there may be a copy of it.
func ErrClonedPasskey() *Error {
	return passkeyFault("cloned", "is of a passkey that seems to have been copied: sign in another way and remove it",
		"é de uma chave de acesso que parece ter sido copiada: entre de outra forma e retire-a")
}

// ErrPasskeyTaken returns the error for adding a passkey that is registered already.
func ErrPasskeyTaken() *Error {
	return passkeyFault("taken", "is of a passkey that is registered already",
		"é de uma chave de acesso que já está registada")
}

func passkeyFault(code, en, pt string) *Error {
	return Invalid(FieldError{Pointer: "#/credential", Code: code, Detail: Text{EN: en, PT: pt}})
}

// ErrTooManyPasskeys returns the error for adding more than MaxPasskeys.
func ErrTooManyPasskeys() *Error {
	return Conflict("too_many", Text{
		EN: fmt.Sprintf("An account has at most %d passkeys. Remove one first.", MaxPasskeys),
		PT: fmt.Sprintf("Uma conta tem no máximo %d chaves de acesso. Retire uma primeiro.", MaxPasskeys)})
}

// PasskeyStore keeps the passkeys of subscribers.
type PasskeyStore interface {
	// Passkeys returns a person's passkeys, oldest first.
	Passkeys(ctx context.Context, subscriberID ID) ([]Passkey, error)
	// UseChallenge records that a challenge was answered, until it expires. It fails with ErrNoPasskeyChallenge when it
	// was before, also on another node.
	UseChallenge(ctx context.Context, hash []byte, expiresAt time.Time) error
	// SignInWithPasskey finds the person with a passkey, and keeps what verify returns as its credential. It fails with
	// ErrUnknownPasskey when there is none, and as verify does. Others who sign in with the same passkey wait. A
	// suspended person is returned with their suspension, and cannot have a session.
	SignInWithPasskey(
		ctx context.Context, credentialID []byte, verify func(Passkey) (credential []byte, err error), now time.Time,
	) (Subscriber, error)
	// SignUpWithPasskey creates an account with a name, a locale and a passkey, and without an address. It fails with
	// ErrUninvited when the person may not sign up, with ErrNoOperatorLink when their link is not valid, and with
	// ErrPasskeyTaken.
	SignUpWithPasskey(ctx context.Context, person Subscriber, key Passkey, up SignUp, now time.Time) (Subscriber, error)
	// AddPasskey fails with ErrPasskeyTaken, and with ErrTooManyPasskeys.
	AddPasskey(ctx context.Context, key Passkey) error
	// RenamePasskey fails with CodeNotFound when the person has none with this id.
	RenamePasskey(ctx context.Context, subscriberID, id ID, name string) (Passkey, error)
	// RemovePasskey fails with ErrLastIdentity unless another passkey or an identity of one of the offered issuers
	// remains, and with CodeNotFound when the person has none with this id.
	RemovePasskey(ctx context.Context, subscriberID, id ID, offered []string) error
}
