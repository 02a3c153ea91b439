// Package pgtest gives each test its own database in a real PostgreSQL, which a test process starts once. It is for
// tests only.
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
	"github.com/sininho/sininho/server/lab/leaktest"
)

var (
	running *embeddedpg.Server
	counter atomic.Int64
)

const template = "template_sininho"

// Main runs a package's tests with a PostgreSQL; call it from TestMain. It returns after the tests, and the testing
// package then exits with their code.
func Main(m *testing.M) {
	if err := run(m); err != nil {
		fmt.Fprintln(os.Stderr, "pgtest:", err)
		os.Exit(1)
	}
}

func run(m *testing.M) (err error) {
	dir, remove, err := temporary()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, remove()) }()
	ctx := context.Background()
	settings := map[string]string{
		"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off", "max_connections": "500",
		"max_wal_size": "64MB",
		"autovacuum":   "off", // plans depend on statistics, which only the tests themselves take
	}
	running, err = embeddedpg.Start(ctx, embeddedpg.Config{Dir: dir, Settings: settings})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, running.Stop()) }()
	if err := errors.Join(cheapenPassword(ctx), makeTemplate(ctx)); err != nil {
		return err
	}
	check := leaktest.Since()
	if m.Run() != 0 { // tests that end early may leave anything
		return nil
	}
	return check()
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
		panic(err) // embeddedpg returns valid URLs
	}
	u.Path = "/" + database
	return u.String()
}

// URL creates a migrated database for a test and returns its URL.
func URL(t testing.TB) string {
	t.Helper()
	return create(t, template)
}

// EmptyURL creates an empty database for a test and returns its URL.
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
		t.Fatalf("create a database for the test: %v", err)
	}
	t.Cleanup(func() { _ = execute(context.Background(), "drop database "+name+" with (force)") })
	return address(name)
}

// DB creates a migrated database for a test and opens it.
func DB(t testing.TB) *postgres.DB {
	t.Helper()
	db, err := postgres.Open(context.Background(), postgres.Config{URL: URL(t), Connections: 20})
	if err != nil {
		t.Fatalf("open the test's database: %v", err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}
