package postgres

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"github.com/uptrace/bun"

	"github.com/sininho/sininho/server/internal/core"
)

// once runs create and keeps what it made in *made under the key, in the same transaction; when the key was used before
// it loads *made from then instead. A key that is in flight elsewhere is waited for, as long as lockTimeout allows.
func once[T any](ctx context.Context, tx bun.IDB, key core.Idempotency, made *T, create func() (core.Creation, error)) (core.Creation, error) {
	if !key.Wanted() {
		return create()
	}
	claimed, err := claimKey(ctx, tx, key)
	if err != nil {
		return 0, err
	}
	if !claimed {
		return replay(ctx, tx, key, made)
	}
	creation, err := create()
	if err != nil {
		return 0, err
	}
	answer, err := json.Marshal(made)
	if err != nil {
		return 0, err
	}
	_, err = tx.NewRaw("update idempotency_keys set answer = ?, existing = ? where caller = ? and route = ? and key = ?",
		string(answer), creation == core.Existing, key.Caller, key.Route, key.Key).Exec(ctx)
	return creation, Error(err)
}

func claimKey(ctx context.Context, tx bun.IDB, key core.Idempotency) (bool, error) {
	res, err := tx.NewRaw(`
		insert into idempotency_keys (caller, route, key, body_hash, answer) values (?, ?, ?, ?, '')
		on conflict (caller, route, key) do nothing`, key.Caller, key.Route, key.Key, key.BodyHash).Exec(ctx)
	if isLockTimeout(err) {
		return false, core.ErrKeyInFlight()
	}
	if err != nil {
		return false, Error(err)
	}
	n, err := res.RowsAffected()
	return n == 1, err
}

// replayWanted is replay where the request may carry no key, or one that was not used before: CodeNotFound.
func replayWanted[T any](ctx context.Context, db bun.IDB, key core.Idempotency, made *T) (core.Creation, error) {
	if !key.Wanted() {
		return 0, core.NotFound()
	}
	return replay(ctx, db, key, made)
}

// replay loads the response to the first request with the key, if that had the same body.
func replay[T any](ctx context.Context, db bun.IDB, key core.Idempotency, made *T) (core.Creation, error) {
	var answer string
	var hash []byte
	var existing bool
	err := db.NewRaw("select body_hash, answer, existing from idempotency_keys where caller = ? and route = ? and key = ?",
		key.Caller, key.Route, key.Key).Scan(ctx, &hash, &answer, &existing)
	if err != nil {
		return 0, Error(err)
	}
	if !bytes.Equal(hash, key.BodyHash) {
		return 0, core.ErrKeyReused()
	}
	var first T // made may hold the repeated request, from which a field that is not stored would stay
	if err := json.Unmarshal([]byte(answer), &first); err != nil {
		return 0, fmt.Errorf("read the stored response of an idempotency key: %w", err)
	}
	*made = first
	if existing {
		return core.ReplayedExisting, nil
	}
	return core.Replayed, nil
}
