package postgres

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"github.com/uptrace/bun"

	"github.com/sininho/sininho/server/internal/core"
)

type idempotencyKeyRow struct {
	bun.BaseModel `bun:"table:idempotency_keys,alias:k"`

	Caller   string `bun:"caller,pk"`
	Route    string `bun:"route,pk"`
	Key      string `bun:"key,pk"`
	BodyHash []byte `bun:"body_hash"`
	Response string `bun:"response"` // JSON of the result
	Existing bool   `bun:"existing"`
}

func newIdempotencyKeyRow(key core.Idempotency) idempotencyKeyRow {
	return idempotencyKeyRow{Caller: key.Caller, Route: key.Route, Key: key.Key, BodyHash: key.BodyHash}
}

// Once runs create and stores its result *made under the key, in the same transaction. If the key was used before, it
// loads the earlier result into *made instead. It waits up to lockTimeout for another request that uses the key. A
// caller that knows the likely result puts it into *made, which saves a statement when create leaves it so.
func Once[T any](
	ctx context.Context, tx bun.IDB, key core.Idempotency, made *T, create func() (core.Creation, error),
) (core.Creation, error) {
	if !key.Wanted() {
		return create()
	}
	likely, err := json.Marshal(made)
	if err != nil {
		return 0, err
	}
	row := newIdempotencyKeyRow(key)
	row.Response = string(likely)
	claimed, err := claimKey(ctx, tx, row)
	if err != nil {
		return 0, err
	}
	if !claimed {
		return Replay(ctx, tx, key, made)
	}
	creation, err := create()
	if err != nil {
		return 0, err
	}
	result, err := json.Marshal(made)
	if err != nil || creation != core.Existing && bytes.Equal(result, likely) {
		return creation, err
	}
	row.Response, row.Existing = string(result), creation == core.Existing
	_, err = tx.NewUpdate().Model(&row).Column("response", "existing").WherePK().Exec(ctx)
	return creation, Error(err)
}

// claimKey reports whether the key was not used before.
func claimKey(ctx context.Context, tx bun.IDB, row idempotencyKeyRow) (bool, error) {
	err := affected(tx.NewInsert().Model(&row).On("CONFLICT (caller, route, key) DO NOTHING").Exec(ctx))
	switch {
	case IsLockTimeout(err):
		return false, core.ErrKeyInFlight()
	case core.IsCode(err, core.CodeNotFound):
		return false, nil
	default:
		return err == nil, err
	}
}

// replayWanted is Replay for a request that may have no key; then it fails with CodeNotFound.
func replayWanted[T any](ctx context.Context, db bun.IDB, key core.Idempotency, made *T) (core.Creation, error) {
	if !key.Wanted() {
		return 0, core.NotFound()
	}
	return Replay(ctx, db, key, made)
}

// Replay loads the result of the first request with the key, which must have had the same body.
func Replay[T any](ctx context.Context, db bun.IDB, key core.Idempotency, made *T) (core.Creation, error) {
	row := newIdempotencyKeyRow(key)
	if err := db.NewSelect().Model(&row).WherePK().Scan(ctx); err != nil {
		return 0, Error(err)
	}
	if !bytes.Equal(row.BodyHash, key.BodyHash) {
		return 0, core.ErrKeyReused()
	}
	var first T // *made may hold the repeated request, of which unstored fields would remain
	if err := json.Unmarshal([]byte(row.Response), &first); err != nil {
		return 0, fmt.Errorf("read the stored result of an idempotency key: %w", err)
	}
	*made = first
	if row.Existing {
		return core.ReplayedExisting, nil
	}
	return core.Replayed, nil
}
