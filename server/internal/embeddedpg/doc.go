// Package embeddedpg runs a private PostgreSQL for a one-command start and for tests: it finds or fetches the binaries,
// makes the data directory, and stops the server with the process that started it. It is not meant for production.
package embeddedpg
