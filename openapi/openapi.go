// Package openapi embeds the contracts of the APIs, from which servers and clients are generated.
package openapi

import _ "embed"

// Sininho is the contract of the main API, as YAML.
//
//go:embed sininho.yaml
var Sininho []byte

// Waitlist is the contract of the waiting-list API, as YAML.
//
//go:embed waitlist.yaml
var Waitlist []byte
