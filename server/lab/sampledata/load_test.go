package sampledata_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/sininho/sininho/server/lab/pgtest"
	"github.com/sininho/sininho/server/lab/sampledata"
)

var sizes = sampledata.Sizes{Notifications: 10_000, Channels: 600, Subscriptions: 20_000, Devices: 2_004}

func load(t *testing.T) (*pgxpool.Pool, *sampledata.Set) {
	t.Helper()
	pool, err := pgxpool.New(t.Context(), pgtest.URL(t))
	if err != nil {
		t.Fatalf("connect: %v", err)
	}
	t.Cleanup(pool.Close)
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	set, err := sampledata.Load(context.WithoutCancel(t.Context()), pool,
		sampledata.Config{Sizes: sizes, Seed: 1, Now: now})
	if err != nil {
		t.Fatalf("load: %v", err)
	}
	return pool, set
}

// query returns the numbers in the one row of a query.
func query(t *testing.T, pool *pgxpool.Pool, sql string, args ...any) (values []any) {
	t.Helper()
	rows, err := pool.Query(t.Context(), sql, args...)
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	defer rows.Close()
	for rows.Next() {
		if values, err = rows.Values(); err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
	}
	if err := rows.Err(); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return values
}

func TestSizes(t *testing.T) {
	t.Parallel()
	pool, _ := load(t)
	for sql, want := range map[string]int{
		"select count(*) from notifications":                    sizes.Notifications,
		"select count(*) from channels where search <> ''":      sizes.Channels,
		"select count(*) from subscriptions":                    sizes.Subscriptions,
		"select count(*) from devices where retired_at is null": sizes.Devices,
		"select sum(subscribers)::bigint from channel_counts":   sizes.Subscriptions,
	} {
		if got := query(t, pool, sql)[0]; got != int64(want) {
			t.Errorf("%s: got %v, want %d", sql, got, want)
		}
	}
}

// TestConsistency expects no row of these queries, each of which looks for a contradiction.
func TestConsistency(t *testing.T) {
	t.Parallel()
	pool, _ := load(t)
	for name, sql := range map[string]string{
		"heads": `
			select count(*) from channel_heads h full join (
				select channel_id, max(ordinal) as ordinal, count(*) filter (where visible) as visible,
					coalesce(max(ordinal) filter (where not visible), 0) as hidden
				from notifications where ordinal is not null group by channel_id) n using (channel_id)
			where (h.ordinal, h.visible, h.hidden) is distinct from (n.ordinal, n.visible, n.hidden)`,
		"hidden counts": `
			select count(*) from hidden_counts h full join (
				select channel_id, level, ordinal >> 6 * level as run, count(*) as n
				from notifications cross join generate_series(1, 5) level
				where ordinal is not null and not visible group by 1, 2, 3) n using (channel_id, level, run)
			where h.count is distinct from n.n`,
		"counts": `
			select count(*) from channel_counts k full join (
				select channel_id, count(*) as n from subscriptions group by channel_id) s using (channel_id)
			where k.subscribers is distinct from s.n`,
		"subscriptions": `
			select count(*) from subscriptions s left join subscribers p on p.id = s.subscriber_id
				left join channels c on c.id = s.channel_id left join channel_heads h on h.channel_id = s.channel_id
			where p.id is null or c.id is null or s.read_ordinal > coalesce(h.ordinal, 0)`,
		"receipts": `
			select count(*) from receipts r left join notifications n on n.id = r.notification_id
				left join subscriptions s on s.subscriber_id = r.subscriber_id and s.channel_id = n.channel_id
			where s.channel_id is null`,
		"devices": `
			select count(*) from devices d left join subscribers p on p.id = d.subscriber_id where p.id is null`,
		"held pushes": `
			select count(*) from devices d join subscribers p on p.id = d.subscriber_id
			where p.quiet_start is not null`,
		"dispatches": `
			select count(*) from notifications n full join dispatches x on x.notification_id = n.id
			where n.published_at is not null and x.finished_at is null or n.id is null`,
		"positions": `
			select count(*) from notifications
			where stream_position < position or stream_position > (select last_value from stream_positions)`,
		"ordinals": `
			select count(*) from (select count(*) as n, max(ordinal) as last from notifications
				where ordinal is not null group by channel_id) c where n <> last`,
	} {
		if got := query(t, pool, sql)[0]; got != int64(0) {
			t.Errorf("%s: got %v rows that contradict each other, want 0", name, got)
		}
	}
}

func TestMeasuredPeople(t *testing.T) {
	t.Parallel()
	pool, set := load(t)
	everyone := set.Channel(0)
	got := query(t, pool, `
		select count(*) from subscriptions s join devices d on d.subscriber_id = s.subscriber_id
		where s.channel_id = $1 and d.retired_at is null and s.bell = 'all' and s.muted_until is null`, everyone.ID)
	if got[0] != int64(sizes.Devices) {
		t.Errorf("devices reached by %s: got %v, want %d", everyone.Slug, got[0], sizes.Devices)
	}
	quiet, err := set.OwnChannel(sampledata.Quiet(7))
	if err != nil {
		t.Fatalf("quiet channel: %v", err)
	}
	got = query(t, pool, `
		select count(*), count(d.id) from subscriptions s left join devices d on d.subscriber_id = s.subscriber_id
		where s.channel_id = $1`, quiet.ID)
	if diff := cmp.Diff([]any{int64(3), int64(0)}, got); diff != "" {
		t.Errorf("followers and devices of a quiet channel (-want +got):\n%s", diff)
	}
	for _, channels := range []int{1, 10, 50, 100} {
		reader, err := set.Reader(channels)
		if err != nil {
			t.Fatalf("reader: %v", err)
		}
		got := query(t, pool, "select count(*) from subscriptions where subscriber_id = $1", reader.ID)
		if got[0] != int64(channels) {
			t.Errorf("channels of the reader: got %v, want %d", got[0], channels)
		}
	}
	for _, p := range set.Owners(10) {
		got := query(t, pool, "select count(*) from sessions where subscriber_id = $1", p.ID)
		if got[0] != int64(1) {
			t.Errorf("sessions of a person: got %v, want 1", got[0])
		}
	}
}

func TestTheSameEachTime(t *testing.T) {
	t.Parallel()
	const sql = `
		select (select md5(string_agg(n::text, '' order by id)) from notifications n),
			(select md5(string_agg(s::text, '' order by subscriber_id, channel_id)) from subscriptions s),
			(select md5(string_agg(d::text, '' order by id)) from devices d),
			(select md5(string_agg(r::text, '' order by subscriber_id, notification_id)) from receipts r)`
	first, _ := load(t)
	second, _ := load(t)
	if diff := cmp.Diff(query(t, first, sql), query(t, second, sql)); diff != "" {
		t.Errorf("checksums of two loads (-first +second):\n%s", diff)
	}
}

// TestFollowersByDay wants the days of channels to agree with their subscriptions, and more followers gained lately.
func TestFollowersByDay(t *testing.T) {
	t.Parallel()
	pool, set := load(t)
	channel, err := set.OwnChannel(sampledata.Fresh(0)) // without followers
	if err != nil {
		t.Fatalf("find a channel: %v", err)
	}
	if err := sampledata.Grow(t.Context(), pool, channel.ID, 40, 100); err != nil {
		t.Fatalf("grow: %v", err)
	}
	const wrong = `
		select count(*) from (
			select channel_id, (followed_at at time zone 'utc')::date as day, count(*) as n from subscriptions
			where followed_at > now() - interval '89 days' group by 1, 2) s
		left join channel_days d using (channel_id, day) where d.change is distinct from s.n`
	if got := query(t, pool, wrong)[0]; got != int64(0) {
		t.Errorf("days that do not agree with the subscriptions: got %v, want 0", got)
	}
	const gained = `
		select (select sum(subscribers)::bigint from channel_counts where channel_id = $1),
			coalesce(sum(change) filter (where day > current_date - 7), 0)::bigint,
			coalesce(sum(change) filter (where day between current_date - 14 and current_date - 8), 0)::bigint
		from channel_days where channel_id = $1`
	got := query(t, pool, gained, channel.ID)
	if got[0] != int64(140) {
		t.Errorf("followers: got %v, want 140", got[0])
	}
	if got[1].(int64) <= got[2].(int64) {
		t.Errorf("followers gained this week: got %v, want more than %v in the week before", got[1], got[2])
	}
}
