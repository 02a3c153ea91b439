package postgres_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/postgres"
	"github.com/sininho/sininho/server/lab/pgtest"
)

// TestCancelledTransactions ends requests between two statements of their transactions, many times, because a
// connection that is used after bun has given it up makes the process panic only now and then.
func TestCancelledTransactions(t *testing.T) {
	t.Parallel()
	db := must(postgres.Open(t.Context(), postgres.Config{URL: pgtest.URL(t), Connections: 4}))
	t.Cleanup(func() { _ = db.Close() })
	for range 100 {
		ctx, cancel := context.WithCancel(t.Context())
		err := db.InTx(ctx, func(ctx context.Context, tx postgres.Tx) error {
			cancel()
			_, err := tx.NewRaw("select 1").Exec(ctx)
			return err
		})
		if !errors.Is(err, context.Canceled) {
			t.Fatalf("statement of a cancelled transaction: got %v, want that it was cancelled", err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	err := db.InTx(ctx, func(ctx context.Context, tx postgres.Tx) error {
		<-ctx.Done()
		_, err := tx.NewRaw("select 1").Exec(ctx)
		return err
	})
	if !core.IsCode(err, core.CodeUnavailable) {
		t.Errorf("statement of a transaction that took too long: got %v, want CodeUnavailable", err)
	}
}

func TestTransactionsLeaveNothing(t *testing.T) {
	t.Parallel()
	db := must(postgres.Open(t.Context(), postgres.Config{URL: pgtest.URL(t), Connections: 1}))
	t.Cleanup(func() { _ = db.Close() })
	create := func(ctx context.Context, tx postgres.Tx) {
		must(tx.NewRaw("create table left_over ()").Exec(ctx))
	}
	for what, run := range map[string]func() error{
		"a panic": func() (err error) {
			defer func() { err = recover().(error) }() //nolint:forcetypeassert // it is
			return db.InTx(t.Context(), func(ctx context.Context, tx postgres.Tx) error {
				create(ctx, tx)
				panic(errors.New("a panic"))
			})
		},
		"a statement that fails, and whose error is lost": func() error {
			return db.InTx(t.Context(), func(ctx context.Context, tx postgres.Tx) error {
				create(ctx, tx)
				_, _ = tx.NewRaw("select 1/0").Exec(ctx)
				return nil
			})
		},
		"a first statement that fails": func() error {
			return db.InTxAfter(t.Context(), "create table left_over (); select 1/0",
				func(context.Context, postgres.Tx) error { return nil })
		},
	} {
		if run() == nil {
			t.Errorf("%s: got no error", what)
		}
		var left bool
		succeed(t, what, db.Pool().QueryRow(t.Context(), "select to_regclass('left_over') is not null").Scan(&left))
		if left {
			t.Errorf("%s: got a table, want that the transaction was rolled back", what)
		}
	}
}

// TestPatience uses up all connections.
func TestPatience(t *testing.T) {
	t.Parallel()
	c := postgres.Config{URL: pgtest.URL(t), Connections: 1, Patience: 50 * time.Millisecond}
	db := must(postgres.Open(t.Context(), c))
	t.Cleanup(func() { _ = db.Close() })
	store := postgres.NewStore(db)
	for _, within := range []bool{true, false} {
		statements := func(ctx context.Context) map[string]error {
			_, row := store.StreamPosition(ctx)
			_, rows := store.Changes(ctx, 0, 1, 1<<20, nil)
			_, builder := db.NewRaw("select 1").Exec(ctx)
			begin := db.InTx(ctx, func(context.Context, postgres.Tx) error { return nil })
			return map[string]error{"a row": row, "rows": rows, "a statement of bun": postgres.Error(builder), "a transaction": begin}
		}
		var errs map[string]error
		if within {
			succeed(t, "hold the connection", db.InTx(t.Context(), func(ctx context.Context, _ postgres.Tx) error {
				errs = statements(ctx)
				return nil
			}))
		} else {
			errs = statements(t.Context())
		}
		for what, err := range errs {
			if core.IsCode(err, core.CodeUnavailable) != within {
				t.Errorf("%s, with all connections in use %t: got %v", what, within, err)
			}
		}
	}
}
