package embeddedpg

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// searchCapabilities let a user pass directories that are closed to it, the weaker one first: CAP_DAC_READ_SEARCH, then
// CAP_DAC_OVERRIDE, which containers usually keep.
var searchCapabilities = []uintptr{2, 1}

// dieWithParent makes the kernel send SIGINT to the process when the thread that started it ends.
func dieWithParent(a *syscall.SysProcAttr) { a.Pdeathsig = syscall.SIGINT }

func grant(a *syscall.SysProcAttr, capabilities []uintptr) { a.AmbientCaps = capabilities }

// isPostmaster reports whether a process is the PostgreSQL of that data directory, because process ids are reused. It
// reads the command line, which is open to everyone, instead of the working directory, which root in a container may
// not read.
func isPostmaster(pid int, data string) bool {
	line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	if err != nil {
		return false
	}
	args := bytes.Split(line, []byte{0}) // empty for a zombie
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
