// Package session signs subscribers in, recognizes them by a cookie, and signs them out.
//
// A session is 32 random bytes in the cookie __Host-sininho; the store keeps only their hash. Every sign-in creates a
// new session and ends the browser's previous one.
//
//	signin.go    from the beginning of a sign-in at a provider to its session
//	provider.go  what a provider does: google.go by its own addresses, oidc.go by discovery
//	email.go     signing in with an email address: a code and a link, which work only in the browser that asked
//	passkey.go   signing in and up with a passkey; ownpasskey.go has those of a person, ceremony.go the challenges
//	identity.go  what a person signs in with, and adding another
//	pending.go   sign-ins that have begun
//	session.go   sessions, by which browsers are recognized
//	anonymous.go following without an account
//
// Signing in at a provider is the code flow with PKCE. Its state is encrypted in a separate cookie, so nodes need not
// share it and only the browser that began a sign-in can finish it. The provider is part of it, so that the code of one
// provider is never given to another.
//
// The package trusts nothing that the browser sends back except what it has encrypted itself, and it creates a session
// only after every step has succeeded.
package session
