package faults

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/sininho/sininho/server/lab/cluster"
	"github.com/sininho/sininho/server/lab/pgtest"
)

// TestUpgradeUnderLoad replaces two nodes of the version before the latest migration, one after another, while clients
// publish and streams are open. The first new node migrates the database.
func TestUpgradeUnderLoad(t *testing.T) {
	t.Parallel()
	long(t)
	before := serverBeforeLastMigration(t)
	i := newInstallationOn(t, cluster.New(t, binary, pgtest.EmptyURL(t)))
	i.Binary = before
	i.run("migrate")
	i.CreateKey()
	i.followers(50)
	nodes := []*cluster.Node{i.Start(), i.Start()}
	base := i.Balancer(nodes...)
	for range 4 {
		i.listen(base)
	}
	p := i.publisher(nodes...)
	stopReaders, stop := p.readers(4, 20*time.Millisecond), p.load("upgrade", 4, 20*time.Millisecond)
	i.more(20)
	i.Binary = binary
	third := i.Start()
	i.more(50)
	for _, n := range nodes {
		n.Signal(syscall.SIGTERM)
		if status, took := n.Wait(); status != 0 || took > 15*time.Second {
			t.Errorf("node that is replaced: got status %d after %s, want 0 within 15s", status, took)
		}
		n.Start()
		i.more(50)
	}
	stop()
	stopReaders()
	for what, l := range map[string]*ledger{"publishes": i.ledger, "reads": i.reads} {
		for _, a := range l.all() {
			if a.status >= 400 || a.status == 0 && !strings.Contains(a.err, "connection refused") {
				t.Errorf("%s during an upgrade: got %+v, want 2xx, or no connection at all", what, a)
			}
		}
	}
	third.Signal(syscall.SIGTERM)
	third.Wait()
	i.finish(0)
}

// serverBeforeLastMigration builds the server as it was before the latest migration of the database was added.
func serverBeforeLastMigration(t *testing.T) string {
	t.Helper()
	added, err := exec.Command("git", "log", "-1", "--format=%H", "--diff-filter=A", "--",
		"../../internal/postgres/migrations").Output()
	commit := string(bytes.TrimSpace(added))
	if err != nil || exec.Command("git", "cat-file", "-e", commit+"^").Run() != nil {
		if os.Getenv("GITHUB_ACTIONS") == "true" {
			t.Fatal("the history of the repository is missing: clone it whole")
		}
		t.Skip("needs the history of the repository: this is no clone, or a shallow one")
	}
	dir := t.TempDir()
	unpack := exec.Command("sh", "-c", "git -C ../../.. archive "+commit+"^ | tar -x -C "+dir)
	if out, err := unpack.CombinedOutput(); err != nil {
		t.Fatalf("unpack the version before the latest migration: %v\n%s", err, out)
	}
	path := filepath.Join(dir, "before")
	build := exec.Command("go", "build", "-buildvcs=false", "-o", path, "./server/cmd/sininho-server")
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build the version before the latest migration: %v\n%s", err, out)
	}
	return path
}
