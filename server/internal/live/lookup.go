package live

import (
	"context"

	"github.com/sininho/sininho/server/internal/guard"
	"github.com/sininho/sininho/server/internal/metrics"
)

const (
	lookUpWorkers = 4
	mostLookUps   = 1000 // that wait for a worker; a stream beyond that is looked up at a later sweep
)

// lookUp has a worker read the followed channels of a stream again, in case a signal was lost. It returns false when
// too many streams wait.
func (h *Hub) lookUp(s *stream) bool {
	select {
	case h.lookUps <- s:
		return true
	default:
		return false
	}
}

// lookUpStreams is a worker, because a shard must not wait for the database. A stream whose credential has ended is
// cut, and so is one that cannot be looked up: its client reconnects.
func (h *Hub) lookUpStreams(ctx context.Context) {
	for {
		select {
		case <-h.done:
			return
		case s := <-h.lookUps:
			guard.Run(ctx, h.Log, func(ctx context.Context) {
				if h.follow(ctx, s) != nil {
					s.cut(metrics.CutCredential)
				}
			})
		}
	}
}
