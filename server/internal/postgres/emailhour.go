package postgres

import (
	"context"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

// countEmail counts an email, and reports whether fewer than until were sent within a day. The row of the hour is
// locked until the transaction ends, so that all servers together send no more.
func countEmail(ctx context.Context, tx Tx, until int64, now time.Time) (ok bool, err error) {
	_, err = tx.NewRaw(`insert into email_hours as h (hour, sent) values (?, 1)
		on conflict (hour) do update set sent = h.sent + 1`, now.Truncate(time.Hour)).Exec(ctx)
	if err != nil {
		return false, err
	}
	var sent int64
	err = tx.NewRaw("select sum(sent) from email_hours where hour > ?", now.Add(-core.EmailBudgetWindow)).
		Scan(ctx, &sent)
	return sent <= until, err
}

// TakeEmail counts an email that is about to be sent, and reports whether the budget has one of its priority left.
func (s *Store) TakeEmail(ctx context.Context, b core.EmailBudget, p core.EmailPriority, now time.Time) (bool, error) {
	var ok bool
	err := s.tx(ctx, func(ctx context.Context, tx Tx) (err error) {
		if ok, err = countEmail(ctx, tx, b.Until(p), now); err == nil && !ok {
			err = uncountEmail(ctx, tx, now)
		}
		return err
	})
	return ok, err
}

// ReturnEmail undoes TakeEmail at the same time, after an email that was not sent.
func (s *Store) ReturnEmail(ctx context.Context, now time.Time) error {
	return s.tx(ctx, func(ctx context.Context, tx Tx) error { return uncountEmail(ctx, tx, now) })
}

func uncountEmail(ctx context.Context, tx Tx, now time.Time) error {
	_, err := tx.NewRaw("update email_hours set sent = sent - 1 where hour = ? and sent > 0", now.Truncate(time.Hour)).
		Exec(ctx)
	return err
}
