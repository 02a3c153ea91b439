package postgres

import (
	"context"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

// challengePace is how long a failed challenge counts, and how many may fail at once.
type challengePace struct {
	name   string
	each   time.Duration
	atOnce int
}

// challengePaces returns the paces of a challenge. A host may be shared by many publishers, so its pace is the faster.
func challengePaces(publisherID core.ID, host string) []challengePace {
	return []challengePace{
		{"challenges by " + publisherID.String(), 5 * time.Minute, 20},
		{"challenges to " + host, time.Minute, 10},
	}
}

// PaceChallenge implements core.EventEndpointStore.
func (s *Store) PaceChallenge(ctx context.Context, publisherID core.ID, host string) error {
	return s.tx(ctx, func(ctx context.Context, tx Tx) error {
		for _, p := range challengePaces(publisherID, host) {
			_, inTime, err := Reserve(ctx, tx, p.name, p.each, time.Duration(p.atOnce-1)*p.each)
			if err != nil {
				return err
			}
			if !inTime {
				return core.ErrTooManyChallenges(p.each)
			}
		}
		return nil
	})
}

// UnpaceChallenge implements core.EventEndpointStore.
func (s *Store) UnpaceChallenge(ctx context.Context, publisherID core.ID, host string) error {
	return s.tx(ctx, func(ctx context.Context, tx Tx) error {
		for _, p := range challengePaces(publisherID, host) {
			if err := giveBack(ctx, tx, p.name, p.each); err != nil {
				return err
			}
		}
		return nil
	})
}
