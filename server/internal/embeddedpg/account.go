package embeddedpg

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
)

// account is who PostgreSQL runs as: ourselves, or an unprivileged user when we are root, which it refuses.
type account struct {
	credential *syscall.Credential // nil: ourselves
	name       string
	reach      []uintptr // capabilities it needs to reach the data directory
}

func chooseAccount() (account, error) {
	if os.Geteuid() != 0 {
		return account{}, nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, err1 := strconv.ParseUint(u.Uid, 10, 32)
		gid, err2 := strconv.ParseUint(u.Gid, 10, 32)
		if err := errors.Join(err1, err2); err != nil {
			return account{}, err
		}
		return account{credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, name: name}, nil
	}
	return account{}, errors.New("PostgreSQL does not run as root, and there is neither a user postgres nor nobody: run as an ordinary user, or set DATABASE_URL")
}

// own gives a file or directory to the account.
func (a account) own(path string) error {
	if a.credential == nil {
		return nil
	}
	return os.Chown(path, int(a.credential.Uid), int(a.credential.Gid))
}

// command prepares a program to run as the account, in a process group of its own so that Ctrl-C reaches only us.
func (a account) command(ctx context.Context, path string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, path, args...) //nolint:gosec // PostgreSQL's own programs
	cmd.Dir = "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: a.credential, Setpgid: true}
	dieWithParent(cmd.SysProcAttr)
	grant(cmd.SysProcAttr, a.reach)
	return cmd
}

// reaching finds out how the account reaches a directory: as it is, or by a capability when an ancestor is closed to it,
// as in a clone below /root.
func (a account) reaching(ctx context.Context, dir string) (account, error) {
	if a.credential == nil || a.canReach(ctx, dir) {
		return a, nil
	}
	for _, capability := range searchCapabilities {
		a.reach = []uintptr{capability}
		if a.canReach(ctx, dir) {
			return a, nil
		}
	}
	return a, fmt.Errorf("PostgreSQL runs as %s, who cannot reach %s: run `chmod a+x %s`, choose another directory with --data, or set DATABASE_URL",
		a.name, dir, closedAncestor(dir))
}

func (a account) canReach(ctx context.Context, dir string) bool {
	return a.command(ctx, "/bin/sh", "-c", `cd "$0"`, dir).Run() == nil
}

// closedAncestor is the topmost directory on the way that is closed to others.
func closedAncestor(dir string) string {
	closed := dir
	for d := dir; ; d = filepath.Dir(d) {
		if info, err := os.Stat(d); err == nil && info.Mode()&0o001 == 0 {
			closed = d
		}
		if d == filepath.Dir(d) {
			return closed
		}
	}
}
