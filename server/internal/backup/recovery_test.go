//go:build linux || darwin

package backup_test

import (
	"context"
	"log/slog"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/sininho/sininho/server/internal/embeddedpg"
	"github.com/sininho/sininho/server/internal/postgres"
	"github.com/sininho/sininho/server/lab/check"
)

// TestPointInTimeRecovery runs the commands of the guide to production, which archive the log, make a base backup and
// go back to a moment between two changes. Only the user, the folders, the service and the moment are replaced.
func TestPointInTimeRecovery(t *testing.T) {
	t.Parallel()
	commands := recoveryCommands(t)
	m := newMachine(t)
	m.run(commands[0])
	m.query("insert into moments values ('kept') returning name")
	moment := m.query("select clock_timestamp()::text")
	m.query("insert into moments values ('lost') returning name")
	m.run(strings.ReplaceAll(commands[1], "2026-03-01 12:00:00+00", moment))
	m.query("insert into moments values ('new') returning name")
	check.Equal(t, "what there is after the recovery",
		m.query("select string_agg(name, ' ' order by name) from moments"), "kept new")
	check.Equal(t, "the next position is a billion later",
		m.query("select (nextval('stream_positions') > 1000000000)::text"), "true")
}

// recoveryCommands returns the two blocks of the guide: for before and after a disaster.
func recoveryCommands(t *testing.T) []string {
	t.Helper()
	guide, err := os.ReadFile("../../../docs/production.md")
	if err != nil {
		t.Fatalf("read the guide: %v", err)
	}
	_, section, _ := strings.Cut(string(guide), "\n### Point-in-time recovery\n")
	section, _, _ = strings.Cut(section, "\n### ")
	var commands []string
	for _, block := range regexp.MustCompile("(?s)```sh[^\n]*\n(.*?)```").FindAllStringSubmatch(section, -1) {
		commands = append(commands, block[1])
	}
	if len(commands) != 2 || !strings.Contains(commands[1], "2026-03-01 12:00:00+00") {
		t.Fatalf("commands of the guide: got %q, want two blocks, the second with a moment", commands)
	}
	return commands
}

// machine has a PostgreSQL with its data where Debian has it, below a folder.
type machine struct {
	t          *testing.T
	dir, bin   string
	credential *syscall.Credential // of the user that PostgreSQL runs as; nil for the current one
}

func newMachine(t *testing.T) *machine {
	t.Helper()
	initdb, err := embeddedpg.Tool(t.Context(), "initdb", 13)
	if err != nil {
		t.Fatalf("find initdb: %v", err)
	}
	dir, err := os.MkdirTemp("", "recovery-") // the user must reach it
	if err != nil {
		t.Fatalf("make a folder: %v", err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	m := &machine{t: t, dir: dir, bin: filepath.Dir(initdb), credential: unprivileged(t, dir)}
	t.Cleanup(func() { _ = m.command(context.Background(), "pg_ctl -m immediate stop").Run() })
	m.run(`initdb --auth=trust --username=postgres --no-sync
		cat >> "$PGDATA/postgresql.conf" <<END
			listen_addresses = ''
			unix_socket_directories = '$PGHOST'
			fsync = off
			recovery_min_apply_delay = 3s # so that the recovery goes on after the start, as it does with a longer log
END
		sudo systemctl start postgresql@15-main
		createdb sininho`)
	if err := postgres.Migrate(t.Context(), m.address(), slog.New(slog.DiscardHandler)); err != nil {
		t.Fatalf("migrate the database: %v", err)
	}
	m.run(`psql sininho -c "create table moments (name text)"`)
	return m
}

// unprivileged gives a folder to a user as whom PostgreSQL runs, if the test is run by root, and returns the user.
func unprivileged(t *testing.T, dir string) *syscall.Credential {
	t.Helper()
	if os.Geteuid() != 0 {
		return nil
	}
	nobody, err := user.Lookup("nobody")
	if err != nil {
		t.Fatalf("look up a user without rights: %v", err)
	}
	uid, _ := strconv.ParseInt(nobody.Uid, 10, 64) // on macOS it is -2
	gid, _ := strconv.ParseInt(nobody.Gid, 10, 64)
	if err := os.Chown(dir, int(uid), int(gid)); err != nil {
		t.Fatalf("give a folder away: %v", err)
	}
	return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
}

// address is of the database sininho, by PostgreSQL's socket.
func (m *machine) address() string { return "postgres://postgres@/sininho?host=" + m.dir }

// run runs commands of the guide, or others, as the user, and expects each to succeed.
func (m *machine) run(commands string) {
	m.t.Helper()
	ctx, cancel := context.WithTimeout(m.t.Context(), time.Minute)
	defer cancel()
	commands = strings.NewReplacer("sudo -u postgres ", "", "sudo systemctl ", "pg_ctl -w -l "+m.dir+"/log ",
		" postgresql@15-main", "", "sudo install -d -o postgres ", "install -d ", "sudo ", "",
		"/archive", m.dir+"/archive", "/var/lib/postgresql/", m.dir+"/").Replace(commands)
	if out, err := m.command(ctx, commands).CombinedOutput(); err != nil {
		log, _ := os.ReadFile(filepath.Join(m.dir, "log"))
		m.t.Fatalf("commands: %v\n%s\n%s\nlog of PostgreSQL:\n%s", err, commands, out, log)
	}
}

func (m *machine) command(ctx context.Context, commands string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "bash", "-c", "set -euo pipefail\n"+commands)
	cmd.Dir = m.dir
	cmd.Env = []string{"PATH=" + m.bin + ":" + os.Getenv("PATH"), "LC_ALL=C", "PGHOST=" + m.dir, "PGUSER=postgres",
		"PGDATA=" + m.dir + "/15/main"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: m.credential, Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 5 * time.Second
	return cmd
}

// query returns the text that a statement returns.
func (m *machine) query(sql string) (result string) {
	m.t.Helper()
	conn, err := pgx.Connect(m.t.Context(), m.address())
	if err != nil {
		m.t.Fatalf("connect: %v", err)
	}
	defer conn.Close(context.Background())
	if err := conn.QueryRow(m.t.Context(), sql).Scan(&result); err != nil {
		m.t.Fatalf("run SQL: %v", err)
	}
	return result
}
