package postgres

import (
	"context"
	"fmt"

	"github.com/uptrace/bun"

	"github.com/sininho/sininho/server/internal/core"
)

// limit is text and not arguments: a plan for any limit at all would not come off the index.
func limit(p core.Page) string { return fmt.Sprintf(" limit %d offset %d", p.Limit, p.Offset) }

// total is countAll outside of a transaction.
func (s *Store) total(ctx context.Context, page core.Page, has int, from string, args ...any) (int64, error) {
	return countAll(ctx, s.db, page, has, from, args...)
}

// countAll returns the length of a list of which a page with has items was read: offset + has on the last page,
// otherwise count(*). The two agree even when items were added or removed in between.
func countAll(ctx context.Context, db bun.IDB, page core.Page, has int, from string, args ...any) (total int64, err error) {
	until := int64(page.Offset + has)
	if has < page.Limit && (has > 0 || page.Offset == 0) {
		return until, nil
	}
	if err = db.NewRaw("select count(*) from "+from, args...).Scan(ctx, &total); has > 0 {
		total = max(total, until)
	}
	return total, Error(err)
}
