package postgres_test

import (
	"strings"
	"testing"

	"github.com/sininho/sininho/server/internal/postgres"
	"github.com/sininho/sininho/server/lab/pgtest"
)

func TestCheckDirect(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	db, err := postgres.Open(t.Context(), postgres.Config{URL: url, Connections: 2})
	if err != nil {
		t.Fatalf("open: %v", err)
	}
	defer func() { _ = db.Close() }()
	if err := db.CheckDirect(t.Context(), url); err != nil {
		t.Errorf("check of the same database: %v", err)
	}
	err = db.CheckDirect(t.Context(), pgtest.URL(t))
	if err == nil || !strings.Contains(err.Error(), "DATABASE_DIRECT_URL is another database (test_") {
		t.Errorf("check of another database: got %v, want an error that names both", err)
	}
}
