package faults

import (
	"testing"
	"time"

	"github.com/sininho/sininho/internal/eventually"
	"github.com/sininho/sininho/server/internal/embeddedpg"
	"github.com/sininho/sininho/server/internal/postgres"
	"github.com/sininho/sininho/server/lab/cluster"
)

// oldNotifications are published in channels that nobody reads any more, past the triggers, which would count them.
const oldNotifications = `
	set session_replication_role = replica;
	insert into notifications (id, channel_id, title, body, importance, visible, published_at, created_at, ordinal)
	select lpad(to_hex(i), 32, '0')::uuid, lpad(to_hex(i % 100), 32, 'c')::uuid, 'Old ' || i, repeat('text ', 20),
		case when i % 50 = 0 then 'important' else 'normal' end, true, now() - interval '1 year', now(), i / 100
	from generate_series(1, 2000000) i`

// TestPublishWhileMigrating migrates a database with two million notifications to a version that adds a column, writes
// it into each of them, and makes an index, while a node of the version before publishes. The first new node is killed
// in the middle. The test is not parallel, because it measures times, on a PostgreSQL that waits for the disk.
func TestPublishWhileMigrating(t *testing.T) {
	long(t)
	newer, err := cluster.BuildNewer(t.TempDir())
	if err != nil {
		t.Fatalf("build the next version: %v", err)
	}
	own := cluster.NewPostgres(t, embeddedpg.Config{Dir: t.TempDir()})
	if err := postgres.Migrate(t.Context(), own.URL(), discard); err != nil {
		t.Fatalf("migrate the database: %v", err)
	}
	i := newInstallationOn(t, cluster.New(t, binary, own.URL()))
	i.CreatePublisher()
	began := time.Now()
	i.Exec(oldNotifications)
	i.Exec("vacuum analyze notifications")
	t.Logf("2,000,000 notifications after %s", time.Since(began).Round(time.Second))
	stop := i.publisher(i.Start()).load("migrating", 4, 20*time.Millisecond)
	i.more(200)
	before := i.ledger.slowest()

	i.Binary, began = newer, time.Now()
	killed := i.Node()
	killed.Launch()
	eventually.True(t, "the first batch", func() bool {
		return i.Count(`select count(*) from (select to_jsonb(n) ->> 'mood' as mood from notifications n
			order by id limit 1) first where mood is not null`) > 0
	})
	killed.Kill()
	i.run("migrate")
	took := time.Since(began)
	i.more(200)
	stop()

	during := &ledger{}
	for _, a := range i.ledger.all() {
		if !a.acknowledged() {
			t.Errorf("publish while migrating: got %+v, want 201", a)
		}
		if a.began.After(began) && a.began.Before(began.Add(took)) {
			during.add(a)
		}
	}
	slowest := during.slowest()
	t.Logf("migrated in %s: the slowest of %d publishes took %s, %s after the beginning; before it %s",
		took.Round(time.Second), len(during.all()), slowest.took.Round(time.Millisecond),
		slowest.began.Sub(began).Round(time.Second), before.took.Round(time.Millisecond))
	if slowest.took >= time.Second {
		t.Errorf("slowest publish while migrating: got %s, want less than 1s", slowest.took)
	}
	if n := i.Count("select count(*) from notifications where mood is null"); n > 0 {
		t.Errorf("notifications that were not rewritten: got %d, want none", n)
	}
	i.Start() // a node of the next version
}
