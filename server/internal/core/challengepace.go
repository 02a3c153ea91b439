package core

import (
	"context"
	"net/netip"
	"sync"
	"time"
)

// ChallengePace limits the failed challenges of one party, or to it: AtOnce of them, and then one after each Every.
type ChallengePace struct {
	Name   string
	Every  time.Duration
	AtOnce int
}

// challengePaces returns the paces of a challenge that are known before its address is connected to. A person has one
// for all their publishers, because they could delete a publisher and create another. A host may be shared by many
// publishers, so its pace is the faster.
func challengePaces(personID, publisherID ID, host string) []ChallengePace {
	return []ChallengePace{
		{"challenges by " + personID.String(), 5 * time.Minute, 20},
		{"challenges by " + publisherID.String(), 5 * time.Minute, 20},
		{"challenges to " + host, time.Minute, 10},
	}
}

// networkPace returns the pace of challenges to a network, whatever the names and ports at which it is reached. It is
// faster than that of a host, because a network may have many.
func networkPace(to netip.Addr) ChallengePace {
	return ChallengePace{"challenges to " + NetworkOf(to).String(), 20 * time.Second, 30}
}

// challengeTurns are the turns that a challenge has taken. Addresses of a name may be dialled at the same time.
type challengeTurns struct {
	store EventEndpointStore

	mu      sync.Mutex
	taken   []ChallengePace
	refused error
}

// take takes a turn at each pace, or at none.
func (t *challengeTurns) take(ctx context.Context, paces ...ChallengePace) error {
	err := t.store.PaceChallenge(ctx, paces...)
	t.mu.Lock()
	defer t.mu.Unlock()
	if err != nil {
		t.refused = err
		return err
	}
	t.taken = append(t.taken, paces...)
	return nil
}

// result returns the turns that were taken, and the error of the last one that was refused.
func (t *challengeTurns) result() (taken []ChallengePace, refused error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.taken, t.refused
}
