package postgres

import (
	"context"
	"fmt"

	"github.com/sininho/sininho/server/internal/core"
)

// limit is text and not arguments: a plan for any limit at all would not come off the index.
func limit(p core.Page) string { return fmt.Sprintf(" limit %d offset %d", p.Limit, p.Offset) }

// total is how many items a list has of which a page was read with has items: a last page tells it by itself, and else
// they are counted. So the two agree, whatever was added or removed in between.
func (s *Store) total(ctx context.Context, page core.Page, has int, from string, args ...any) (total int64, err error) {
	until := int64(page.Offset + has)
	if has < page.Limit && (has > 0 || page.Offset == 0) {
		return until, nil
	}
	if err = s.db.NewRaw("select count(*) from "+from, args...).Scan(ctx, &total); has > 0 {
		total = max(total, until)
	}
	return total, mapError(err)
}
