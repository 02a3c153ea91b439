// Package acme runs the server with TLS=auto against Pebble, the server that Let's Encrypt is tested with. It has tests
// alone, in a module of its own, which keeps Pebble out of the requirements of the server.
package acme
