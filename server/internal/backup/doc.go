//go:build linux || darwin

// Package backup writes a database into a file and restores it into an empty database, by PostgreSQL's pg_dump and
// pg_restore.
//
// A backup is a consistent snapshot of everything in the database, the job queue included, at the moment when it
// begins. It contains no settings: SECRET_KEY, without which the secrets of webhooks cannot be read, is kept elsewhere.
package backup
