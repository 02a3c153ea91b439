// Package authenticator plays what holds a person's passkey, such as their phone, with the page that asks for it. Tests
// change its fields to play attackers.
package authenticator

import (
	"fmt"

	"github.com/descope/virtualwebauthn"
)

// Authenticator has one passkey.
type Authenticator struct {
	Site virtualwebauthn.RelyingParty // where the page says to be
	Says virtualwebauthn.Authenticator
	Key  virtualwebauthn.Credential
}

// New returns an authenticator for the pages at an origin, whose host is given without a port.
func New(host, origin string) *Authenticator {
	return &Authenticator{Site: virtualwebauthn.RelyingParty{Name: "Sininho", ID: host, Origin: origin},
		Says: virtualwebauthn.NewAuthenticator(), Key: NewKey()}
}

// wholeKey is the length of a public key, in bytes, whose coordinates do not begin with zeros.
const wholeKey = 77

// NewKey returns a key. virtualwebauthn leaves out the zeros that a coordinate begins with, as one key of 128 has, and
// no server takes such a key.
func NewKey() virtualwebauthn.Credential {
	for {
		if k := virtualwebauthn.NewCredential(virtualwebauthn.KeyTypeEC2); len(k.Key.AttestationData()) == wholeKey {
			return k
		}
	}
}

// Make makes the passkey that a server's options ask for, and returns it in JSON.
func (a *Authenticator) Make(options []byte) ([]byte, error) {
	o, err := virtualwebauthn.ParseAttestationOptions(string(options))
	if err != nil {
		return nil, fmt.Errorf("parse the options %s: %w", options, err)
	}
	a.Says.Options.UserHandle = []byte(o.UserID)
	return []byte(virtualwebauthn.CreateAttestationResponse(a.Site, a.Says, a.Key, *o)), nil
}

// Answer signs the challenge of a server's options, and returns the answer in JSON.
func (a *Authenticator) Answer(options []byte) ([]byte, error) {
	o, err := virtualwebauthn.ParseAssertionOptions(string(options))
	if err != nil {
		return nil, fmt.Errorf("parse the options %s: %w", options, err)
	}
	return []byte(virtualwebauthn.CreateAssertionResponse(a.Site, a.Says, a.Key, *o)), nil
}
