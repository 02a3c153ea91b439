// Package rules holds rules that the server and its clients share.
package rules
