//go:build unix

package server

import (
	"math"
	"syscall"
)

// openFiles returns how many files this process may open. Go has raised it to the hard limit.
func openFiles() int {
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit) != nil {
		return 1024 // what most systems allow at least
	}
	return int(min(uint64(limit.Cur), math.MaxInt32)) //nolint:unconvert // it is signed on some systems
}
