// Package rules holds the rules for notifications, channels and links that the server, the SDK and the CLI share, with
// their limits and the texts of their faults.
package rules
