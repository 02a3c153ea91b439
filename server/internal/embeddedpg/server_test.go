//go:build linux || darwin

package embeddedpg

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

func TestKeepsDataOverRestarts(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(openDir(t), "made", "as needed")
	began := time.Now()
	s := mustStart(t, dir)
	t.Logf("first start: %s", time.Since(began))
	keep(t, s.URL())
	mustStop(t, s)
	mustStop(t, s) // stops it a second time
	select {
	case <-s.Done():
	default:
		t.Error("Done after Stop: open, want closed")
	}
	if isPostmaster(s.process.pid(), s.data()) {
		t.Error("postmaster after Stop: runs, want it ended")
	}
	began = time.Now()
	again := mustStart(t, dir)
	t.Logf("second start: %s", time.Since(began))
	wantKept(t, again.URL())
	if strings.Count(again.URL(), s.password) != 1 {
		t.Error("password after a restart: got another, want the same")
	}
}

func TestSettings(t *testing.T) {
	t.Parallel()
	s, err := Start(t.Context(),
		Config{Dir: madeDir(t), Settings: map[string]string{"work_mem": "7MB", "listen_addresses": "*"}})
	if err != nil {
		t.Fatalf("start: %v", err)
	}
	defer mustStop(t, s)
	for setting, want := range map[string]string{
		"listen_addresses": "127.0.0.1", "unix_socket_directories": "", "server_encoding": "UTF8", "lc_messages": "C",
		"max_connections": "100", "shared_buffers": "128MB", "fsync": "on", "password_encryption": "scram-sha-256",
		"work_mem": "7MB",
	} {
		if got := query(t, s.URL(), "select current_setting('"+setting+"')"); got != want {
			t.Errorf("setting %s: got %q, want %q", setting, got, want)
		}
	}
	if got := query(t, s.URL(),
		"select datcollate::text from pg_database where datname = current_database()"); got != "C" {
		t.Errorf("collation: got %q, want C", got)
	}
}

func TestPasswordIsRequired(t *testing.T) {
	t.Parallel()
	dir := madeDir(t)
	s := mustStart(t, dir)
	path := filepath.Join(dir, "postgres.password")
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode of the password file: got %v, %v; want 0600", info.Mode(), err)
	}
	u, err := url.Parse(s.URL())
	if err != nil {
		t.Fatalf("parse the URL: %v", err)
	}
	u.User = url.UserPassword(owner, "wrong")
	if conn, err := pgx.Connect(t.Context(), u.String()); err == nil {
		_ = conn.Close(t.Context())
		t.Error("connect with a wrong password: got a connection, want an error")
	}
	mustStop(t, s)
	mustWrite(t, path, "wrong\n")
	wantFailure(t, testConfig(dir), path, "is not the one", "put the right one back")
	if err := os.Remove(path); err != nil {
		t.Fatalf("remove: %v", err)
	}
	wantFailure(t, testConfig(dir), path, "is missing", "put it back")
}

func TestLogsWithoutThePassword(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	c := testConfig(openDir(t))
	c.Logger = slog.New(slog.NewTextHandler(&log, nil))
	s, err := Start(t.Context(), c)
	if err != nil {
		t.Fatalf("start: %v", err)
	}
	mustStop(t, s)
	wantContains(t, log.String(), "making a PostgreSQL data directory", "PostgreSQL is ready", c.Dir)
	if strings.Contains(log.String(), s.password) {
		t.Error("log: got the password in it, want none")
	}
}

func TestRefusesADirectoryInUse(t *testing.T) {
	t.Parallel()
	dir := madeDir(t)
	mustStart(t, dir)
	wantFailure(t, testConfig(dir), dir, "another sininho-server", fmt.Sprintf("process %d", os.Getpid()))

	other := madeDir(t)
	p := startHelperServer(t, other, nil)
	wantFailure(t, testConfig(other), other, fmt.Sprintf("process %d", p.cmd.Process.Pid))
}

func TestTakesAnotherPort(t *testing.T) {
	t.Parallel()
	s := mustStart(t, madeDir(t))
	mustKill(t, s.process.pid(), syscall.SIGINT)
	<-s.Done()
	taken, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // a test
	if err != nil {
		t.Fatalf("listen: %v", err)
	}
	defer taken.Close()
	ports := []int{taken.Addr().(*net.TCPAddr).Port}
	pick := func(ctx context.Context) (int, error) {
		if len(ports) == 0 {
			return freePort(ctx)
		}
		port := ports[0]
		ports = ports[1:]
		return port, nil
	}
	if err := s.run(t.Context(), pick); err != nil {
		t.Fatalf("run: %v", err)
	}
	if got := query(t, s.URL(), "select current_database()::text"); got != database {
		t.Errorf("current database: got %q, want %q", got, database)
	}
}

func TestShowsTheLogWhenItDoesNotStart(t *testing.T) {
	t.Parallel()
	dir := madeDir(t)
	c := testConfig(dir)
	c.Settings["max_connections"] = "plenty"
	wantFailure(t, c, `invalid value for parameter "max_connections": "plenty"`, filepath.Join(dir, "postgres.log"))
	mustStart(t, dir) // the directory is free again
}

func TestStartEndsWithItsContext(t *testing.T) {
	t.Parallel()
	dir := madeDir(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Start(ctx, testConfig(dir)); err == nil {
		t.Error("start with a cancelled context: got no error, want one")
	}
	mustStart(t, dir)
}

func TestLeavesOtherPeoplesFiles(t *testing.T) {
	t.Parallel()
	dir := openDir(t)
	precious := filepath.Join(dir, "data", "thesis.txt")
	mustWrite(t, precious, "text")
	wantFailure(t, testConfig(dir), filepath.Join(dir, "data"), "is no PostgreSQL data directory", "move it away")
	if _, err := os.Stat(precious); err != nil {
		t.Errorf("file of another program: %v, want it kept", err)
	}
}

func TestErrorNamesTheVersionOfTheData(t *testing.T) {
	t.Parallel()
	dir := openDir(t)
	for version, texts := range map[string]string{
		"9.6": "move it away", "12": "at least 13 is needed", "99": "install postgresql-99",
	} {
		mustWrite(t, filepath.Join(dir, "data", "PG_VERSION"), version+"\n")
		wantFailure(t, testConfig(dir), texts, filepath.Join(dir, "data"))
	}
}

func mustKill(t *testing.T, pid int, signal syscall.Signal) {
	t.Helper()
	if err := syscall.Kill(pid, signal); err != nil {
		t.Fatalf("kill: %v", err)
	}
}
