package delivery

import (
	"context"
	"testing"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/postgres"
	"github.com/sininho/sininho/server/lab/check"
	"github.com/sininho/sininho/server/lab/pgtest"
)

// TestSearchesOfAnAccountTakeTurns expects searches of one publisher of an account with 20, and of all others.
func TestSearchesOfAnAccountTakeTurns(t *testing.T) {
	t.Parallel()
	db := pgtest.DB(t)
	for _, sql := range []string{
		`insert into publishers (id, slug, name, account_id)
		select gen_random_uuid(), 'crowd-' || i, 'Crowd', md5('account')::uuid from generate_series(1, 20) i`,
		`insert into publishers (id, slug, name) values (gen_random_uuid(), 'small', 'Small')`,
		`insert into dispatches (notification_id, channel_id, publisher_id, importance, started_at, check_at)
		select gen_random_uuid(), id, id, 'normal', now(), now() from publishers, generate_series(1, 100)`,
		// whose publisher is deleted
		`insert into dispatches (notification_id, channel_id, publisher_id, importance, started_at, check_at)
		select gen_random_uuid(), md5('deleted')::uuid, md5('deleted')::uuid, 'normal', now(), now()`,
	} {
		if _, err := db.Pool().Exec(t.Context(), sql); err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
	}
	err := db.InTx(t.Context(), func(ctx context.Context, tx postgres.Tx) error {
		ids, last, err := nextSearches(ctx, tx, core.ID{})
		if err != nil {
			return err
		}
		check.Equal(t, "searches of two accounts and a deleted publisher", len(ids), 2*findEach+1)
		later, _, err := nextSearches(ctx, tx, last)
		if len(later) > findEach {
			t.Errorf("searches after the last publisher: got %d, want at most %d of one account", len(later), findEach)
		}
		return err
	})
	if err != nil {
		t.Fatalf("find the next searches: %v", err)
	}
}
