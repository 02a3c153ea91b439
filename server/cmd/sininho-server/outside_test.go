package main

import (
	"bufio"
	"bytes"
	"context"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/sininho/sininho/internal/eventually"
	"github.com/sininho/sininho/server/lab/pgtest"
	"github.com/sininho/sininho/server/lab/standin"
	"github.com/sininho/sininho/server/lab/standin/fcm"
)

// TestMain runs the command itself in the processes that the tests start.
func TestMain(m *testing.M) {
	if os.Getenv("SININHO_SERVER_MAIN") != "" {
		main()
		return
	}
	pgtest.Main(m)
}

// outside holds what must outlive the server process: the database and the push service.
type outside struct {
	t           *testing.T
	database    *pgx.Conn
	environment []string
	addr        string
	dir         string
}

func newOutside(t *testing.T) *outside {
	t.Helper()
	dir := t.TempDir()
	address := pgtest.URL(t)
	database, err := pgx.Connect(t.Context(), address)
	if err != nil {
		t.Fatalf("connect to the database: %v", err)
	}
	t.Cleanup(func() { _ = database.Close(context.Background()) })
	push, err := fcm.New(fcm.Config{})
	if err != nil {
		t.Fatalf("start the FCM stand-in: %v", err)
	}
	served, err := standin.Serve(push.Handler())
	if err != nil {
		t.Fatalf("serve the FCM stand-in: %v", err)
	}
	t.Cleanup(func() { _ = served.Close() })
	credentials := filepath.Join(dir, "credentials.json")
	if err := os.WriteFile(credentials, push.ServiceAccountJSON(served.URL()+"/token"), 0o600); err != nil {
		t.Fatalf("write a file: %v", err)
	}
	return &outside{t: t, database: database, addr: freeAddr(t), dir: dir,
		environment: append(os.Environ(), "SININHO_SERVER_MAIN=1",
			"DATABASE_URL="+address, "FCM_ENDPOINT="+served.URL()+"/v1",
			"FIREBASE_CREDENTIALS_FILE="+credentials)}
}

func freeAddr(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatalf("listen: %v", err)
	}
	defer l.Close() // only needed to find a free port
	return l.Addr().String()
}

// start runs the server in a separate process and waits until it is ready.
func (o *outside) start() *exec.Cmd {
	o.t.Helper()
	cmd := exec.Command(os.Args[0], "dev", "--addr", o.addr, "--data", filepath.Join(o.dir, "data"), "--limits", "off")
	cmd.Env = o.environment
	var log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &log, &log
	if err := cmd.Start(); err != nil {
		o.t.Fatalf("start the program: %v", err)
	}
	o.t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		if o.t.Failed() {
			o.t.Log(log.String())
		}
	})
	eventually.True(o.t, "the server to be ready", func() bool {
		res, err := http.Get("http://" + o.addr + "/readyz") //nolint:noctx // a test
		if err != nil {
			return false
		}
		_ = res.Body.Close()
		return res.StatusCode == http.StatusOK
	})
	return cmd
}

func (o *outside) setting(name string) string {
	o.t.Helper()
	b, err := os.ReadFile(filepath.Join(o.dir, "data", "dev.env"))
	if err != nil {
		o.t.Fatalf("read a file: %v", err)
	}
	for lines := bufio.NewScanner(bytes.NewReader(b)); lines.Scan(); {
		if value, ok := strings.CutPrefix(lines.Text(), name+"="); ok {
			return strings.Trim(value, "'")
		}
	}
	o.t.Fatalf("dev.env: got no %s", name)
	return ""
}

func (o *outside) query(sql string, args ...any) (n int) {
	o.t.Helper()
	if err := o.database.QueryRow(context.Background(), sql, args...).Scan(&n); err != nil {
		o.t.Fatalf("run SQL: %v", err)
	}
	return n
}

// followers creates n subscribers of demo/novidades, each with a device.
func (o *outside) followers(n int) {
	o.t.Helper()
	o.query(`
		with people as (
			insert into subscribers (id, email, name, locale, timezone)
			select gen_random_uuid(), 'load-' || i || '@example.com', 'load-' || i, 'pt', 'Europe/Lisbon'
			from generate_series(1, $1::int) i
			returning id, name
		), devices as (
			insert into devices (id, subscriber_id, installation_id, kind, address, platform, name, rings_since)
			select gen_random_uuid(), id, name, 'token', name, 'web', 'Load', now() from people
		), following as (
			insert into subscriptions (subscriber_id, channel_id, bell, followed_at, read_ordinal, read_at)
			select people.id, c.id, 'all', now(), 0, now()
			from people, channels c join publishers p on p.id = c.publisher_id
			where p.slug = 'demo' and c.slug = 'novidades'
		)
		select count(*) from people`, n)
}
