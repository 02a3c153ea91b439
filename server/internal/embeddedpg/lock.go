//go:build linux || darwin

package embeddedpg

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// errInUse means that another process runs the directory's PostgreSQL.
var errInUse = errors.New("in use by another sininho-server")

// lock prevents a second server from using the directory. The kernel releases the lock however the process ends.
func lock(dir string) (*os.File, error) {
	f, held, err := tryLock(filepath.Join(dir, "lock"))
	if err != nil {
		return nil, err
	}
	if held {
		return nil, fmt.Errorf("the directory %s is %w%s: stop it, or choose another directory", dir, errInUse,
			holder(dir))
	}
	if err := f.Truncate(0); err != nil {
		return nil, errors.Join(err, unlock(f))
	}
	if _, err := f.WriteAt(fmt.Appendln(nil, os.Getpid()), 0); err != nil {
		return nil, errors.Join(err, unlock(f))
	}
	return f, nil
}

// holder names the process that holds a directory's lock, if it has already written its id.
func holder(dir string) string {
	b, _ := os.ReadFile(filepath.Join(dir, "lock"))
	if pid := strings.TrimSpace(string(b)); pid != "" {
		return " (process " + pid + ")"
	}
	return ""
}

// tryLock locks a file, or reports that it is already locked. The lock belongs to the open file, so every process that
// inherits the file shares it, and it is released when the last of them ends.
func tryLock(path string) (f *os.File, held bool, err error) {
	if f, err = os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600); err != nil {
		return nil, false, err
	}
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if err == nil {
		return f, false, nil
	}
	_ = f.Close()
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return nil, true, nil
	}
	return nil, false,
		fmt.Errorf("lock %s: %w (a network file system may not know locks: choose a local directory)", path, err)
}

// unlock releases the lock at once, even if a process that is just being started still has a copy of the file.
func unlock(f *os.File) error {
	return errors.Join(syscall.Flock(int(f.Fd()), syscall.LOCK_UN), f.Close())
}
