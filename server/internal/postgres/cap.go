package postgres

import (
	"context"

	"github.com/uptrace/bun"

	"github.com/sininho/sininho/server/internal/core"
)

// checkCap fails when an owner now has more of something than they may. Others who add one for the same owner wait
// until the transaction ends, so that they count what it has added.
func (s *Store) checkCap(ctx context.Context, tx Tx, of core.Cap, owner core.ID, all *bun.SelectQuery) error {
	if err := lockName(ctx, tx, string(of)+owner.String()); err != nil {
		return err
	}
	has, err := all.Count(ctx)
	if err == nil && int(has) > s.Caps[of] {
		err = s.Caps.Err(of)
	}
	return err
}

// lockName lets other transactions that lock the same name wait until this one ends. It is raw because no builder takes
// advisory locks.
func lockName(ctx context.Context, tx Tx, name string) error {
	_, err := tx.NewRaw("select pg_advisory_xact_lock(hashtextextended(?, 0))", name).Exec(ctx)
	return err
}
