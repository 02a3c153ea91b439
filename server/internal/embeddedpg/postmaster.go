//go:build linux || darwin

package embeddedpg

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

const (
	pollEvery   = 10 * time.Millisecond
	stopWithin  = 15 * time.Second // for each signal
	startWithin = 10 * time.Minute // the recovery after a crash may take some
)

// aliveFile is a lock file in the state directory. Every process of PostgreSQL, and initdb, inherits the lock. It is
// therefore free if and only if none of them is left, including children that briefly outlive a killed postmaster.
const aliveFile = "postgres.lock"

// harder are the signals that stop PostgreSQL, in order: fast shutdown, immediate shutdown, kill.
var harder = []syscall.Signal{syscall.SIGINT, syscall.SIGQUIT, syscall.SIGKILL}

func pidFile(data string) string { return filepath.Join(data, "postmaster.pid") }

// readPidFile returns the process that serves a data directory, or 0, and whether it accepts connections.
func readPidFile(data string) (pid int, ready bool) {
	lines := readPidLines(data)
	pid, _ = strconv.Atoi(lines[0])
	return pid, lines[7] == "ready"
}

// readPort returns the port of a PostgreSQL that accepts connections, otherwise 0.
func readPort(data string) (port int) {
	if lines := readPidLines(data); lines[7] == "ready" {
		port, _ = strconv.Atoi(lines[3])
	}
	return port
}

// readPidLines returns the lines that a postmaster writes about itself; those that it has not written yet are empty.
func readPidLines(data string) (lines [8]string) {
	b, err := os.ReadFile(pidFile(data))
	if err != nil {
		return lines
	}
	for i, line := range strings.SplitN(string(b), "\n", len(lines)+1) {
		if i < len(lines) {
			lines[i] = strings.TrimSpace(line)
		}
	}
	return lines
}

// stopOrphan stops a PostgreSQL that a killed process left running. The caller holds the directory's lock, so no living
// process owns that PostgreSQL.
func stopOrphan(ctx context.Context, dir string, log *slog.Logger) error {
	data := filepath.Join(dir, "data")
	if pid, _ := readPidFile(data); pid > 0 && isPostmaster(pid, data) {
		log.InfoContext(ctx, "stopping the PostgreSQL that a killed process left", "pid", pid, "dir", dir)
		if err := stopProcess(ctx, pid, data); err != nil {
			return err
		}
	}
	if err := waitNoneLeft(ctx, dir); err != nil {
		return err
	}
	// The file is stale. PostgreSQL would believe it if another process got the same id.
	if err := os.Remove(pidFile(data)); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

func stopProcess(ctx context.Context, pid int, data string) error {
	for _, signal := range harder {
		if err := syscall.Kill(pid, signal); err != nil && !errors.Is(err, syscall.ESRCH) {
			return fmt.Errorf("stop the PostgreSQL (process %d) that still serves %s: %w", pid, data, err)
		}
		gone, err := waitUntil(ctx, stopWithin, func() (bool, error) { return !isPostmaster(pid, data), nil })
		if gone || err != nil {
			return err
		}
	}
	return fmt.Errorf("the PostgreSQL (process %d) that still serves %s does not stop: end it with `kill -9 %d`", pid,
		data, pid)
}

// waitNoneLeft waits until no process of the directory's PostgreSQL is left.
func waitNoneLeft(ctx context.Context, dir string) error {
	f, err := lockAlive(ctx, dir)
	if err != nil {
		return err
	}
	return unlock(f)
}

// lockAlive waits until no process of the directory's PostgreSQL is left, and takes the lock for the next one. A
// program that this process is just starting may briefly hold a copy of the lock, which also requires waiting.
func lockAlive(ctx context.Context, dir string) (alive *os.File, err error) {
	gone, err := waitUntil(ctx, stopWithin, func() (bool, error) {
		f, held, err := tryLock(filepath.Join(dir, aliveFile))
		alive = f
		return !held, err
	})
	if err == nil && !gone {
		err = fmt.Errorf("processes of an earlier PostgreSQL in %s are still running: end them (`ps -ef | grep "+
			"postgres`), or wait", dir)
	}
	return alive, err
}

// waitUntil polls a condition and reports whether it became true in time.
func waitUntil(ctx context.Context, within time.Duration, condition func() (bool, error)) (bool, error) {
	for until := time.Now().Add(within); ; {
		if done, err := condition(); done || err != nil {
			return done && err == nil, err
		}
		if time.Now().After(until) {
			return false, nil
		}
		select {
		case <-ctx.Done():
			return false, ctx.Err()
		case <-time.After(pollEvery):
		}
	}
}
