// Package session signs subscribers in with Google, knows them again by a cookie, and signs them out.
//
// A session is 32 random bytes in the cookie __Host-sininho, of which the store has only the hash. Every sign-in makes a
// new one and ends the browser's previous. Signing in is the code flow with PKCE; what it must remember meanwhile is
// encrypted in a cookie of its own, so that nodes need not share it and only the browser that began can finish.
//
// It trusts nothing that the browser brings back but what it has itself encrypted, and it makes no session unless
// everything has succeeded.
package session
