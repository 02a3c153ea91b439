package session

import (
	"cmp"
	"slices"

	"github.com/sininho/sininho/server/internal/core"
)

// base is the path of the requests that sign in.
const base = "/api/v1/auth"

var (
	byEmail = core.SignInMethod{Kind: core.SignInEmail, Name: "E-mail", Issuer: core.IssuerEmail, URL: base + "/email"}
	// anonymously gives no identities.
	anonymously = core.SignInMethod{Kind: core.SignInAnonymous, URL: base + "/anonymous"}
)

var byPasskey = core.SignInMethod{Kind: core.SignInPasskey, Name: "Passkey", Issuer: core.IssuerPasskey,
	URL: base + "/passkeys"}

// Methods returns the ways to sign in, in the order in which pages show them.
func (m *Manager) Methods() (list []core.SignInMethod) {
	for _, p := range m.providers {
		list = append(list, p.method())
	}
	if m.Emails != nil {
		list = append(list, byEmail)
	}
	if m.Anonymous {
		list = append(list, anonymously)
	}
	if m.party != nil {
		list = append(list, byPasskey)
	}
	return list
}

// MethodOf returns the way that gives identities of an issuer, or a way without a kind when it is not offered anymore.
func (m *Manager) MethodOf(issuer string) core.SignInMethod {
	for _, method := range m.Methods() {
		if method.Issuer == issuer {
			return method
		}
	}
	return core.SignInMethod{Name: issuer}
}

// find returns the provider of a kind. It fails with CodeNotFound when the installation does not offer it.
func (m *Manager) find(kind core.SignInKind, name string) (provider, error) {
	i := slices.IndexFunc(m.providers, func(p provider) bool {
		method := p.method()
		return method.Kind == kind && cmp.Or(method.Provider, name) == name
	})
	if i < 0 {
		return nil, core.ErrNotOffered()
	}
	return m.providers[i], nil
}
