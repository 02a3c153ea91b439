package embeddedpg

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// searchCapabilities let a user pass directories that are closed to it, the weaker first: CAP_DAC_READ_SEARCH, and
// CAP_DAC_OVERRIDE, which is what a container usually leaves.
var searchCapabilities = []uintptr{2, 1}

// dieWithParent has the kernel ask the process to stop when the thread that started it ends.
func dieWithParent(a *syscall.SysProcAttr) { a.Pdeathsig = syscall.SIGINT }

func grant(a *syscall.SysProcAttr, capabilities []uintptr) { a.AmbientCaps = capabilities }

// isPostmaster reports whether a process is the PostgreSQL of that data directory: process ids are used again. It reads
// the command line, which everyone may, and not the working directory, which root in a container may not.
func isPostmaster(pid int, data string) bool {
	line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	if err != nil {
		return false
	}
	args := bytes.Split(line, []byte{0}) // of a zombie: empty
	if name := filepath.Base(string(args[0])); name != "postgres" && name != "postmaster" {
		return false
	}
	for i, arg := range args[:len(args)-1] {
		if string(arg) == "-D" && sameFile(string(args[i+1]), data) {
			return true
		}
	}
	return false
}

func sameFile(a, b string) bool {
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(infoA, infoB)
}
