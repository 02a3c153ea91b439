//go:build linux || darwin

package embeddedpg

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// account is the user that PostgreSQL runs as: the current one or, because PostgreSQL refuses to run as root, an
// unprivileged one instead of root.
type account struct {
	credential *syscall.Credential // nil for the current user
	name       string
	reach      []uintptr // capabilities that it needs to reach the directories
}

// chooseAccount returns the owner of an existing data directory, so that the directory stays usable when a user
// postgres is created later, or when an ordinary user created it.
func chooseAccount(data string) (account, error) {
	if os.Geteuid() != 0 {
		return account{}, nil
	}
	if info, err := os.Stat(data); err == nil {
		return ownerAccount(data, info)
	}
	for _, name := range []string{"postgres", "nobody"} {
		if u, err := user.Lookup(name); err == nil {
			return namedAccount(u)
		}
	}
	return account{}, errors.New(
		"PostgreSQL does not run as root, and there is no user postgres or nobody: run as an ordinary user, or set " +
			"DATABASE_URL",
	)
}

func namedAccount(u *user.User) (account, error) {
	uid, err1 := strconv.ParseInt(u.Uid, 10, 64) // on macOS the uid of nobody is -2
	gid, err2 := strconv.ParseInt(u.Gid, 10, 64)
	if err := errors.Join(err1, err2); err != nil {
		return account{}, fmt.Errorf("user %s: %w", u.Username, err)
	}
	//nolint:gosec // negative ids wrap around as intended
	credential := &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	return account{credential: credential, name: u.Username}, nil
}

func ownerAccount(data string, info os.FileInfo) (account, error) {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return account{}, fmt.Errorf("the owner of %s is unknown", data)
	}
	if stat.Uid == 0 {
		return account{},
			fmt.Errorf("%[1]s belongs to root, as whom PostgreSQL does not run: give it to the user that it ran as "+
				"(`chown -R postgres %[1]s`), or move it away to start afresh", data)
	}
	a := account{credential: &syscall.Credential{Uid: stat.Uid, Gid: stat.Gid}, name: ownerName(stat.Uid)}
	return a, nil
}

func ownerName(uid uint32) string {
	id := strconv.FormatUint(uint64(uid), 10)
	if u, err := user.LookupId(id); err == nil {
		return u.Username
	}
	return "user " + id
}

// own makes the account the owner of a file or directory.
func (a account) own(path string) error {
	if a.credential == nil {
		return nil
	}
	if err := os.Chown(path, int(a.credential.Uid), int(a.credential.Gid)); err != nil {
		return fmt.Errorf("PostgreSQL does not run as root but as %s, who must own its files: %w (run as an ordinary "+
			"user, or set DATABASE_URL)", a.name, err)
	}
	return nil
}

// command prepares a program to run as the account, in its own process group so that Ctrl-C reaches only the server.
func (a account) command(ctx context.Context, path string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, path, args...) // runs only PostgreSQL's programs and sh
	cmd.Dir = "/"
	cmd.Env = environment()
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: a.credential, Setpgid: true}
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGINT) } // initdb cleans up on SIGINT
	cmd.WaitDelay = 5 * time.Second
	dieWithParent(cmd.SysProcAttr)
	grant(cmd.SysProcAttr, a.reach)
	return cmd
}

// environment returns the current environment without variables that PostgreSQL reads, and with the locale of the data
// directory, because PostgreSQL on macOS does not start without one.
func environment() []string {
	env := slices.DeleteFunc(os.Environ(), func(v string) bool {
		return strings.HasPrefix(v, "PG") || strings.HasPrefix(v, "LC_") || strings.HasPrefix(v, "LANG")
	})
	return append(env, "LC_ALL=C")
}

// runLocked runs a short program on a locked thread, because dieWithParent interrupts the program when its thread ends.
func runLocked(cmd *exec.Cmd) ([]byte, error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	return cmd.CombinedOutput()
}

// reaching returns the account with the capability that it needs to reach directories below an ancestor that is closed
// to it, such as a clone below /root. Usually it needs none.
func (a account) reaching(ctx context.Context, dirs ...string) (account, error) {
	if a.credential == nil || a.canReach(ctx, dirs) {
		return a, nil
	}
	for _, capability := range searchCapabilities {
		a.reach = []uintptr{capability}
		if a.canReach(ctx, dirs) {
			return a, nil
		}
	}
	if err := ctx.Err(); err != nil {
		return a, err
	}
	return a,
		fmt.Errorf("PostgreSQL does not run as root but as %s, who cannot reach %s: run `chmod a+x %s`, choose "+
			"another directory, or set DATABASE_URL",
			a.name, strings.Join(dirs, " or "), strings.Join(a.closed(dirs), " "))
}

func (a account) canReach(ctx context.Context, dirs []string) bool {
	_, err := runLocked(
		a.command(ctx, "/bin/sh", append([]string{"-c", `for d; do cd "$d" || exit; done`, "sh"}, dirs...)...),
	)
	return err == nil
}

// closed returns the directories and their ancestors that the account may not pass, from the root down.
func (a account) closed(dirs []string) []string {
	var found []string
	for _, dir := range dirs {
		for d := dir; ; d = filepath.Dir(d) {
			if info, err := os.Stat(d); err == nil && !a.mayPass(info) {
				found = append(found, d)
			}
			if d == filepath.Dir(d) {
				break
			}
		}
	}
	if len(found) == 0 {
		return dirs // the modes allow it, so something else such as an access control list does not
	}
	slices.Sort(found)
	return slices.Compact(found)
}

func (a account) mayPass(info os.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	switch {
	case ok && stat.Uid == a.credential.Uid:
		return info.Mode()&0o100 != 0
	case ok && stat.Gid == a.credential.Gid:
		return info.Mode()&0o010 != 0
	default:
		return info.Mode()&0o001 != 0
	}
}
