//go:build !simulation

package server

import "time"

// Now returns the current time as the database stores it: in UTC, in microseconds.
func Now() time.Time { return time.Now().UTC().Truncate(time.Microsecond) }
