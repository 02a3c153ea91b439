package main

import (
	"context"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/sininho/sininho/server/lab/sampledata"
)

const (
	batchClients = 4
	batchSize    = 1000
)

var batchBody = `{"notifications":[` + strings.Repeat(message+",", batchSize-1) + message + `]}`

// publishBatches publishes batches to distinct channels. It counts notifications.
func (w *world) publishBatches(ctx context.Context, length time.Duration) (figures, error) {
	var n atomic.Int64
	return perBatch(load(ctx, batchClients, length, func(ctx context.Context, _ int) (client, error) {
		c, err := w.publisher(ctx)
		if err != nil {
			return client{}, err
		}
		return client{do: func(context.Context) error {
			path := notificationsPath(sampledata.Quiet(int(n.Add(1)))) + "/batch"
			_, err := c.do(http.MethodPost, path, http.StatusOK, batchBody, "Idempotency-Key: "+uuid.NewString())
			return err
		}, close: c.close}, nil
	}))
}

// copyBatches is the limit: COPY of the same rows, with the same indexes, into a table without foreign keys.
func (w *world) copyBatches(ctx context.Context, length time.Duration) (figures, error) {
	return perBatch(w.query(batchClients, batchClients, func(ctx context.Context, pool *pgxpool.Pool) error {
		channel := uuid.New()
		rows := pgx.CopyFromSlice(batchSize, func(i int) ([]any, error) {
			position := w.copied.Add(1)
			return []any{uuid.Must(uuid.NewV7()), channel, messageTitle, messageBody, "https://example.com/1", "normal",
				true, time.Now(), position, position, i}, nil
		})
		_, err := pool.CopyFrom(ctx, pgx.Identifier{"bench_notifications"}, []string{"id", "channel_id", "title", "body",
			"link", "importance", "visible", "published_at", "position", "stream_position", "ordinal"}, rows)
		return err
	})(ctx, length))
}

// perBatch turns a rate of batches into one of notifications.
func perBatch(f figures, err error) (figures, error) {
	if err != nil {
		return f, err
	}
	f["rate"] *= batchSize
	return f, nil
}
