// Package webpush sends pushes to the push services of browsers and of UnifiedPush distributors: RFC 8030, encrypted
// by RFC 8291 and signed by RFC 8292. It turns each response into a core.Result by the table in README.md, and sends
// each push once: delivery decides every retry. Endpoints are addresses that strangers give, so it dials only public
// ones, and those of the networks that a setting names.
package webpush
