package pgtest

import (
	"os"
	"os/exec"
	"syscall"
)

const (
	memory = "/dev/shm" // Linux keeps these files in memory
	room   = 2 << 30    // bytes, several times as much as the tests of a package need
)

// temporary creates a directory, in memory if there is room, because a database consists of hundreds of files, and a
// disk's file system takes several times as long to create and delete them. A separate process removes the directory
// when this process ends, even if it is killed, because files in memory would use it until the machine restarts.
func temporary() (dir string, remove func() error, err error) {
	if dir, err = os.MkdirTemp(parent(), "pgtest-"); err != nil {
		return "", nil, err
	}
	// repeated if it fails, because PostgreSQL may still be stopping
	cmd := exec.Command("sh", "-c", `read -r _; until rm -rf "$0"; do sleep 1; done`, dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // survives Ctrl-C
	alive, err := cmd.StdinPipe()
	if err != nil {
		return "", nil, err
	}
	remove = func() error {
		_ = alive.Close() // this process would do the same by ending
		return cmd.Wait()
	}
	return dir, remove, cmd.Start()
}

func parent() string {
	var fs syscall.Statfs_t
	if err := syscall.Statfs(memory, &fs); err != nil || fs.Bavail*uint64(fs.Bsize) < room {
		return os.TempDir()
	}
	return memory
}
