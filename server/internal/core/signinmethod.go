package core

// SignInKind is a kind of sign-in.
type SignInKind string

// The kinds of sign-in.
const (
	SignInGoogle    SignInKind = "google"
	SignInOIDC      SignInKind = "oidc"
	SignInEmail     SignInKind = "email"
	SignInAnonymous SignInKind = "anonymous" // without an account
	SignInPasskey   SignInKind = "passkey"
)

// SignInMethod is a way to sign in that the installation offers.
type SignInMethod struct {
	Kind     SignInKind
	Provider string // the name of an OpenID provider in addresses
	Name     string // for people
	Issuer   string // of the identities that it gives
	// URL is the path that signs in: of a page for providers, otherwise of a request.
	URL string
}

// SignInStart is how a sign-in begins.
type SignInStart struct {
	Redirect   string // where it ends, if that is a path of this server
	LoginHint  string // the account to choose at the provider
	Invitation string // the token that lets a new person sign up
}

// SignInCallback is what a provider adds to the address at which the browser comes back.
type SignInCallback struct{ State, Code, Error, Issuer string }

// ErrNotOffered returns the error for a way to sign in that the installation does not offer.
func ErrNotOffered() *Error {
	return &Error{Code: CodeNotFound, Reason: "not_offered", Detail: Text{
		EN: "This installation does not offer this way to sign in.",
		PT: "Esta instalação não oferece esta forma de entrar."}}
}
