package postgres

import (
	"context"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

// PaceChallenge implements core.EventEndpointStore.
func (s *Store) PaceChallenge(ctx context.Context, paces ...core.ChallengePace) error {
	return s.tx(ctx, func(ctx context.Context, tx Tx) error {
		for _, p := range paces {
			_, inTime, err := Reserve(ctx, tx, p.Name, p.Every, time.Duration(p.AtOnce-1)*p.Every)
			if err != nil {
				return err
			}
			if !inTime {
				return core.ErrTooManyChallenges(p.Every)
			}
		}
		return nil
	})
}

// UnpaceChallenge implements core.EventEndpointStore.
func (s *Store) UnpaceChallenge(ctx context.Context, paces ...core.ChallengePace) error {
	return s.tx(ctx, func(ctx context.Context, tx Tx) error {
		for _, p := range paces {
			if err := giveBack(ctx, tx, p.Name, p.Every); err != nil {
				return err
			}
		}
		return nil
	})
}
