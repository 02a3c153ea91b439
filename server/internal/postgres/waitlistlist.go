package postgres

import (
	"context"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/waitlist"
)

// listed selects entries in the order of the list: first who waits, by position, then the others by status, the newest
// first. All places are counted at once.
const listed = `
	select w.id, w.email, coalesce(w.name, '') as name, w.locale, w.status, w.referrals, w.referral_code, coalesce(r.email, '') as referred_by,
		w.created_at, w.confirmed_at, w.invited_at, w.joined_at, coalesce(p.position, 0) as position
	from waitlist_entries w
	left join waitlist_entries r on r.id = w.referred_by
	left join (select id, row_number() over (order by referrals desc, confirmed_at, id) as position from waitlist_entries where status = 'waiting') p on p.id = w.id`

const (
	matching = `
	where (?0 = '' or w.status = ?0) and (?1 = '' or strpos(lower(w.email), lower(?1)) > 0 or strpos(fold(w.name), fold(?1)) > 0)`
	inOrder = `
	order by array_position('{waiting,unconfirmed,invited,joined}', w.status), p.position, w.created_at desc, w.id desc`
)

// Entries implements waitlist.Store.
func (s *Store) Entries(ctx context.Context, f waitlist.Filter, p core.Page) (data []waitlist.Entry, total int64, err error) {
	err = s.db.NewRaw(listed+matching+inOrder+limit(p), f.Status, f.Search).Scan(ctx, &data)
	if err != nil {
		return nil, 0, Error(err)
	}
	total, err = s.total(ctx, p, len(data), "waitlist_entries w"+matching, f.Status, f.Search)
	return data, total, err
}

// EachEntry implements waitlist.Store. It takes as long as whoever takes the entries.
func (s *Store) EachEntry(ctx context.Context, f waitlist.Filter, take func(waitlist.Entry) error) error {
	return s.tx(ctx, func(ctx context.Context, tx Tx) error {
		if err := Unlimited(ctx, tx); err != nil {
			return err
		}
		rows, err := tx.QueryContext(ctx, listed+matching+inOrder, f.Status, f.Search)
		if err != nil {
			return err
		}
		defer func() { _ = rows.Close() }() // Err tells what went wrong
		for rows.Next() {
			var e waitlist.Entry
			if err := s.db.ScanRow(ctx, rows, &e); err != nil {
				return err
			}
			if err := take(e); err != nil {
				return err
			}
		}
		return rows.Err()
	})
}

// pruneWaitlist deletes who has not confirmed, and when addresses were written to.
func pruneWaitlist(ctx context.Context, tx Tx, now time.Time) error {
	if _, err := tx.NewRaw("delete from waitlist_entries where status = 'unconfirmed' and created_at < ?", now.Add(-waitlist.UnconfirmedKept)).Exec(ctx); err != nil {
		return err
	}
	_, err := tx.NewRaw("delete from waitlist_letters where queued_at <= ?", now.Add(-waitlist.LettersApart)).Exec(ctx)
	return err
}
