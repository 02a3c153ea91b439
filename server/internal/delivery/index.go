package delivery

import (
	"context"
	"time"

	"github.com/sininho/sininho/server/internal/rescue"
)

// indexing makes new notifications findable within about a second. After each batch it rests for as long as the batch
// took, so that a burst of publications is not slowed down by it.
func (d *Dispatcher) indexing(ctx context.Context) {
	for pause := time.Duration(0); ; {
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause):
		}
		pause = sweepEvery
		rescue.Run(ctx, d.Log, func(ctx context.Context) {
			begun := d.Now()
			more, err := d.Indexer.WriteWords(ctx)
			if err != nil {
				d.warn(ctx, "notifications were not indexed for search; trying again in a second", err)
			} else if more {
				pause = d.Now().Sub(begun)
			}
		})
	}
}
