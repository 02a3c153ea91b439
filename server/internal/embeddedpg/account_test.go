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
		t.Skip("about root on Linux")
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
				t.Fatal(err)
			}
			s := mustStart(t, dir)
			keep(t, s.URL())
			mustStop(t, s)
			wantKept(t, mustStart(t, dir).URL())
			for _, d := range []string{outer, dir} {
				if info, err := os.Stat(d); err != nil || info.Mode().Perm() != 0o700 {
					t.Errorf("%s: %v %v", d, info.Mode(), err)
				}
			}
			if len(s.account.reach) != 1 {
				t.Errorf("capabilities: %v", s.account.reach)
			}
		})
	}
	if s := mustStart(t, madeDir(t)); len(s.account.reach) != 0 {
		t.Errorf("capabilities without need: %v", s.account.reach)
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
		playServer(t, filepath.Join(closedDir(t), "inner"), nil, "setpriv", "--bounding-set=-dac_read_search")
	})
	t.Run("none that helps", func(t *testing.T) {
		t.Parallel()
		outer := closedDir(t)
		_, listen := play(t, "server", filepath.Join(outer, "inner"), nil, "setpriv", "--bounding-set=-dac_read_search,-dac_override")
		wantSays(t, listen(), "error:", "`chmod a+x "+outer+"`", "--data", "DATABASE_URL")
	})
}

func TestOrdinaryUser(t *testing.T) {
	t.Parallel()
	needRoot(t)
	nobody, err := user.Lookup("nobody")
	if err != nil {
		t.Fatal(err)
	}
	uid, _ := strconv.Atoi(nobody.Uid)
	gid, _ := strconv.Atoi(nobody.Gid)
	dir := openDir(t)
	if err := os.Chown(dir, uid, gid); err != nil {
		t.Fatal(err)
	}
	as := []string{"setpriv", "--reuid=" + nobody.Uid, "--regid=" + nobody.Gid, "--clear-groups"}
	p := playServer(t, dir, nil, as...)
	keep(t, p.said)
	p.kill(t)
	p = playServer(t, dir, nil, as...) // can stop the PostgreSQL that was left running
	wantKept(t, p.said)
	p.kill(t)

	s := mustStart(t, dir) // root continues as that user
	wantKept(t, s.URL())
	if s.account.credential.Uid != uint32(uid) {
		t.Errorf("runs as %s", s.account.name)
	}
}

func TestTellsWhoseDirectoryItIs(t *testing.T) {
	t.Parallel()
	needRoot(t)
	dir := openDir(t)
	mustWrite(t, filepath.Join(dir, "lock"), "")
	_, listen := play(t, "server", dir, nil, "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups")
	wantSays(t, listen(), "error:", dir, "a directory of root", "run as the user who made it", "--data")

	mustWrite(t, filepath.Join(dir, "data", "PG_VERSION"), "15\n")
	if err := os.Chown(filepath.Join(dir, "data"), 0, 0); err != nil {
		t.Fatal(err)
	}
	_, err := chooseAccount(filepath.Join(dir, "data"))
	wantSays(t, err.Error(), "belongs to root", "chown -R postgres "+filepath.Join(dir, "data"))
}

func TestClosedDirectories(t *testing.T) {
	t.Parallel()
	outer := closedDir(t)
	inner := filepath.Join(outer, "a", "b")
	if err := os.MkdirAll(inner, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(inner, 0o700); err != nil {
		t.Fatal(err)
	}
	a := account{credential: &syscall.Credential{Uid: 12345, Gid: 12345}}
	if got := a.closed([]string{inner, outer}); len(got) != 2 || got[0] != outer || got[1] != inner {
		t.Errorf("got %v", got)
	}
}
