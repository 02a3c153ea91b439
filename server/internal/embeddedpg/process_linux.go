package embeddedpg

import "syscall"

// CAP_DAC_READ_SEARCH and, where a container leaves only that, CAP_DAC_OVERRIDE.
var searchCapabilities = []uintptr{2, 1}

// dieWithParent has the kernel stop the process when the thread that started it ends.
func dieWithParent(a *syscall.SysProcAttr) { a.Pdeathsig = syscall.SIGINT }

func grant(a *syscall.SysProcAttr, capabilities []uintptr) { a.AmbientCaps = capabilities }
