package embeddedpg

import (
	"os/exec"
	"strconv"
	"strings"
	"syscall"
)

// searchCapabilities is Linux's.
var searchCapabilities []uintptr

// dieWithParent is Linux's; here the next start stops what a killed process left.
func dieWithParent(*syscall.SysProcAttr) {}

func grant(*syscall.SysProcAttr, []uintptr) {}

// isPostmaster reports whether a process is the PostgreSQL of that data directory: process ids are used again.
func isPostmaster(pid int, data string) bool {
	out, err := exec.Command("ps", "-ww", "-o", "command=", "-p", strconv.Itoa(pid)).Output() //nolint:gosec // a number
	return err == nil && strings.Contains(string(out), "postgres -D "+data+" ")
}
