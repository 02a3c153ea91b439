// Package setup makes the settings of a new installation: of the modes that are chosen, those that they need, and fresh
// secrets. What it asks for and writes is in one table, entries.
package setup
