package postgres

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"github.com/sininho/sininho/server/internal/core"
)

type emailSignInRow struct {
	bun.BaseModel `bun:"table:email_sign_ins,alias:e"`

	ID           core.ID    `bun:"id,pk"`
	Email        string     `bun:"email"`
	Mailbox      string     `bun:"mailbox"`
	SubscriberID *core.ID   `bun:"subscriber_id"`
	KnownBy      *core.ID   `bun:"known_by"`
	Attempts     int        `bun:"attempts"`
	CreatedAt    time.Time  `bun:"created_at"`
	ExpiresAt    time.Time  `bun:"expires_at"`
	UsedAt       *time.Time `bun:"used_at"`
}

func (r emailSignInRow) signIn() core.EmailSignIn {
	return core.EmailSignIn{ID: r.ID, Email: r.Email, SubscriberID: r.SubscriberID, CreatedAt: r.CreatedAt,
		ExpiresAt: r.ExpiresAt}
}

// openEmailSignIn selects the sign-ins whose code is still valid.
const openEmailSignIn = "e.used_at is null and e.expires_at > ? and e.attempts < ?"

// BeginEmailSignIn stores a sign-in, as core.EmailSignInStore says. queue queues its email.
func (s *Store) BeginEmailSignIn(
	ctx context.Context, in core.EmailSignIn, limits core.EmailCodeLimits,
	queue func(context.Context, Tx, core.ID) error,
) error {
	r := emailSignInRow{ID: in.ID, Email: in.Email, Mailbox: core.MailboxOf(in.Email), SubscriberID: in.SubscriberID,
		CreatedAt: in.CreatedAt, ExpiresAt: in.ExpiresAt}
	return s.tx(ctx, func(ctx context.Context, tx Tx) (err error) {
		if r.KnownBy, err = knownBy(ctx, tx, in); err != nil {
			return err
		}
		if err := limitEmailSignIns(ctx, tx, r, in.Network, limits); err != nil {
			return err
		}
		priority := core.EmailCode
		if r.KnownBy != nil {
			priority = core.EmailToKnownBrowser
		}
		if ok, err := countEmail(ctx, tx, limits.Budget.Until(priority), in.CreatedAt); err != nil {
			return err
		} else if !ok {
			return core.ErrEmailsUsedUp()
		}
		if _, err := tx.NewInsert().Model(&r).Exec(ctx); err != nil {
			return err
		}
		return queue(ctx, tx, r.ID)
	})
}

// limitEmailSignIns fails when as many codes were asked for as may be. Others who ask for one wait until the
// transaction ends, so that they count it. What strangers ask for does not count for the person's own browsers.
func limitEmailSignIns(
	ctx context.Context, tx Tx, r emailSignInRow, network string, limits core.EmailCodeLimits,
) error {
	if r.KnownBy != nil {
		own := func(q *bun.SelectQuery) *bun.SelectQuery { return q.Where("known_by = ?", *r.KnownBy) }
		return limitCodes(ctx, tx, "known browsers "+r.KnownBy.String(), own, r.CreatedAt, core.ErrTooManyCodes,
			codeLimit{limits.Daily, core.EmailSignInsKept}, codeLimit{limits.Hourly, time.Hour})
	}
	strangers := func(q *bun.SelectQuery) *bun.SelectQuery {
		return q.Where("mailbox = ?", r.Mailbox).Where("known_by IS NULL")
	}
	err := limitCodes(ctx, tx, "mailbox "+r.Mailbox, strangers, r.CreatedAt, core.ErrTooManyCodes,
		codeLimit{limits.Daily, core.EmailSignInsKept}, codeLimit{limits.Hourly, time.Hour})
	if err != nil {
		return err
	}
	return CountStrangerEmail(ctx, tx, network, limits.Network, r.CreatedAt)
}

// codeLimit is how many codes are asked for at most within a time.
type codeLimit struct {
	most   int
	window time.Duration
}

// limitCodes fails with the error refuse when the codes that are selected reach one of the limits. name is that of the
// lock for which others wait.
func limitCodes(ctx context.Context, tx Tx, name string, selected func(*bun.SelectQuery) *bun.SelectQuery,
	now time.Time, refuse func(wait time.Duration) *core.Error, limits ...codeLimit) error {
	if err := lockName(ctx, tx, name); err != nil {
		return err
	}
	for _, limit := range limits {
		var times []time.Time
		err := selected(tx.NewSelect().Model((*emailSignInRow)(nil)).Column("created_at")).
			Where("created_at > ?", now.Add(-limit.window)).Order("created_at DESC").Limit(int64(limit.most)).
			Scan(ctx, &times)
		if err != nil {
			return err
		}
		if len(times) == limit.most {
			return refuse(times[limit.most-1].Add(limit.window).Sub(now))
		}
	}
	return nil
}

// EmailSignIn returns a sign-in whose code is still valid. It fails with CodeNotFound when there is none.
func (s *Store) EmailSignIn(ctx context.Context, id core.ID, now time.Time) (core.EmailSignIn, error) {
	r := emailSignInRow{ID: id}
	err := s.db.NewSelect().Model(&r).WherePK().Where(openEmailSignIn, now, core.EmailCodeTries).Scan(ctx)
	return r.signIn(), Error(err)
}

// TryEmailSignIn implements core.EmailSignInStore, in one statement, so that attempts at the same time all count.
func (s *Store) TryEmailSignIn(
	ctx context.Context, id core.ID, right bool, now time.Time,
) (core.EmailSignIn, int, error) {
	r := emailSignInRow{ID: id}
	err := s.db.NewUpdate().Model(&r).Set("attempts = e.attempts + 1").
		Set("used_at = case when ? then ?::timestamptz end", right, now).WherePK().
		Where(openEmailSignIn, now, core.EmailCodeTries).Returning("*").Scan(ctx)
	return r.signIn(), core.EmailCodeTries - r.Attempts, Error(err)
}
