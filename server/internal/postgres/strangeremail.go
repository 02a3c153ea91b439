package postgres

import (
	"context"
	"net/netip"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

// CountStrangerEmail counts an email that strangers of a network ask for. It fails with CodeRateLimited when the
// network, or one in which it lies, has asked for its share of the budget, of which a single network gets perNetwork.
// Others wait until the transaction ends, so that they count it. A network without a name is not counted.
func CountStrangerEmail(ctx context.Context, tx Tx, network string, perNetwork int, now time.Time) error {
	own := core.ParseNetwork(network)
	if !own.IsValid() {
		return nil
	}
	for _, around := range core.Around(own) { // always the smallest first, so that nobody waits in a circle
		if err := checkStrangers(ctx, tx, around.Network, perNetwork*around.Share, now); err != nil {
			return err
		}
	}
	_, err := tx.NewRaw("insert into stranger_emails (network, asked_at) values (?::cidr, ?)", own.String(), now).
		Exec(ctx)
	return err
}

func checkStrangers(ctx context.Context, tx Tx, within netip.Prefix, most int, now time.Time) error {
	if err := lockName(ctx, tx, "emails for "+within.String()); err != nil {
		return err
	}
	var oldest []time.Time // of as many as there may be
	err := tx.NewRaw(`select asked_at from stranger_emails where network <<= ?::cidr and asked_at > ?
		order by asked_at desc offset ? limit 1`, within.String(), now.Add(-core.EmailBudgetWindow), most-1).
		Scan(ctx, &oldest)
	if err != nil || len(oldest) == 0 {
		return err
	}
	return core.ErrTooManyEmailsForNetwork(oldest[0].Add(core.EmailBudgetWindow).Sub(now))
}

// countStranger counts an email that the caller of the request asks for.
func (s *Store) countStranger(ctx context.Context, tx Tx, now time.Time) error {
	return CountStrangerEmail(ctx, tx, core.OriginOf(ctx).Network, s.EmailsPerNetwork, now)
}
