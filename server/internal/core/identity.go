package core

import (
	"context"
	"fmt"
	"time"
)

// Identity is what a person signs in with: an account at an OpenID provider, or an email address.
type Identity struct {
	ID        ID
	Issuer    string // the address of the provider, or IssuerEmail
	Subject   string // by which the issuer knows the person; for IssuerEmail the address in lower case
	Email     string // the address that the issuer has verified
	CreatedAt time.Time
	UsedAt    *time.Time // when the person last signed in with it
}

// IssuerGoogle and IssuerEmail are the issuers of the identities at Google, and of email addresses, for which the
// installation itself vouches.
const (
	IssuerGoogle = "https://accounts.google.com"
	IssuerEmail  = "email"
)

// MaxIdentities is how many identities a person can have.
const MaxIdentities = 10

// IdentityInput begins to add an identity.
type IdentityInput struct {
	Kind     SignInKind
	Provider string // for SignInOIDC
	Email    string // for SignInEmail
	Redirect string // where it ends, if that is a path of this server
}

// Validate implements Input.
func (in IdentityInput) Validate(*Rules, time.Time) []FieldError {
	switch {
	case in.Kind == SignInEmail && in.Email == "":
		return []FieldError{{Pointer: "#/email", Code: "required",
			Detail: Text{EN: "is required for an email address", PT: "é obrigatório para um endereço de e-mail"}}}
	case in.Kind == SignInEmail:
		return CheckEmail("#/email", in.Email)
	case in.Kind == SignInOIDC && in.Provider == "":
		return []FieldError{{Pointer: "#/provider", Code: "required",
			Detail: Text{EN: "is required for an OpenID provider", PT: "é obrigatório para um fornecedor OpenID"}}}
	}
	return nil
}

// Profile is what an issuer reports about a person, whose email address it has verified. The locale of a new account is
// that of the browser when the issuer reports none.
type Profile struct {
	Issuer, Subject, Email, Name, Avatar, Locale string
}

// ErrKnownAddress returns the error for an identity whose address is that of an account with an identity of another
// issuer. It could belong to somebody else, so that the person has to sign in as before first.
func ErrKnownAddress() *Error {
	return Conflict("known_address", Text{
		EN: "There is an account with this email address. Sign in to it as before, and add this in the preferences.",
		PT: "Já há uma conta com este endereço de e-mail. Entre nela como antes e adicione esta nas preferências."})
}

// ErrIdentityTaken returns the error for adding an identity that another person signs in with.
func ErrIdentityTaken() *Error {
	return Conflict("taken", Text{EN: "Somebody else signs in with it. Delete that account first if it is yours.",
		PT: "Já há outra conta que entra desta forma. Se for sua, apague-a primeiro."})
}

// ErrLastIdentity returns the error for removing the last identity that a person can sign in with.
func ErrLastIdentity() *Error {
	return Conflict("last_identity", Text{EN: "It is the only way in to the account. Add another one first.",
		PT: "É a única forma de entrar na conta. Acrescente outra primeiro."})
}

// ErrTooManyIdentities returns the error for adding more than MaxIdentities.
func ErrTooManyIdentities() *Error {
	return Conflict("too_many", Text{
		EN: fmt.Sprintf("An account has at most %d ways in. Remove one first.", MaxIdentities),
		PT: fmt.Sprintf("Uma conta tem no máximo %d formas de entrar. Retire uma primeiro.", MaxIdentities)})
}

// IdentityStore keeps the identities of subscribers. The address of a person is that of the oldest one; a person with
// passkeys alone has none.
type IdentityStore interface {
	// Identities returns a person's identities, oldest first.
	Identities(ctx context.Context, subscriberID ID) ([]Identity, error)
	// AddIdentity fails with ErrIdentityTaken or ErrKnownAddress when the identity, or its address at another issuer,
	// is another person's. One that is the person's already stays as it is.
	AddIdentity(ctx context.Context, subscriberID ID, p Profile, now time.Time) error
	// RemoveIdentity fails with ErrLastIdentity unless one of the offered issuers remains, among them IssuerPasskey for
	// any passkey, and with CodeNotFound when there is none with this id.
	RemoveIdentity(ctx context.Context, subscriberID, id ID, offered []string, now time.Time) error
}
