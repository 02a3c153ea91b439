package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// socketCaches are the kernel's caches of what each TCP connection of a program has.
var socketCaches = map[string]bool{
	"TCP": true, "TCPv6": true, "sock_inode_cache": true, "filp": true, "eventpoll_epi": true,
}

// socketMemory returns the KiB of all TCP sockets of this machine in the kernel: the sockets, their files, and what is
// queued in them. Only root may read it.
func socketMemory() (float64, error) {
	stat, err := os.ReadFile("/proc/net/sockstat")
	if err != nil {
		return 0, err
	}
	bytes := 0.0
	for line := range strings.Lines(string(stat)) {
		if f := strings.Fields(line); f[0] == "TCP:" {
			pages, err := strconv.ParseFloat(f[len(f)-1], 64)
			if err != nil {
				return 0, fmt.Errorf("/proc/net/sockstat: %w", err)
			}
			bytes = pages * float64(os.Getpagesize())
		}
	}
	caches, err := os.ReadFile("/proc/slabinfo")
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(caches)) {
		f := strings.Fields(line) // name, active objects, all objects, size
		if !socketCaches[f[0]] {
			continue
		}
		objects, err := strconv.ParseFloat(f[1], 64)
		if err != nil {
			return 0, fmt.Errorf("/proc/slabinfo: %w", err)
		}
		size, err := strconv.ParseFloat(f[3], 64)
		if err != nil {
			return 0, fmt.Errorf("/proc/slabinfo: %w", err)
		}
		bytes += objects * size
	}
	return bytes / 1024, nil
}
