package embeddedpg

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// lock keeps a second server from the same directory. The kernel lets go of it when we end, however we end.
func lock(dir string) (*os.File, error) {
	f, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		holder, _ := os.ReadFile(f.Name())
		_ = f.Close()
		return nil, fmt.Errorf("the directory %s is in use by another sininho-server (process %s): stop it, or choose another directory with --data",
			dir, strings.TrimSpace(string(holder)))
	}
	_ = f.Truncate(0)
	_, err = f.WriteAt([]byte(fmt.Sprintln(os.Getpid())), 0)
	return f, err
}
