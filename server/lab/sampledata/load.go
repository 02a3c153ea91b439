package sampledata

import (
	"context"
	"fmt"
	"iter"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/sync/errgroup"

	"github.com/sininho/sininho/server/internal/core"
)

// Config says what data to make.
type Config struct {
	Sizes Sizes
	Seed  uint64
	Now   time.Time // the data is from the year before
}

// table is what is copied into a table.
type table struct {
	name    string
	columns []string
	rows    iter.Seq[[]any]
}

// Load fills a migrated, empty database.
func Load(ctx context.Context, pool *pgxpool.Pool, c Config) (*Set, error) {
	if err := c.Sizes.check(); err != nil {
		return nil, err
	}
	g := newGenerator(c)
	set := &Set{APIKey: core.NewAPIKeySecret(), NeighbourAPIKey: core.NewAPIKeySecret(), generator: g}
	// Here triggers are wanted: they fill channels.search.
	if err := copyAll(ctx, pool, "origin", g.owners(set.APIKey, set.NeighbourAPIKey)); err != nil {
		return nil, err
	}
	parent := ctx
	all, ctx := errgroup.WithContext(ctx)
	for _, tables := range [][]table{g.stream(), g.audience()} {
		all.Go(func() error { return copyAll(ctx, pool, "replica", tables) })
	}
	if err := all.Wait(); err != nil {
		return nil, err
	}
	if _, err := pool.Exec(parent, recordDays+groupDays, core.FollowerDaysShown); err != nil {
		return nil, err
	}
	if _, err := pool.Exec(parent, countStorage); err != nil {
		return nil, err
	}
	if _, err := pool.Exec(parent, display); err != nil {
		return nil, err
	}
	_, err := pool.Exec(parent, "select setval('stream_positions', $1)", g.lastPosition())
	return set, err
}

// countStorage counts what publishers store, as publishing does.
const countStorage = `
	insert into publisher_storage (publisher_id, used)
	select c.publisher_id, sum(notification_bytes(title, body, image, n.icon, link, external_id, data))
	from notifications n join channels c on c.id = n.channel_id group by c.publisher_id
	on conflict (publisher_id) do update set used = excluded.used`

// display displays notifications to those who have read or opened them one by one.
const display = `
	insert into displays (notification_id, part, people)
	select r.notification_id, 0, array_agg(p.number order by p.number)
	from receipts r join subscribers p on p.id = r.subscriber_id where r.read_at is not null group by 1`

// Settle makes the database as it is after a quiet time: with statistics, a visibility map and a checkpoint, and with
// nothing left to be indexed for search, which finds none of it.
func Settle(ctx context.Context, pool *pgxpool.Pool) error {
	for _, sql := range []string{
		"update search_progress set position = (select last_value from stream_positions) where part <> 'channels'",
		"vacuum (analyze)", "checkpoint",
	} {
		if _, err := pool.Exec(ctx, sql); err != nil {
			return fmt.Errorf("%s: %w", sql, err)
		}
	}
	return nil
}

// copyAll copies tables on one connection. The role "replica" checks no foreign keys and fires no triggers.
func copyAll(ctx context.Context, pool *pgxpool.Pool, role string, tables []table) error {
	conn, err := pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	if _, err := conn.Exec(ctx, "select set_config('session_replication_role', $1, false)", role); err != nil {
		return fmt.Errorf("sample data: %w", err)
	}
	for _, t := range tables {
		if err := t.copy(ctx, conn.Conn()); err != nil {
			return fmt.Errorf("sample data: copy %s: %w", t.name, err)
		}
	}
	_, err = conn.Exec(ctx, "reset session_replication_role")
	return err
}

func (t table) copy(ctx context.Context, conn *pgx.Conn) error {
	next, stop := iter.Pull(t.rows)
	defer stop()
	_, err := conn.CopyFrom(ctx, pgx.Identifier{t.name}, t.columns, pgx.CopyFromFunc(func() ([]any, error) {
		row, ok := next()
		if !ok {
			return nil, nil
		}
		return row, nil
	}))
	return err
}

// raw returns an id as pgx encodes it fastest.
func raw(id core.ID) [16]byte { return id }

// owners are the tables of publishers and their channels.
func (g *generator) owners(apiKeys ...string) []table {
	return []table{
		{"categories", []string{"id", "slug", "name", "position", "created_at", "updated_at"}, g.categoryRows},
		{"publishers", []string{"id", "slug", "name", "description", "created_at", "updated_at"}, g.publisherRows},
		{"api_keys", []string{"id", "publisher_id", "name", "hint", "secret_hash", "scopes", "created_at"},
			g.apiKeyRows(apiKeys...)},
		{"channels", []string{"id", "publisher_id", "category_id", "slug", "name", "description", "created_at",
			"updated_at", "followers_since"}, g.channelRows},
	}
}

// stream are the tables of what was published.
func (g *generator) stream() []table {
	return []table{
		{"notifications", []string{"id", "channel_id", "title", "body", "image", "link", "importance", "data",
			"external_id", "visible", "published_at", "scheduled_at", "expires_at", "edited_at", "withdrawn_at",
			"created_at", "position", "stream_position", "ordinal"}, g.notificationRows},
		{"channel_heads", []string{"channel_id", "ordinal", "visible", "hidden", "version", "published_at"},
			g.headRows},
		{"hidden_counts", []string{"channel_id", "level", "run", "count"}, g.hiddenRows},
	}
}

// audience are the tables of people and of what they do.
func (g *generator) audience() []table {
	return []table{
		{"subscribers", []string{"id", "email", "name", "locale", "timezone", "onboarding_step",
			"quiet_start", "quiet_end", "onboarded_at", "created_at", "updated_at"}, g.personRows},
		{"devices", []string{"id", "subscriber_id", "installation_id", "kind", "address", "platform", "name",
			"created_at", "seen_at", "addressed_at", "rings_since", "retired_at", "retired_cause"}, g.deviceRows},
		{"sessions", []string{"id", "secret_hash", "subscriber_id", "created_at", "seen_at"}, g.sessionRows},
		{"subscriptions", []string{"subscriber_id", "channel_id", "bell", "muted_until", "followed_at", "read_ordinal",
			"read_at"}, g.subscriptionRows},
		{"channel_counts", []string{"channel_id", "stripe", "subscribers"}, g.countRows},
		{"receipts", []string{"subscriber_id", "notification_id", "read", "read_at", "archived_at",
			"opened_at"}, g.receiptRows},
		{"dispatches", []string{"notification_id", "channel_id", "publisher_id", "importance", "started_at", "targeted",
			"expanded_at", "check_at", "finished_at", "accepted"}, g.dispatchRows},
	}
}
