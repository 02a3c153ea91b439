package faults

import (
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/sininho/sininho/server/lab/cluster"
	"github.com/sininho/sininho/server/lab/pgtest"
)

// TestUpgradeUnderLoad replaces two nodes, one after another, by nodes of a version with more migrations, while
// clients publish and streams are open. The first new node migrates the database. Then the nodes are replaced by those
// of the first version again.
func TestUpgradeUnderLoad(t *testing.T) {
	t.Parallel()
	long(t)
	newer, err := cluster.BuildNewer(t.TempDir())
	if err != nil {
		t.Fatalf("build the next version: %v", err)
	}
	i := newInstallationOn(t, cluster.New(t, binary, pgtest.EmptyURL(t)))
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
	before := i.Count("select max(version_id) from goose_db_version")
	i.Binary = newer
	third := i.Start()
	if got := i.Count("select max(version_id) from goose_db_version"); got <= before {
		t.Errorf("version of the tables: got %d, want more than %d", got, before)
	}
	i.more(50)
	i.replaceAll(nodes)
	i.Binary = binary
	i.replaceAll(append(nodes, third))
	stop()
	stopReaders()
	for what, l := range map[string]*ledger{"publishes": i.ledger, "reads": i.reads} {
		for _, a := range l.all() {
			if a.status >= 400 || a.status == 0 && !strings.Contains(a.err, "connection refused") {
				t.Errorf("%s during an upgrade: got %+v, want 2xx, or no connection at all", what, a)
			}
		}
	}
	if n := i.Count("select count(*) from published_times"); n < 150 {
		t.Errorf("notifications that the trigger of the migration has noted: got %d, want all since then", n)
	}
	third.Signal(syscall.SIGTERM)
	third.Wait()
	i.finish(0)
}

// replaceAll replaces nodes by those of the present binary under load.
func (i *installation) replaceAll(nodes []*cluster.Node) {
	i.t.Helper()
	for _, n := range nodes {
		n.Signal(syscall.SIGTERM)
		if status, took := n.Wait(); status != 0 || took > 15*time.Second {
			i.t.Errorf("node that is replaced: got status %d after %s, want 0 within 15s", status, took)
		}
		n.Start()
		i.more(50)
	}
}
