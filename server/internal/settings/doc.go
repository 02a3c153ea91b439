// Package settings makes, writes and reads the file with the settings of an installation.
//
// A new one has the modes that are chosen, the settings that they need, and fresh secrets. What New asks for and writes
// is in one table, entries.
//
// A file has `NAME=value` on each line, as systemd and shells read it, but nothing is expanded: a `$` is a `$`. A value
// may be in single quotes, which keep everything as it is, or in double quotes, in which a backslash keeps the next
// character. Empty lines, lines that begin with `#`, and what follows a ` #` are comments.
package settings
