package embeddedpg

import (
	"os/exec"
	"strconv"
	"strings"
	"syscall"
)

// searchCapabilities are only used on Linux.
var searchCapabilities []uintptr

// dieWithParent does nothing on macOS, where the next start stops what a killed process left running.
func dieWithParent(*syscall.SysProcAttr) {}

func grant(*syscall.SysProcAttr, []uintptr) {}

// isPostmaster reports whether a process is the PostgreSQL of that data directory, because process ids are reused.
func isPostmaster(pid int, data string) bool {
	out, err := exec.Command("ps", "-ww", "-o", "command=", "-p", strconv.Itoa(pid)).Output() //nolint:gosec // a number
	return err == nil && strings.Contains(string(out), "postgres -D "+data+" ")
}
