//go:build !linux

package embeddedpg

import "syscall"

var searchCapabilities []uintptr

// dieWithParent is Linux's; elsewhere the next start stops what a killed one left.
func dieWithParent(*syscall.SysProcAttr) {}

func grant(*syscall.SysProcAttr, []uintptr) {}
