// Package writertest gives tests a writer that publishes to a database without a dispatcher.
package writertest

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/delivery"
	"github.com/sininho/sininho/server/internal/postgres"
)

// New returns a writer with a clock. What it publishes waits for a dispatcher.
func New(t testing.TB, db *postgres.DB, now func() time.Time) *delivery.Writer {
	t.Helper()
	log := slog.New(slog.DiscardHandler)
	return delivery.NewWriter(delivery.WriterConfig{
		DB: db, Positioned: func(context.Context, int64, []core.ID) {}, Analytics: core.NoAnalytics{},
		Now: now, Log: log, Drafts: core.DefaultCaps()[core.CapDrafts],
	})
}
