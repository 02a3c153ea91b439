// Package encryption encrypts pushes for browsers (RFC 8291). It sends nothing.
package encryption
