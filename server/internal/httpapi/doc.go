// Package httpapi serves the APIs that openapi/sininho.yaml and openapi/waitlist.yaml describe: it tells who calls, holds requests against the
// contract and the limits, converts them for package core, and converts what core answers.
//
// Every request takes the same way: [New] gives it an id and a log line, the router finds its operation, and then the
// steps of router.go run in order before its handler does. Every error, wherever it arises, is written by problem.go.
//
// It decides no question of the domain and keeps nothing but the counts of limit.go.
package httpapi
