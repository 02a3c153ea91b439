package delivery

import (
	"context"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/guard"
)

// channelsEvery is how often a node looks for channels that have published something.
const channelsEvery = 5 * time.Second

// indexing makes what was published findable, once its bell has rung or its time is over. After each batch it rests for
// as long as the batch took, up to a second, so that a burst of publications is not slowed down by it.
func (d *Dispatcher) indexing(
	ctx context.Context, what string, b bell, every time.Duration, write func(context.Context) (core.Indexed, error),
) {
	for more, rest := false, time.Duration(0); ; {
		if more {
			sleep(ctx, rest)
		} else {
			b.wait(ctx, every)
		}
		if ctx.Err() != nil {
			return
		}
		more = false
		guard.Run(ctx, d.Log, func(ctx context.Context) {
			begun := time.Now()
			done, err := write(ctx)
			if err != nil {
				d.Metrics.IndexingFailed(what)
				d.warn(ctx, what+" were not indexed for search; trying again soon, with fewer if these were too many",
					err)
			}
			for _, id := range done.Skipped {
				d.Metrics.IndexingSkipped(what)
				d.Log.ErrorContext(ctx, "delivery: one of the "+what+
					" was left out of search, because it alone failed again and again", "id", id)
			}
			more, rest = done.More, min(time.Since(begun), time.Second)
		})
	}
}
