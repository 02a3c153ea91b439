//go:build linux || darwin

package embeddedpg

import (
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"runtime"
	"strconv"
	"syscall"
	"testing"
)

func needRoot(t *testing.T) {
	t.Helper()
	if os.Geteuid() != 0 || runtime.GOOS != "linux" {
		t.Skip("needs root on Linux")
	}
}

func TestRootInAClosedDirectory(t *testing.T) {
	t.Parallel()
	needRoot(t)
	for name, below := range map[string]string{"itself": "", "below": "inner", "far below": "a/b/c"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			outer := closedDir(t)
			dir := filepath.Join(outer, below)
			if err := os.MkdirAll(dir, 0o700); err != nil {
				t.Fatalf("make the folder: %v", err)
			}
			s := mustStart(t, dir)
			keep(t, s.URL())
			mustStop(t, s)
			wantKept(t, mustStart(t, dir).URL())
			for _, d := range []string{outer, dir} {
				if info, err := os.Stat(d); err != nil || info.Mode().Perm() != 0o700 {
					t.Errorf("mode of %s: got %v, %v; want 0700", d, info.Mode(), err)
				}
			}
			if len(s.account.reach) != 1 {
				t.Errorf("capabilities in a closed directory: got %v, want one", s.account.reach)
			}
		})
	}
	if s := mustStart(t, madeDir(t)); len(s.account.reach) != 0 {
		t.Errorf("capabilities in an open directory: got %v, want none", s.account.reach)
	}
}

func TestRootWithFewCapabilities(t *testing.T) {
	t.Parallel()
	needRoot(t)
	if _, err := exec.LookPath("setpriv"); err != nil {
		t.Skip("no setpriv")
	}
	t.Run("of a container", func(t *testing.T) {
		t.Parallel()
		startHelperServer(t, filepath.Join(closedDir(t), "inner"), nil, "setpriv", "--bounding-set=-dac_read_search")
	})
	t.Run("none that helps", func(t *testing.T) {
		t.Parallel()
		outer := closedDir(t)
		_, listen := startHelper(t, "server", filepath.Join(outer, "inner"), nil, "setpriv",
			"--bounding-set=-dac_read_search,-dac_override")
		wantContains(t, listen(), "error:", "`chmod a+x "+outer+"`", "another directory", "DATABASE_URL")
	})
}

func TestOrdinaryUser(t *testing.T) {
	t.Parallel()
	needRoot(t)
	nobody, err := user.Lookup("nobody")
	if err != nil {
		t.Fatalf("look up the user: %v", err)
	}
	uid, _ := strconv.Atoi(nobody.Uid)
	gid, _ := strconv.Atoi(nobody.Gid)
	dir := openDir(t)
	if err := os.Chown(dir, uid, gid); err != nil {
		t.Fatalf("chown: %v", err)
	}
	as := []string{"setpriv", "--reuid=" + nobody.Uid, "--regid=" + nobody.Gid, "--clear-groups"}
	p := startHelperServer(t, dir, nil, as...)
	keep(t, p.output)
	p.kill(t)
	p = startHelperServer(t, dir, nil, as...) // can stop the PostgreSQL that was left running
	wantKept(t, p.output)
	p.kill(t)

	s := mustStart(t, dir) // root continues as that user
	wantKept(t, s.URL())
	if s.account.credential.Uid != uint32(uid) {
		t.Errorf("account: got %s, want nobody", s.account.name)
	}
}

func TestErrorNamesTheOwnerOfTheDirectory(t *testing.T) {
	t.Parallel()
	needRoot(t)
	dir := openDir(t)
	mustWrite(t, filepath.Join(dir, "lock"), "")
	_, listen := startHelper(t, "server", dir, nil, "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups")
	wantContains(t, listen(), "error:", dir, "a directory of root", "run as the user who made it", "another directory")

	mustWrite(t, filepath.Join(dir, "data", "PG_VERSION"), "15\n")
	if err := os.Chown(filepath.Join(dir, "data"), 0, 0); err != nil {
		t.Fatalf("chown: %v", err)
	}
	_, err := chooseAccount(filepath.Join(dir, "data"))
	wantContains(t, err.Error(), "belongs to root", "chown -R postgres "+filepath.Join(dir, "data"))
}

func TestClosedDirectories(t *testing.T) {
	t.Parallel()
	outer := closedDir(t)
	inner := filepath.Join(outer, "a", "b")
	if err := os.MkdirAll(inner, 0o755); err != nil {
		t.Fatalf("make the folder: %v", err)
	}
	if err := os.Chmod(inner, 0o700); err != nil {
		t.Fatalf("chmod: %v", err)
	}
	a := account{credential: &syscall.Credential{Uid: 12345, Gid: 12345}}
	if got := a.closed([]string{inner, outer}); len(got) != 2 || got[0] != outer || got[1] != inner {
		t.Errorf("closed directories: got %v, want %v", got, []string{outer, inner})
	}
}
