// Package postgres keeps everything in PostgreSQL. Each noun has a file with its row model, which bun's builder reads
// and writes, and a converter to its core type. SQL is raw only where a statement is an algorithm, and run by pgx only
// where it is hot (hot.go). The package turns constraint violations into domain errors and decides no rule.
package postgres
