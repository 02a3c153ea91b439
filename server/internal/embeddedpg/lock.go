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

// lock keeps a second server from the same directory. The kernel lets go of it when we end, however we end.
func lock(dir string) (*os.File, error) {
	f, held, err := tryLock(filepath.Join(dir, "lock"))
	if err != nil {
		return nil, err
	}
	if held {
		return nil, fmt.Errorf("the directory %s is in use by another sininho-server%s: stop it, or choose another directory with --data",
			dir, holder(dir))
	}
	if err := f.Truncate(0); err != nil {
		return nil, errors.Join(err, unlock(f))
	}
	if _, err := f.WriteAt(fmt.Appendln(nil, os.Getpid()), 0); err != nil {
		return nil, errors.Join(err, unlock(f))
	}
	return f, nil
}

// holder names the process that holds a directory's lock, if it has written so yet.
func holder(dir string) string {
	b, _ := os.ReadFile(filepath.Join(dir, "lock"))
	if pid := strings.TrimSpace(string(b)); pid != "" {
		return " (process " + pid + ")"
	}
	return ""
}

// tryLock takes the lock on a file, or reports that it is held. The lock belongs to the open file, hence also to every
// process that inherits it, and is gone when the last of them is.
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
	return nil, false, fmt.Errorf("lock %s: %w (a network file system may not know locks: choose a local directory with --data)", path, err)
}

// unlock lets go at once, even where a process that is just being started still holds a copy of the file.
func unlock(f *os.File) error {
	return errors.Join(syscall.Flock(int(f.Fd()), syscall.LOCK_UN), f.Close())
}
