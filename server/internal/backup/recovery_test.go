//go:build linux || darwin

package backup_test

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/sininho/sininho/internal/eventually"
	"github.com/sininho/sininho/server/internal/check"
	"github.com/sininho/sininho/server/internal/embeddedpg"
)

// TestPointInTimeRecovery does what the guide to production does: it archives the log, makes a base backup, and goes
// back to a moment between two changes.
func TestPointInTimeRecovery(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	primary, recovered, log := filepath.Join(dir, "primary"), filepath.Join(dir, "recovered"), filepath.Join(dir, "archive")
	settings := map[string]string{"fsync": "off", "wal_level": "replica"}
	first := startIn(t, primary, settings)
	if err := first.Stop(); err != nil {
		t.Fatalf("stop PostgreSQL: %v", err)
	}
	for _, made := range []string{log, recovered} {
		if err := os.Mkdir(made, 0o755); err != nil {
			t.Fatalf("make a folder: %v", err)
		}
	}
	giveTo(t, filepath.Join(primary, "data"), log)
	archiving := maps.Clone(settings)
	archiving["archive_mode"] = "on"
	archiving["archive_command"] = "test ! -f " + log + "/%f && cp %p " + log + "/%f"
	first = startIn(t, primary, archiving)
	run(t, first.URL(), "create table moments (name text)")
	baseBackup(t, first.URL(), filepath.Join(recovered, "data"))
	run(t, first.URL(), "insert into moments values ('kept')")
	moment := query(t, first.URL(), "select clock_timestamp()::text")
	run(t, first.URL(), "insert into moments values ('lost')")
	segment := query(t, first.URL(), "select pg_walfile_name(pg_switch_wal())")
	eventually.True(t, "the log to be archived", func() bool {
		_, err := os.Stat(filepath.Join(log, segment))
		return err == nil
	})
	if err := first.Kill(); err != nil {
		t.Fatalf("kill PostgreSQL: %v", err)
	}

	for from, to := range map[string]string{
		filepath.Join(primary, "postgres.password"): filepath.Join(recovered, "postgres.password"),
		os.DevNull: filepath.Join(recovered, "data", "recovery.signal"),
	} {
		content, err := os.ReadFile(from)
		if err := errors.Join(err, os.WriteFile(to, content, 0o600)); err != nil {
			t.Fatalf("copy a file: %v", err)
		}
	}
	giveTo(t, filepath.Join(primary, "data"), filepath.Join(recovered, "data"))
	back := maps.Clone(settings)
	back["restore_command"] = "cp " + log + "/%f %p"
	back["recovery_target_time"], back["recovery_target_action"] = moment, "promote"
	second := startIn(t, recovered, back)
	check.Equal(t, "what there is after the recovery", query(t, second.URL(), "select string_agg(name, ' ') from moments"),
		"kept")
	eventually.True(t, "the end of the recovery", func() bool {
		return query(t, second.URL(), "select pg_is_in_recovery()::text") == "false"
	})
	run(t, second.URL(), "insert into moments values ('new')")
}

func startIn(t *testing.T, dir string, settings map[string]string) *embeddedpg.Server {
	t.Helper()
	s, err := embeddedpg.Start(context.Background(), embeddedpg.Config{Dir: dir, Settings: settings})
	if err != nil {
		t.Fatalf("start PostgreSQL: %v", err)
	}
	t.Cleanup(func() { _ = s.Stop() })
	return s
}

// giveTo gives a folder and what is in it to the owner of another one.
func giveTo(t *testing.T, owned, dir string) {
	t.Helper()
	info, err := os.Stat(owned)
	if err != nil {
		t.Fatalf("stat a folder: %v", err)
	}
	owner := info.Sys().(*syscall.Stat_t) //nolint:forcetypeassert // on these systems
	err = filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		return errors.Join(err, os.Lchown(path, int(owner.Uid), int(owner.Gid)))
	})
	if err != nil {
		t.Fatalf("give a folder away: %v", err)
	}
}

func baseBackup(t *testing.T, address, to string) {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatalf("parse the address: %v", err)
	}
	tool, err := embeddedpg.Tool(t.Context(), "pg_basebackup", 13)
	if err != nil {
		t.Fatalf("find pg_basebackup: %v", err)
	}
	password, _ := u.User.Password()
	cmd := exec.CommandContext(t.Context(), tool, "-h", u.Hostname(), "-p", u.Port(), "-U", u.User.Username(), "-D", to,
		"-c", "fast")
	cmd.Env = append(os.Environ(), "PGPASSWORD="+password)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("pg_basebackup: %v: %s", err, out)
	}
}

func query(t *testing.T, address, sql string) (result string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), address)
	if err != nil {
		t.Fatalf("connect: %v", err)
	}
	defer conn.Close(t.Context())
	if err := conn.QueryRow(t.Context(), sql).Scan(&result); err != nil {
		t.Fatalf("run SQL: %v", err)
	}
	return result
}
