//go:build linux || darwin

package backup_test

import (
	"bytes"
	"io"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/sininho/sininho/server/internal/backup"
	"github.com/sininho/sininho/server/internal/postgres"
	"github.com/sininho/sininho/server/lab/check"
	"github.com/sininho/sininho/server/lab/pgtest"
	"github.com/sininho/sininho/server/lab/sampledata"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// sample returns the address of a database with some data.
func sample(t *testing.T) string {
	t.Helper()
	address := pgtest.URL(t)
	pool, err := pgxpool.New(t.Context(), address)
	if err != nil {
		t.Fatalf("connect: %v", err)
	}
	defer pool.Close()
	sizes := sampledata.Sizes{Notifications: 2_000, Channels: 400, Subscriptions: 2_000, Devices: 100}
	config := sampledata.Config{Sizes: sizes, Seed: 1, Now: time.Now()}
	if _, err := sampledata.Load(t.Context(), pool, config); err != nil {
		t.Fatalf("load the sample data: %v", err)
	}
	return address
}

// write writes a backup and returns its path.
func write(t *testing.T, address string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "sininho.backup")
	if err := backup.Write(t.Context(), address, file, io.Discard); err != nil {
		t.Fatalf("write a backup: %v", err)
	}
	return file
}

func run(t *testing.T, address, sql string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), address)
	if err != nil {
		t.Fatalf("connect: %v", err)
	}
	defer conn.Close(t.Context())
	if _, err := conn.Exec(t.Context(), sql); err != nil {
		t.Fatalf("run SQL: %v", err)
	}
}

// contents returns a checksum of the rows of each table, and the value of each sequence but that of the stream.
func contents(t *testing.T, address string) map[string]string {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), address)
	if err != nil {
		t.Fatalf("connect: %v", err)
	}
	defer conn.Close(t.Context())
	rows, err := conn.Query(t.Context(), `
		select c.oid::regclass::text, case relkind
			when 'S' then 'select last_value::text from ' || c.oid::regclass
			else 'select count(*) || '' '' || coalesce(sum(hashtextextended(t::text, 0)), 0) from '
				|| c.oid::regclass || ' t' end
		from pg_class c join pg_namespace n on n.oid = relnamespace
		where nspname = 'public' and relkind in ('r', 'S') and relname <> 'stream_positions'`)
	if err != nil {
		t.Fatalf("list the tables: %v", err)
	}
	queries := map[string]string{}
	var table, query string
	_, err = pgx.ForEachRow(rows, []any{&table, &query}, func() error { queries[table] = query; return nil })
	if err != nil {
		t.Fatalf("list the tables: %v", err)
	}
	for table, query := range queries {
		var sum string
		if err := conn.QueryRow(t.Context(), query).Scan(&sum); err != nil {
			t.Fatalf("read %s: %v", table, err)
		}
		queries[table] = sum
	}
	return queries
}

func TestRestore(t *testing.T) {
	t.Parallel()
	from, to := sample(t), pgtest.EmptyURL(t)
	file := write(t, from)
	info, err := os.Stat(file)
	if err != nil {
		t.Fatalf("stat the backup: %v", err)
	}
	check.Equal(t, "mode of the backup", info.Mode(), 0o600)
	beside, err := os.ReadDir(filepath.Dir(file))
	if err != nil {
		t.Fatalf("read the folder: %v", err)
	}
	check.Equal(t, "files in the folder", len(beside), 1)
	var progress bytes.Buffer
	if err := backup.Restore(t.Context(), to, file, &progress); err != nil {
		t.Fatalf("restore: %v", err)
	}
	check.Equal(t, "contents of the restored database", contents(t, to), contents(t, from))
	for _, want := range []string{"  notifications\n", "  river_job\n", " is restored\n"} {
		if !strings.Contains(progress.String(), want) {
			t.Errorf("progress: got %s, want %q", progress.String(), want)
		}
	}
	if err := postgres.Migrate(t.Context(), to, slog.New(slog.DiscardHandler)); err != nil {
		t.Errorf("migrate the restored database: %v", err)
	}
}

// TestRefusedBackups expects no file after a backup that is refused.
func TestRefusedBackups(t *testing.T) {
	t.Parallel()
	there := filepath.Join(t.TempDir(), "there")
	if err := os.WriteFile(there, []byte("kept"), 0o600); err != nil {
		t.Fatalf("write a file: %v", err)
	}
	folder := t.TempDir()
	for want, c := range map[string]struct{ address, file string }{
		"exists already":          {pgtest.URL(t), there},
		"no tables of Sininho":    {pgtest.EmptyURL(t), filepath.Join(folder, "a")},
		"no such file":            {pgtest.URL(t), filepath.Join(folder, "missing", "a")},
		"connect to the database": {"postgres://sininho:secret@127.0.0.1:1/x", filepath.Join(folder, "b")},
	} {
		err := backup.Write(t.Context(), c.address, c.file, io.Discard)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("backup to %s: got %v, want an error with %q", filepath.Base(c.file), err, want)
		}
	}
	if kept, err := os.ReadFile(there); string(kept) != "kept" {
		t.Errorf("file that was there: got %q %v, want it unchanged", kept, err)
	}
	if left, _ := os.ReadDir(folder); len(left) > 0 {
		t.Errorf("folder after refused backups: got %v, want nothing", left)
	}
}

// TestRefusedRestores expects an empty database to stay empty.
func TestRefusedRestores(t *testing.T) {
	t.Parallel()
	from := sample(t)
	good := write(t, from)
	whole, err := os.ReadFile(good)
	if err != nil {
		t.Fatalf("read the backup: %v", err)
	}
	file := func(name string, content []byte) string {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatalf("write a file: %v", err)
		}
		return path
	}
	run(t, from, "insert into goose_db_version (version_id, is_applied) values (99999, true)")
	newer := write(t, from)
	used := pgtest.EmptyURL(t)
	run(t, used, "create table accounts ()")
	empty := pgtest.EmptyURL(t)
	for _, c := range []struct{ name, address, file, want string }{
		{"missing", empty, good + ".missing", "no such file"},
		{"of something else", empty, file("text", []byte("select 1")), "is no backup of Sininho"},
		{"cut in its list", empty, file("list", whole[:1000]), "is no backup of Sininho"},
		{"cut in its data", empty, file("data", whole[:len(whole)*9/10]), "the database is empty as before"},
		{"of a newer version", empty, newer, "made by a newer version of Sininho"},
		{"into a database in use", used, good, "the database is not empty, it has accounts"},
	} {
		err := backup.Restore(t.Context(), c.address, c.file, io.Discard)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("restore of a backup %s: got %v, want an error with %q", c.name, err, c.want)
		}
		check.Equal(t, "tables after a refused restore", len(contents(t, empty)), 0)
	}
}

// TestAddresses backs up by addresses whose parameters only pgx knows, and checks that the password is needed.
func TestAddresses(t *testing.T) {
	t.Parallel()
	u, err := url.Parse(pgtest.URL(t))
	if err != nil {
		t.Fatalf("parse the address: %v", err)
	}
	query := u.Query()
	query.Set("pool_max_conns", "3")
	query.Set("default_query_exec_mode", "exec")
	password, _ := u.User.Password()
	query.Set("password", password)
	u.User, u.RawQuery = url.User(u.User.Username()), query.Encode()
	if err := backup.Write(t.Context(), u.String(), filepath.Join(t.TempDir(), "a"), io.Discard); err != nil {
		t.Errorf("backup by the address of a pool: %v", err)
	}
}
