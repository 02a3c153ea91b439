// Package cli holds the scripts that test the whole sininho command line (testdata/script). The
// program is in cmd/sininho and its commands are in internal/command.
package cli
