package postgres

import (
	"context"
	"fmt"

	"github.com/uptrace/bun"

	"github.com/sininho/sininho/server/internal/core"
)

// list reads one page of a query as rows of type R, and returns it with the length of the whole list. No connection may
// be held.
func list[R, T any](ctx context.Context, q *bun.SelectQuery, page core.Page, convert func(R) T) (
	data []T, total int64, err error) {
	err = bounded(ctx, func(bytes int) (cut bool, err error) {
		data, total, cut, err = listWithin(ctx, q, page, bytes, convert)
		return cut, err
	})
	return data, total, err
}

// listWithin is list with a bound in bytes. It reports whether it has cut the page.
func listWithin[R, T any](ctx context.Context, q *bun.SelectQuery, page core.Page, bytes int, convert func(R) T) (
	data []T, total int64, cut bool, err error) {
	if data, cut, err = scan(ctx, paged(q, page), bytes, convert); err != nil {
		return nil, 0, false, err
	}
	if cut {
		page.Limit = len(data) // there are more
	}
	total, err = Length(ctx, q, page, len(data))
	return data, total, cut, err
}

// all reads a query as rows of type R.
func all[R, T any](ctx context.Context, q *bun.SelectQuery, convert func(R) T) ([]T, error) {
	var rows []R
	if err := q.Model(&rows).Scan(ctx); err != nil {
		return nil, Error(err)
	}
	return converted(rows, convert), nil
}

// paged restricts a query to one page.
func paged(q *bun.SelectQuery, page core.Page) *bun.SelectQuery {
	return q.Limit(int64(page.Limit)).Offset(int64(page.Offset))
}

// Length returns the length of a list of which a page with has items was read: offset + has on the last page, otherwise
// count(*) over all. The total is never less than the end of this page, even if items are removed between the two
// queries.
func Length(ctx context.Context, all *bun.SelectQuery, page core.Page, has int) (int64, error) {
	until := int64(page.Offset + has)
	if has < page.Limit && (has > 0 || page.Offset == 0) {
		return until, nil
	}
	total, err := all.Count(ctx) // Count ignores the limit and offset that paged has set
	if has > 0 {
		total = max(total, until)
	}
	return total, Error(err)
}

// converted converts rows to domain types.
func converted[R, T any](rows []R, convert func(R) T) []T {
	out := make([]T, len(rows))
	for i, r := range rows {
		out[i] = convert(r)
	}
	return out
}

// limit is the page of a raw statement. It is text, because a plan for any limit would not use the index.
func limit(p core.Page) string { return fmt.Sprintf(" limit %d offset %d", p.Limit, p.Offset) }
