package simulation

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/sininho/sininho/server/internal/embeddedpg"
	"github.com/sininho/sininho/server/internal/postgres"
	"github.com/sininho/sininho/server/lab/cluster"
	"github.com/sininho/sininho/server/lab/pgtest"
)

var (
	binary      string // of the server, with a clock that can be set wrong
	postgresDir = sync.OnceValues(makePostgres)
	scratch     string
)

func TestMain(m *testing.M) {
	if err := runTests(m); err != nil {
		fmt.Fprintln(os.Stderr, "simulation:", err)
		os.Exit(1)
	}
}

func runTests(m *testing.M) (err error) {
	if scratch, err = os.MkdirTemp("", "simulation-"); err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	if binary, err = cluster.Build(scratch, "simulation"); err != nil {
		return err
	}
	pgtest.Main(m)
	return nil
}

// makePostgres makes the data of a PostgreSQL with a migrated database. It is copied for each run that kills its own.
func makePostgres() (dir string, err error) {
	dir = filepath.Join(scratch, "postgres")
	running, err := embeddedpg.Start(context.Background(), embeddedpg.Config{Dir: dir, Settings: ownSettings})
	if err != nil {
		return "", err
	}
	if err := postgres.Migrate(context.Background(), running.URL(), slog.New(slog.DiscardHandler)); err != nil {
		return "", err
	}
	return dir, running.Stop()
}

func copyPostgres(t *testing.T, to string) {
	t.Helper()
	from, err := postgresDir()
	if err != nil {
		t.Fatalf("make a PostgreSQL: %v", err)
	}
	if out, err := exec.Command("cp", "-a", from, to).CombinedOutput(); err != nil {
		t.Fatalf("copy a PostgreSQL: %v\n%s", err, out)
	}
}
