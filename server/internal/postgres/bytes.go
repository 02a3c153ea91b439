package postgres

import (
	"context"
	"reflect"
	"strconv"
	"time"

	"github.com/uptrace/bun"

	"github.com/sininho/sininho/server/internal/guard"
)

// Pages are bounded in bytes, too: a hundred notifications of 20,000 characters would take 8 MB. A page has at least
// one item, and ends after the one with which it reaches the bound.
const (
	smallPage = 64 << 10 // any number of requests may read one at once
	largePage = 1 << 20  // there must be room for it
)

// bounded reads a page of up to smallPage bytes. If that is not all, it waits for room, and reads up to largePage. No
// connection may be held meanwhile. read reports whether the page was cut.
func bounded(ctx context.Context, read func(bytes int) (cut bool, err error)) error {
	cut, err := read(smallPage)
	if err != nil || !cut {
		return err
	}
	if err := guard.Room(ctx); err != nil {
		return err
	}
	_, err = read(largePage)
	return err
}

// readPage is bounded, on a replica if there is one. read runs again with more bytes, and once more on the database if
// the replica fails, so it must only read.
func (s *Store) readPage(
	ctx context.Context, read func(ctx context.Context, db *DB, bytes int) (cut bool, err error),
) error {
	return bounded(ctx, func(bytes int) (cut bool, err error) {
		err = s.db.page(ctx, func(ctx context.Context, db *DB) (err error) {
			cut, err = read(ctx, db, bytes)
			return err
		})
		return cut, err
	})
}

// notificationBytes is the length of the texts of notification n. PostgreSQL knows that of a long one without reading
// it.
const notificationBytes = `(octet_length(n.title) + octet_length(n.body) + coalesce(octet_length(n.image), 0)
	+ coalesce(octet_length(n.icon), 0) + coalesce(octet_length(n.link), 0)
	+ case when n.data is null then 0 else octet_length(n.data::text) end)`

// newestFirst is the order of notifications n.
const newestFirst = "n.published_at desc, n.id desc"

// boundedRow is what rows of withinBytes have besides their columns.
type boundedRow struct {
	Found     int64 // rows without the bound
	BytesThen int64 // of the rows before
}

// withinBytes selects columns of few notifications n, and leaves out those that come after the bound.
func withinBytes(columns, from string, bytes int) string {
	return `
		select * from (
			select` + columns + `, count(*) over () as found, coalesce(sum(` + notificationBytes + `) over (
				order by ` + newestFirst + ` rows between unbounded preceding and 1 preceding), 0) as bytes_then
			` + from + `
		) n where n.bytes_then < ` + strconv.Itoa(bytes) + ` order by ` + newestFirst
}

// scan reads rows of type R until they have that many bytes, and reports whether it has left any out.
func scan[R, T any](
	ctx context.Context, q *bun.SelectQuery, bytes int, convert func(R) T,
) (list []T, cut bool, err error) {
	rows, err := q.Model((*R)(nil)).Rows(ctx)
	if err != nil {
		return nil, false, Error(err)
	}
	defer func() { _ = rows.Close() }() // Err returns what failed
	list = []T{}
	for rows.Next() {
		if bytes <= 0 {
			return list, true, nil
		}
		var row R
		if err := q.DB().ScanRow(ctx, rows, &row); err != nil {
			return nil, false, Error(err)
		}
		bytes -= size(reflect.ValueOf(row))
		list = append(list, convert(row))
	}
	return list, false, Error(rows.Err())
}

// size returns the length of the texts in a value.
func size(v reflect.Value) (n int) {
	switch v.Kind() {
	case reflect.String:
		return v.Len()
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			n = size(v.Elem())
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return v.Len()
		}
		for i := range v.Len() {
			n += size(v.Index(i))
		}
	case reflect.Map:
		for name, value := range v.Seq2() {
			n += size(name) + size(value)
		}
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			return 0
		}
		for i := range v.NumField() {
			n += size(v.Field(i))
		}
	}
	return n
}
