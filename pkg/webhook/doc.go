// Package webhook signs and verifies webhooks as Standard Webhooks 1.0 says
// (https://www.standardwebhooks.com), with its symmetric scheme: HMAC-SHA256 over
// `id.timestamp.body`, sent in the headers webhook-id, webhook-timestamp and
// webhook-signature.
//
// The sender makes a secret once with [NewSecret], gives it to the receiver, and
// calls [Sign] for every attempt. The receiver calls [Verify] on the raw body, before
// it parses anything, and keeps the id of what it has handled: an attempt may come
// twice.
//
// While a secret is being exchanged for another, the sender signs with both, or the
// receiver accepts both: each side takes several secrets.
//
// The package keeps nothing, sends nothing, reads no clock but the one it is given (or
// the system's), and never puts a secret or a body into an error.
package webhook
