// Package openapi holds the contracts that the servers fulfil and everything else is generated from.
package openapi

import _ "embed"

// Sininho is the contract of the main API, in YAML.
//
//go:embed sininho.yaml
var Sininho []byte

// Waitlist is the contract of the waiting-list API, in YAML.
//
//go:embed waitlist.yaml
var Waitlist []byte
