// Package pgtest gives each test a database of its own in a real PostgreSQL, which a test process starts once. It is
// for tests only.
package pgtest

import (
	"context"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/sininho/sininho/server/internal/embeddedpg"
	"github.com/sininho/sininho/server/internal/postgres"
)

var (
	running *embeddedpg.Server
	counter atomic.Int64
)

const template = "template_sininho"

// Main runs a package's tests with a PostgreSQL; call it from TestMain.
func Main(m *testing.M) {
	code, err := run(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, "pgtest:", err)
		code = 1
	}
	os.Exit(code)
}

func run(m *testing.M) (code int, err error) {
	dir, err := os.MkdirTemp("", "pgtest-")
	if err != nil {
		return 1, err
	}
	defer os.RemoveAll(dir) // a left-over directory harms nothing
	ctx := context.Background()
	running, err = embeddedpg.Start(ctx, embeddedpg.Config{Dir: dir, Settings: map[string]string{"fsync": "off", "synchronous_commit": "off"}})
	if err != nil {
		return 1, err
	}
	defer func() {
		if e := running.Stop(); err == nil {
			err = e
		}
	}()
	if err := makeTemplate(ctx); err != nil {
		return 1, err
	}
	return m.Run(), nil
}

func makeTemplate(ctx context.Context) error {
	if err := execute(ctx, "create database "+template); err != nil {
		return err
	}
	return postgres.Migrate(ctx, address(template), slog.New(slog.DiscardHandler))
}

func execute(ctx context.Context, sql string) error {
	conn, err := pgx.Connect(ctx, running.URL())
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	_, err = conn.Exec(ctx, sql)
	return err
}

func address(database string) string {
	u, err := url.Parse(running.URL())
	if err != nil {
		panic(err) // it is ours
	}
	u.Path = "/" + database
	return u.String()
}

// URL makes a migrated database for a test and answers its address.
func URL(t testing.TB) string {
	t.Helper()
	return create(t, template)
}

// EmptyURL makes a database with nothing in it.
func EmptyURL(t testing.TB) string {
	t.Helper()
	return create(t, "template0")
}

func create(t testing.TB, template string) string {
	t.Helper()
	name := fmt.Sprintf("test_%d", counter.Add(1))
	if err := execute(context.Background(), "create database "+name+" template "+template); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = execute(context.Background(), "drop database "+name+" with (force)") })
	return address(name)
}

// DB makes a database for a test and opens it.
func DB(t testing.TB) *postgres.DB {
	t.Helper()
	db, err := postgres.Open(context.Background(), postgres.Config{URL: URL(t), Connections: 20})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}
