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
	stopWithin  = 15 * time.Second // for each of the ways to stop
	startWithin = 60 * time.Second
)

// Every process of a PostgreSQL, and initdb, inherits the lock on this file of the state directory from us, so that it is free when,
// and only when, none is left: not a postmaster, nor one of its children that a killed postmaster leaves for a moment.
const aliveFile = "postgres.lock"

// harder are the ways to stop PostgreSQL: fast, immediately, and none of its own.
var harder = []syscall.Signal{syscall.SIGINT, syscall.SIGQUIT, syscall.SIGKILL}

func pidFile(data string) string { return filepath.Join(data, "postmaster.pid") }

// readPidFile tells who serves a data directory, and whether it takes connections. pid is 0 when nobody does.
func readPidFile(data string) (pid int, ready bool) {
	b, err := os.ReadFile(pidFile(data))
	if err != nil {
		return 0, false
	}
	lines := strings.Split(string(b), "\n")
	pid, _ = strconv.Atoi(strings.TrimSpace(lines[0]))
	return pid, len(lines) > 7 && strings.TrimSpace(lines[7]) == "ready"
}

// stopOrphan stops what a killed process left running. The caller holds the directory's lock, so it is nobody's.
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
	// What the file says is stale. PostgreSQL would believe it if its process id was used again.
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
	return fmt.Errorf("the PostgreSQL (process %d) that still serves %s does not stop: end it with `kill -9 %d`", pid, data, pid)
}

// waitNoneLeft returns when no process of the directory's PostgreSQL is left.
func waitNoneLeft(ctx context.Context, dir string) error {
	f, err := lockAlive(ctx, dir)
	if err != nil {
		return err
	}
	return unlock(f)
}

// lockAlive waits until no process of the directory's PostgreSQL is left, and takes the lock for the next one. Any
// program that we are just starting may hold a copy of it for a moment, which is a reason more to wait.
func lockAlive(ctx context.Context, dir string) (alive *os.File, err error) {
	gone, err := waitUntil(ctx, stopWithin, func() (bool, error) {
		f, held, err := tryLock(filepath.Join(dir, aliveFile))
		alive = f
		return !held, err
	})
	if err == nil && !gone {
		err = fmt.Errorf("processes of an earlier PostgreSQL in %s are still running: end them (`ps -ef | grep postgres`), or wait", dir)
	}
	return alive, err
}

// waitUntil waits for a condition, and reports whether it came true in time.
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
