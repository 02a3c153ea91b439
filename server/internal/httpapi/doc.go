// Package httpapi serves the APIs described in openapi/sininho.yaml and openapi/waitlist.yaml. It identifies the
// caller, checks each request against the contract and the limits, and converts requests and responses to and from the
// types of package core.
//
// Every request is handled the same way: [New] assigns it an id and a log line, the router finds its operation, the
// steps in router.go run in order, and then its handler is called. Every error is written by problem.go, wherever it
// occurs.
//
// The package makes no domain decisions and keeps no state except counters of requests and streams, and a cache of
// checked credentials.
package httpapi
