package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

// StreamLock is the advisory lock under which positions on the stream are given. It is held until the commit, so
// whoever sees one position sees all before it. It spells SNSTRM in ASCII.
const StreamLock = 0x53_4e_53_54_52_4d

// StreamTimeout limits a transaction that takes the stream's lock, with the wait for it.
const StreamTimeout = 8 * time.Second

const (
	streamPatience = 5 * time.Second // for the lock
	// streamRowPatience limits the wait for a row under the lock, because all other publishers of all nodes wait too.
	streamRowPatience = 200 * time.Millisecond
	// streamIdleTimeout ends a transaction whose node hangs, for the same reason.
	streamIdleTimeout = 3 * time.Second
)

// takeStream waits for the stream's lock. It also sets the limits of the transaction, and turns off the compilation of
// statements, which takes longer than any of them. PostgreSQL calls the functions in their order.
var takeStream = fmt.Sprintf(`
	select set_config('jit', 'off', true), set_config('idle_in_transaction_session_timeout', '%s', true),
		set_config('lock_timeout', '%s', true), pg_advisory_xact_lock(%d), set_config('lock_timeout', '%s', true)`,
	streamIdleTimeout, streamPatience, int64(StreamLock), streamRowPatience)

// InStream runs fn in a transaction that holds the stream's lock. The lock comes before any row that others lock under
// it, so that two such transactions never wait for each other. It is a statement of its own, so that fn sees everything
// that was committed under the lock before.
func (db *DB) InStream(ctx context.Context, fn func(ctx context.Context, tx Tx) error) error {
	ctx, cancel := context.WithTimeout(ctx, StreamTimeout)
	defer cancel()
	locked := false
	err := db.InTxAfter(ctx, takeStream, func(ctx context.Context, tx Tx) error {
		locked = true
		return fn(ctx, tx)
	})
	if err != nil && !locked {
		return noStream(err)
	}
	return err
}

// TakeStream waits for the stream's lock in a transaction that holds no other lock which others take under it.
func (tx Tx) TakeStream(ctx context.Context) error {
	_, err := tx.NewRaw(takeStream).Exec(ctx) // raw, because it only calls functions
	if err != nil {
		return noStream(err)
	}
	return nil
}

// noStream returns the error of a transaction that did not get the lock.
func noStream(err error) error {
	if errors.Is(err, context.Canceled) {
		return err
	}
	return core.Unavailable(fmt.Errorf("wait for the stream: %v", err)) //nolint:errorlint // not fn's error
}
