package waitlist

import (
	"context"

	"github.com/uptrace/bun"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/postgres"
)

// listed selects entries in the order of the list: those who wait, by position, then the others by status, the newest
// first. It counts all positions at once.
func (r *reader) listed(db bun.IDB, model any, f Filter) *bun.SelectQuery {
	positions := db.NewSelect().Table("waitlist_entries").Column("id").
		ColumnExpr("row_number() OVER (ORDER BY referrals DESC, confirmed_at, id) AS position").
		Where("status = ?", Waiting)
	return filtered(db.NewSelect().Model(model), f).
		ColumnExpr("w.*").
		ColumnExpr("coalesce(r.email, '') AS referrer").
		ColumnExpr("coalesce(p.position, 0) AS position").
		Join("LEFT JOIN waitlist_entries AS r ON r.id = w.referred_by").
		Join("LEFT JOIN (?) AS p ON p.id = w.id", positions).
		OrderExpr("array_position('{waiting,unconfirmed,invited,joined}', w.status), p.position").
		OrderExpr("w.created_at DESC, w.id DESC")
}

// filtered restricts a query to the entries of a filter.
func filtered(q *bun.SelectQuery, f Filter) *bun.SelectQuery {
	if f.Status != "" {
		q = q.Where("w.status = ?", f.Status)
	}
	if f.Search != "" {
		q = q.Where("strpos(lower(w.email), lower(?0)) > 0 OR strpos(fold(w.name), fold(?0)) > 0", f.Search)
	}
	return q
}

// entries returns a page of the list and its length.
func (r *reader) entries(ctx context.Context, f Filter, p core.Page) ([]Entry, int64, error) {
	var rows []entryRow
	if err := r.listed(r.db, &rows, f).Limit(int64(p.Limit)).Offset(int64(p.Offset)).Scan(ctx); err != nil {
		return nil, 0, postgres.Error(err)
	}
	total, err := postgres.Length(ctx, filtered(r.db.NewSelect().Model((*entryRow)(nil)), f), p, len(rows))
	return entriesOf(rows), total, err
}

func entriesOf(rows []entryRow) []Entry {
	list := make([]Entry, len(rows))
	for i := range rows {
		list[i] = rows[i].entry()
	}
	return list
}

// eachEntry calls take with every entry of the list in its order, until take fails. It has no time limit of its own,
// because take may wait for a slow client.
func (r *reader) eachEntry(ctx context.Context, f Filter, take func(Entry) error) error {
	return r.db.InTx(ctx, func(ctx context.Context, tx postgres.Tx) error {
		if err := postgres.Unlimited(ctx, tx); err != nil {
			return err
		}
		rows, err := r.listed(tx, (*entryRow)(nil), f).Rows(ctx)
		if err != nil {
			return err
		}
		defer func() { _ = rows.Close() }() // Err returns what failed
		for rows.Next() {
			var row entryRow
			if err := r.db.ScanRow(ctx, rows, &row); err != nil {
				return err
			}
			if err := take(row.entry()); err != nil {
				return err
			}
		}
		return rows.Err()
	})
}
