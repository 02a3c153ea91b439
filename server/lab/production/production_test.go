package production

import (
	"context"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/sininho/sininho/internal/eventually"
	"github.com/sininho/sininho/server/lab/pgtest"
)

// TestProduction runs two servers of the release under load, and restores a backup of the database elsewhere. Then it
// upgrades them, one after the other, to a version with one more migration, and goes back to the release, five times in
// all. No request may fail, and no acknowledged notification may be missing.
func TestProduction(t *testing.T) {
	folder := unpackRelease(t)
	release, newer := filepath.Join(folder, "sininho-server"), buildNewer(t)
	i := newInstallation(t, folder, release)
	i.startNode(release)
	i.startNode(release)
	caddy, nginx := i.startCaddy(), i.startNginx()
	owner, _ := i.signIn(caddy, "ana@example.com")
	key := i.createChannel(owner)
	people := []string{"beatriz", "carlos", "duarte"}
	for _, name := range people {
		i.follower(caddy, name)
	}
	l := i.newLoad(key)
	l.through("nginx", nginx)
	l.through("caddy", caddy)
	l.more(100)
	i.restoreElsewhere(release, l)
	for range 2 {
		i.replaceAll(newer, l)
		i.replaceAll(release, l)
	}
	i.replaceAll(release, l) // the tenth server
	l.publishBatch(nginx, "batch-nginx")
	l.publishBatch(caddy, "batch-caddy")
	monitoring := i.startPrometheus()
	monitoring.waitFor(`up{job="sininho"} == 1`, len(i.nodes))
	version := versionOf(t, folder)
	monitoring.waitFor(`sininho_build_info{version="`+version+`", revision=~".+"}`, len(i.nodes))
	if out, err := exec.Command(release, "version").CombinedOutput(); !strings.Contains(string(out), " "+version+" (commit ") {
		t.Errorf("version of the release: got %q and %v, want %s with its commit", out, err, version)
	}
	monitoring.waitFor(`count({job="sininho", __name__=~"sininho_.+"}) > 20`, 1)
	l.finish()
	if len(l.failures) > 0 {
		t.Errorf("failed requests during the upgrade: got %d of %d, want 0; the first are\n%s", len(l.failures), l.requests,
			strings.Join(l.failures[:min(5, len(l.failures))], "\n"))
	}
	eventually.True(t, "the streams to have every notification", func() bool { return l.missed() == 0 })
	eventually.Reaches(t, "closed dispatches", l.published(), func() int {
		return count(t, i.database, "select count(*) from dispatches where finished_at is not null")
	})
	if got, want := i.fcm.Stats().Accepted, int64(l.published()*len(people)); got < want {
		t.Errorf("pushes: got %d, want one to each of %d devices for each notification: %d", got, len(people), want)
	}
	t.Logf("%d requests, %d of them publishes, %d failures", l.requests, l.published(), len(l.failures))
}

// replaceAll replaces one server after the other under load.
func (i *installation) replaceAll(release string, l *load) {
	i.t.Helper()
	for _, n := range i.nodes {
		l.more(2_000)
		n.replace(release)
	}
	l.more(100)
}

// restoreElsewhere makes a backup under load, restores it into an empty database, and looks there for every
// notification that was acknowledged before.
func (i *installation) restoreElsewhere(release string, l *load) {
	i.t.Helper()
	backup, elsewhere := filepath.Join(i.t.TempDir(), "sininho.backup"), pgtest.EmptyURL(i.t)
	ids := l.acknowledgedSoFar()
	i.command(release, i.database, "backup", backup)
	i.command(release, elsewhere, "restore", backup)
	if got := count(i.t, elsewhere, "select count(*) from notifications where id = any($1::uuid[]) and visible", ids); got != len(ids) {
		i.t.Errorf("acknowledged notifications in the restored database: got %d, want all %d", got, len(ids))
	}
}

// command runs a command of the server with a database.
func (i *installation) command(release, database string, args ...string) {
	i.t.Helper()
	cmd := exec.CommandContext(i.t.Context(), release, args...)
	cmd.Dir, cmd.Env = i.folder, append(cmd.Environ(), append(i.environment(), "DATABASE_URL="+database,
		"DATABASE_DIRECT_URL="+database)...)
	if out, err := cmd.CombinedOutput(); err != nil {
		i.t.Fatalf("sininho-server %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

func count(t *testing.T, database, sql string, args ...any) (n int) {
	t.Helper()
	conn, err := pgx.Connect(context.Background(), database)
	if err != nil {
		t.Fatalf("connect to the database: %v", err)
	}
	defer conn.Close(context.Background())
	if err := conn.QueryRow(context.Background(), sql, args...).Scan(&n); err != nil {
		t.Fatalf("run SQL: %v", err)
	}
	return n
}
