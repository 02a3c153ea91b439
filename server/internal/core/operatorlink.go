package core

import (
	"context"
	"time"
)

// OperatorLink is a link by which one person signs up with a passkey and becomes an operator, for installations that
// know nobody by an email address. Only the hash of its secret is stored.
type OperatorLink struct {
	ExpiresAt time.Time
	Only      bool // all others who came in by such a link are no operators any more once it is used
}

// OperatorLinkLife is how long an operator link is valid.
const OperatorLinkLife = 24 * time.Hour

// operatorLinkPrefix begins the secret of each operator link.
const operatorLinkPrefix = "sno_live_"

// OperatorLinkPage returns the page of the web app where the link is used. Browsers do not send what follows the "#",
// so the secret is in no log of theirs or of proxies.
func OperatorLinkPage(publicURL, secret string) string {
	return publicURL + "/login/operator#" + secret
}

// ErrNoOperatorLink returns the error for a link that does not make an operator.
func ErrNoOperatorLink() *Error {
	return &Error{Code: CodeNotFound, Reason: "no_operator_link", Detail: Text{
		EN: "This link is not valid: it has expired, or was used. `sininho-server operator-link` prints another one.",
		PT: "Esta ligação não é válida: expirou ou já foi usada. `sininho-server operator-link` mostra outra."}}
}

// OperatorLinkStore keeps operator links.
type OperatorLinkStore interface {
	CreateOperatorLink(ctx context.Context, hash []byte, l OperatorLink) error
	// CheckOperatorLink fails with ErrNoOperatorLink unless the link is valid.
	CheckOperatorLink(ctx context.Context, hash []byte, now time.Time) error
	// HasOperator reports whether anybody is an operator by a link.
	HasOperator(ctx context.Context) (bool, error)
}

// NewOperatorLink makes a link, and returns its address.
func NewOperatorLink(
	ctx context.Context, store OperatorLinkStore, publicURL string, only bool, now time.Time,
) (address string, err error) {
	secret := newSecret(operatorLinkPrefix)
	l := OperatorLink{ExpiresAt: now.Add(OperatorLinkLife), Only: only}
	return OperatorLinkPage(publicURL, secret), store.CreateOperatorLink(ctx, HashSecret(secret), l)
}
