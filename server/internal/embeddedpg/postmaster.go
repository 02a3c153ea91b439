package embeddedpg

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

const (
	pollEvery   = 10 * time.Millisecond
	stopWithin  = 15 * time.Second
	startWithin = 60 * time.Second
)

// postmaster reads who serves a data directory, and whether it is ready. pid is 0 when nobody does.
func postmaster(data string) (pid int, ready bool) {
	b, err := os.ReadFile(filepath.Join(data, "postmaster.pid"))
	if err != nil {
		return 0, false
	}
	lines := strings.Split(string(b), "\n")
	pid, _ = strconv.Atoi(strings.TrimSpace(lines[0]))
	return pid, len(lines) > 7 && strings.TrimSpace(lines[7]) == "ready"
}

// stopOrphan stops a server that a killed process left behind; we hold the lock, so it is nobody's.
func stopOrphan(ctx context.Context, data string) error {
	pid, _ := postmaster(data)
	if pid <= 0 || !serves(ctx, pid, data) {
		return nil // PostgreSQL itself removes a stale file
	}
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGQUIT, syscall.SIGKILL} {
		_ = syscall.Kill(pid, signal)
		for until := time.Now().Add(stopWithin); time.Now().Before(until); {
			if !serves(ctx, pid, data) {
				return nil
			}
			if err := pause(ctx); err != nil {
				return err
			}
		}
	}
	return fmt.Errorf("a PostgreSQL (process %d) that still serves %s does not stop", pid, data)
}

// serves reports whether a process is a PostgreSQL of that data directory: process ids are used again.
func serves(ctx context.Context, pid int, data string) bool {
	out, err := exec.CommandContext(ctx, "ps", "-o", "stat=,command=", "-p", strconv.Itoa(pid)).Output() //nolint:gosec // a number
	line := strings.TrimSpace(string(out))
	return err == nil && !strings.HasPrefix(line, "Z") && strings.Contains(line, "postgres") && strings.Contains(line, data)
}

func pause(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(pollEvery):
		return nil
	}
}
