package postgres_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/sininho/sininho/server/internal/postgres"
	"github.com/sininho/sininho/server/lab/pgtest"
)

// TestArrays wants PostgreSQL to read from an argument what was written into it.
func TestArrays(t *testing.T) {
	t.Parallel()
	pool, err := pgxpool.New(t.Context(), pgtest.URL(t))
	if err != nil {
		t.Fatalf("connect: %v", err)
	}
	t.Cleanup(pool.Close)
	strange := []string{"", "a", "NULL", "{a,b}", `quote " and \ backslash \\`, "line\nbreak", "ção", "00ff", `\x00`}
	var got []string
	if err = pool.QueryRow(t.Context(), "select $1::text[]", postgres.Texts(strange)).Scan(&got); err != nil {
		t.Fatalf("read texts: %v", err)
	}
	if diff := cmp.Diff(strange, got); diff != "" {
		t.Errorf("texts (-want +got):\n%s", diff)
	}
	var bytes [][]byte
	strange = append(strange, "\x00\xff")
	if err = pool.QueryRow(t.Context(), "select $1::bytea[]", postgres.Hashes(strange)).Scan(&bytes); err != nil {
		t.Fatalf("read hashes: %v", err)
	}
	got = nil
	for _, b := range bytes {
		got = append(got, string(b))
	}
	if diff := cmp.Diff(strange, got); diff != "" {
		t.Errorf("hashes (-want +got):\n%s", diff)
	}
}
