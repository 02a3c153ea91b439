// Package rules holds the rules for texts and links that the server, the SDK and the CLI share. It
// never words an error: each caller writes its own.
package rules
