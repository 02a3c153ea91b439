// Package standin and the packages below it imitate the outside services that Sininho needs: Firebase Cloud Messaging,
// Google's sign-in and other OpenID providers, PostHog, a mail server, and the push service of a browser. Each speaks
// the wire protocol of the real service, so that only an address in the product's settings differs. They are for
// development and tests only: they listen on loopback, trust every client, and keep everything in memory.
//
// README.md shows how to drive them from a script.
package standin
