package embeddedpg_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/sininho/sininho/server/internal/embeddedpg"
)

// TestMain plays a server process to be killed when told so.
func TestMain(m *testing.M) {
	if dir := os.Getenv("EMBEDDEDPG_CHILD"); dir != "" {
		s, err := embeddedpg.Start(context.Background(), embeddedpg.Config{Dir: dir})
		if err != nil {
			fmt.Println("error:", err)
			os.Exit(1)
		}
		fmt.Println(s.URL())
		select {}
	}
	os.Exit(m.Run())
}

// directory is closed to everyone else, as mktemp makes it, and lies in another that is.
func directory(t *testing.T) string {
	t.Helper()
	outer, err := os.MkdirTemp("", "embeddedpg-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(outer) })
	return filepath.Join(outer, "inner")
}

func start(t *testing.T, dir string) *embeddedpg.Server {
	t.Helper()
	s, err := embeddedpg.Start(t.Context(), embeddedpg.Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Stop() })
	return s
}

func keep(t *testing.T, url, value string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background()) //nolint:errcheck // a test
	if _, err := conn.Exec(t.Context(), "create table t as select '"+value+"'::text as v"); err != nil {
		t.Fatal(err)
	}
}

func query(t *testing.T, url, sql string) (out string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background()) //nolint:errcheck // a test
	if err := conn.QueryRow(t.Context(), sql).Scan(&out); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestKeepsDataOverRestarts(t *testing.T) {
	t.Parallel()
	dir := directory(t)
	s := start(t, dir)
	keep(t, s.URL(), "kept")
	if err := s.Stop(); err != nil {
		t.Fatal(err)
	}
	select {
	case <-s.Done():
	default:
		t.Error("stopped, but not done")
	}
	if got := query(t, start(t, dir).URL(), "select v from t"); got != "kept" {
		t.Errorf("got %q", got)
	}
}

func TestRefusesADirectoryInUse(t *testing.T) {
	t.Parallel()
	dir := directory(t)
	start(t, dir)
	_, err := embeddedpg.Start(t.Context(), embeddedpg.Config{Dir: dir})
	if err == nil || !strings.Contains(err.Error(), dir) || !strings.Contains(err.Error(), fmt.Sprint(os.Getpid())) {
		t.Errorf("got %v", err)
	}
}

func TestSurvivesKill(t *testing.T) {
	t.Parallel()
	dir := directory(t)
	child := exec.Command(os.Args[0]) //nolint:gosec // ourselves
	child.Env = append(os.Environ(), "EMBEDDEDPG_CHILD="+dir)
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	url, err := bufio.NewReader(out).ReadString('\n')
	if err != nil || !strings.HasPrefix(url, "postgres://") {
		t.Fatalf("child said %q: %v", url, err)
	}
	keep(t, strings.TrimSpace(url), "committed")
	if err := child.Process.Signal(syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	_ = child.Wait()
	if got := query(t, start(t, dir).URL(), "select v from t"); got != "committed" {
		t.Errorf("got %q", got)
	}
}

func TestTellsOfAnotherVersion(t *testing.T) {
	t.Parallel()
	dir := directory(t)
	if err := os.MkdirAll(filepath.Join(dir, "data"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "data", "PG_VERSION"), []byte("9.6\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := embeddedpg.Start(t.Context(), embeddedpg.Config{Dir: dir}); err == nil || !strings.Contains(err.Error(), "move it away") {
		t.Errorf("got %v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "data", "PG_VERSION"), []byte("12\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := embeddedpg.Start(t.Context(), embeddedpg.Config{Dir: dir}); err == nil || !strings.Contains(err.Error(), "postgresql-12") {
		t.Errorf("got %v", err)
	}
}

func TestRepairsAHalfMadeDirectory(t *testing.T) {
	t.Parallel()
	dir := directory(t)
	if err := os.MkdirAll(filepath.Join(dir, "data.tmp", "base"), 0o700); err != nil {
		t.Fatal(err)
	}
	if got := query(t, start(t, dir).URL(), "select current_database()"); got != "sininho" {
		t.Errorf("got %q", got)
	}
}
