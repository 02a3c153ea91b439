// Package jobstest runs River jobs in tests.
package jobstest

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/jobs"
	"github.com/sininho/sininho/server/internal/postgres"
)

// Start runs the jobs of the parts until the test ends.
func Start(t testing.TB, db *postgres.DB, parts ...jobs.Part) *jobs.Client {
	t.Helper()
	client, err := jobs.New(db, slog.New(slog.DiscardHandler), parts...)
	if err != nil {
		t.Fatalf("create the job client: %v", err)
	}
	if err := client.Start(t.Context()); err != nil {
		t.Fatalf("start the job client: %v", err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
		defer cancel()
		if err := client.Stop(ctx); err != nil {
			t.Errorf("stop the job client: %v", err)
		}
	})
	return client
}
