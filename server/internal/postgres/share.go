package postgres

import (
	"context"

	"github.com/uptrace/bun"

	"github.com/sininho/sininho/server/internal/core"
)

// These functions are for packages that keep tables of their own.

// Once runs create and stores what it made in *made under the idempotency key, in the same transaction. When the key
// was used before, it loads *made instead.
func Once[T any](ctx context.Context, tx Tx, key core.Idempotency, made *T, create func() (core.Creation, error)) (
	core.Creation, error) {
	return once(ctx, tx, key, made, create)
}

// Length returns the length of a list, of which a page with has items was read. The two agree even when items were
// added or removed in between.
func Length(ctx context.Context, all *bun.SelectQuery, page core.Page, has int) (int64, error) {
	return length(ctx, all, page, has)
}
