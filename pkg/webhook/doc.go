// Package webhook signs and verifies webhooks according to Standard Webhooks 1.0
// (https://www.standardwebhooks.com), with its symmetric scheme: HMAC-SHA256 over
// `id.timestamp.body`, sent in the headers webhook-id, webhook-timestamp and webhook-signature.
//
// The sender creates a secret once with [NewSecret], shares it with the receiver, and calls [Sign]
// for every attempt. The receiver calls [Verify] on the raw body before it parses anything, and
// stores the ids that it has handled, because an attempt may arrive twice.
//
// A receiver confirms an event endpoint of Sininho with [SignChallenge].
//
// While a secret is being replaced, the sender signs with both secrets, or the receiver accepts
// both: each side takes several secrets.
//
// The package stores nothing, sends nothing, reads no clock other than the given one (or the
// system's), and never puts a secret or a body into an error.
package webhook
