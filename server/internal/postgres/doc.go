// Package postgres keeps everything in PostgreSQL: bun queries with a file for each noun, and the embedded migrations.
// It turns constraint violations into domain errors and decides no rule.
package postgres
