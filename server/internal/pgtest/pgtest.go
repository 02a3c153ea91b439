// Package pgtest gives each test a database of its own in a real PostgreSQL, which a test process starts once. It is
// for tests only.
package pgtest

import (
	"context"
	"errors"
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

// Main runs a package's tests with a PostgreSQL; call it from TestMain. It returns when they have passed or failed:
// the testing package then exits with their code.
func Main(m *testing.M) {
	if err := run(m); err != nil {
		fmt.Fprintln(os.Stderr, "pgtest:", err)
		os.Exit(1)
	}
}

func run(m *testing.M) (err error) {
	dir, err := os.MkdirTemp("", "pgtest-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir) // a left-over directory harms nothing
	ctx := context.Background()
	settings := map[string]string{"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off", "max_connections": "500"}
	running, err = embeddedpg.Start(ctx, embeddedpg.Config{Dir: dir, Settings: settings})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, running.Stop()) }()
	if err := makeTemplate(ctx); err != nil {
		return err
	}
	m.Run()
	return nil
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
	if running == nil {
		t.Fatal("no PostgreSQL is running: call pgtest.Main from TestMain")
	}
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
