package postgres_test

import (
	"context"
	"log/slog"
	"sync"
	"testing"

	"github.com/sininho/sininho/server/internal/pgtest"
	"github.com/sininho/sininho/server/internal/postgres"
)

func TestMigrateByManyNodes(t *testing.T) {
	t.Parallel()
	url := pgtest.EmptyURL(t)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			if err := postgres.Migrate(context.Background(), url, slog.New(slog.DiscardHandler)); err != nil {
				t.Errorf("migrate at once with three others: %v", err)
			}
		})
	}
	wg.Wait()
}
