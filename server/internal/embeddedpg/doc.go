//go:build linux || darwin

// Package embeddedpg runs a private PostgreSQL for a server without a database of its own, and for tests.
//
// It uses installed binaries or fetches pinned ones through npm, creates the data directory, and starts the server on a
// free port of 127.0.0.1. The server ends with the process that started it: by [Server.Stop], and on Linux also when
// that process is killed. On macOS the next [Start] on the directory stops a server that was left running.
//
// It never touches a PostgreSQL that it did not start, never changes the mode of a directory that it did not create,
// and never deletes a data directory. It makes no backups and does not upgrade the data directory: a backup of the old
// version is restored into a new directory.
//
// It builds on Linux and macOS.
package embeddedpg
