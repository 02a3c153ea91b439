package postgres

import (
	"context"

	"github.com/uptrace/bun"

	"github.com/sininho/sininho/server/internal/core"
)

// checkCap fails when an owner now has more of something than they may. Others who add one for the same owner wait
// until the transaction ends, so that they count what it has added.
func (s *Store) checkCap(ctx context.Context, tx Tx, of core.Cap, owner core.ID, all *bun.SelectQuery) error {
	// Raw, because no builder takes advisory locks.
	_, err := tx.NewRaw("select pg_advisory_xact_lock(hashtextextended(?, 0))", string(of)+owner.String()).Exec(ctx)
	if err != nil {
		return err
	}
	has, err := all.Count(ctx)
	if err == nil && int(has) > s.Caps[of] {
		err = s.Caps.Err(of)
	}
	return err
}
