//go:build !unix

package server

import "math"

// openFiles returns how many files this process may open: these systems have no limit of their own.
func openFiles() int { return math.MaxInt32 }
