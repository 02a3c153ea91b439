// Package session signs subscribers in with Google, recognizes them by a cookie, and signs them out.
//
// A session is 32 random bytes in the cookie __Host-sininho; the store keeps only their hash. Every sign-in creates a
// new session and ends the browser's previous one. Signing in is the code flow with PKCE. Its state is encrypted in a
// separate cookie, so nodes need not share it and only the browser that began a sign-in can finish it.
//
// The package trusts nothing that the browser sends back except what it has encrypted itself, and it creates a session
// only after every step has succeeded.
package session
