// Package cli holds the sessions that test the sininho command line whole
// (testdata/script); the command is in cmd/sininho, what it does in internal/command.
package cli
