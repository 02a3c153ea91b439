package pgtest

import (
	"context"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/sininho/sininho/internal/eventually"
)

// pgBouncer has only what PgBouncer cannot do without: everything else is its default.
const pgBouncer = `[databases]
* = host=%s port=%s
[pgbouncer]
pool_mode = transaction
listen_addr = 127.0.0.1
listen_port = %s
unix_socket_dir =
auth_type = plain
auth_file = %s
`

// PgBouncer runs a PgBouncer that pools by transaction until the test ends, and returns the database's address by it.
func PgBouncer(t testing.TB, databaseURL string) string {
	t.Helper()
	u := parse(databaseURL)
	dir, err := os.MkdirTemp("", "pgbouncer-") // a user without rights must reach it
	if err != nil {
		t.Fatalf("make a folder: %v", err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	password, _ := u.User.Password()
	users, config := filepath.Join(dir, "users.txt"), filepath.Join(dir, "pgbouncer.ini")
	_, port, err := net.SplitHostPort(freeAddr(t))
	if err != nil {
		t.Fatalf("split an address: %v", err)
	}
	for path, content := range map[string]string{
		users:  fmt.Sprintf("%q %q\n", u.User.Username(), password),
		config: fmt.Sprintf(pgBouncer, u.Hostname(), u.Port(), port, users),
	} {
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatalf("write a file: %v", err)
		}
	}
	runPgBouncer(t, dir, config)
	u.Host = net.JoinHostPort("127.0.0.1", port)
	waitForPgBouncer(t, u)
	return u.String()
}

func freeAddr(t testing.TB) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatalf("listen: %v", err)
	}
	defer l.Close() // it only finds a free port
	return l.Addr().String()
}

func runPgBouncer(t testing.TB, dir, config string) {
	t.Helper()
	program, err := exec.LookPath("pgbouncer")
	if err != nil {
		program = "/usr/sbin/pgbouncer" // which is not on the path of ordinary users
	}
	args := []string{config}
	if os.Geteuid() == 0 { // as whom it does not run
		args = append(args, "-u", giveAway(t, dir))
	}
	log, err := os.Create(filepath.Join(t.TempDir(), "pgbouncer.log"))
	if err != nil {
		t.Fatalf("write a file: %v", err)
	}
	cmd := exec.Command(program, args...)
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		t.Fatalf("start PgBouncer, of the package pgbouncer: %v", err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM) // ends it at once
		_ = cmd.Wait()
		_ = log.Close()
		if written, err := os.ReadFile(log.Name()); t.Failed() && err == nil {
			t.Logf("log of PgBouncer:\n%s", written)
		}
	})
}

// giveAway makes a user without rights the owner of a folder with its files, and returns the name.
func giveAway(t testing.TB, dir string) string {
	t.Helper()
	nobody, err := user.Lookup("nobody")
	if err != nil {
		t.Fatalf("look up a user without rights: %v", err)
	}
	if out, err := exec.Command("chown", "-R", nobody.Uid+":"+nobody.Gid, dir).CombinedOutput(); err != nil {
		t.Fatalf("give a folder away: %v: %s", err, out)
	}
	return nobody.Username
}

func waitForPgBouncer(t testing.TB, u *url.URL) {
	t.Helper()
	eventually.True(t, "PgBouncer to accept connections", func() bool {
		config, err := pgx.ParseConfig(u.String())
		if err != nil {
			t.Fatalf("parse an address: %v", err)
		}
		conn, err := pgx.ConnectConfig(context.Background(), config)
		if err != nil {
			return false
		}
		_ = conn.Close(context.Background())
		return true
	})
}
