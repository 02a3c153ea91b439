// Package standin and the packages below it imitate the outside services that Sininho needs: Firebase Cloud Messaging,
// Google's sign-in, PostHog, a mail server, and the push service behind a browser. Each speaks the wire protocol of the real one, so that the
// product is told an address and knows no difference. They are for development and tests only: they listen on loopback,
// trust whoever can reach them, and keep everything in memory.
//
// README.md shows how a script drives them.
package standin
