// Package scaling_test measures what docs/scaling.md says of bytes.
package scaling_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/delivery"
	"github.com/sininho/sininho/server/internal/postgres"
	"github.com/sininho/sininho/server/lab/pgtest"
	"github.com/sininho/sininho/server/lab/writertest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

const (
	people     = 20_000 // who follow the large channel, with a device each
	published  = 2_000  // to the small channel, which one of them follows
	few        = 10     // people who follow the small channel
	concurrent = 250
	page       = 500
	tolerance  = 0.1
)

// TestDocumentedBytes measures what is stored and logged of each thing, and compares it with the guide. Its PostgreSQL
// is its own, logs no full pages and vacuums nothing by itself.
func TestDocumentedBytes(t *testing.T) {
	t.Parallel()
	db := pgtest.DB(t)
	m := &model{T: t, db: db, store: postgres.NewStore(db), now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC),
		measured: map[string]cost{}}
	m.writer = writertest.New(t, db, func() time.Time { return m.now })
	large, small := m.channel("large"), m.channel("small")
	m.populate(large, small)
	m.publish(small)
	m.push(large)
	m.display()
	m.compare()
}

// cost is the bytes of one thing in tables and indexes, and in the write-ahead log.
type cost struct{ stored, logged float64 }

type model struct {
	*testing.T
	db       *postgres.DB
	store    *postgres.Store
	writer   *delivery.Writer
	now      time.Time
	notes    []core.ID // that were published to the small channel
	measured map[string]cost
}

func scan[T any](m *model, sql string, args ...any) (v T) {
	m.Helper()
	if err := m.db.Pool().QueryRow(m.Context(), sql, args...).Scan(&v); err != nil {
		m.Fatalf("%s: %v", sql, err)
	}
	return v
}

func (m *model) exec(sql string, args ...any) {
	m.Helper()
	if _, err := m.db.Pool().Exec(m.Context(), sql, args...); err != nil {
		m.Fatalf("%s: %v", sql, err)
	}
}

func (m *model) succeed(what string, err error) {
	m.Helper()
	if err != nil {
		m.Fatalf("%s: %v", what, err)
	}
}

// size returns the bytes of tables with their indexes. Tables whose rows are changed or deleted are written anew,
// because old versions of rows take space until they are vacuumed.
func (m *model) size(tables ...string) float64 {
	m.Helper()
	for _, t := range tables {
		option := ""
		if slices.Contains([]string{"dispatches", "delivery_batches", "displays", "new_displays",
			"notification_words"}, t) {
			option = "(full) "
		}
		m.exec("vacuum " + option + t)
	}
	return scan[float64](m, "select sum(pg_total_relation_size(t::regclass))::float8 from unnest($1::text[]) t", tables)
}

// logged returns how many bytes a step adds to the log.
func (m *model) logged(step func()) float64 {
	m.Helper()
	const position = "select (pg_current_wal_insert_lsn() - '0/0')::float8"
	began := scan[float64](m, position)
	step()
	return scan[float64](m, position) - began
}

// measure notes what a step adds to tables, and to the log, for each of n things.
func (m *model) measure(name string, n int, step func(), tables ...string) {
	m.Helper()
	before := m.size(tables...)
	logged := m.logged(step)
	m.measured[name] = cost{(m.size(tables...) - before) / float64(n), logged / float64(n)}
}

func (m *model) channel(slug string) core.ChannelRef {
	m.Helper()
	category, err := m.store.EnsureCategory(m.Context(), core.Category{ID: core.NewID(), Slug: "cidade", Name: "Cidade"})
	m.succeed("category", err)
	publisher, err := m.store.EnsurePublisher(m.Context(), core.Publisher{ID: core.NewID(), Slug: "vila", Name: "Vila"})
	m.succeed("publisher", err)
	in := core.ChannelInput{Slug: slug, Name: "Agenda", CategoryID: category, Visibility: core.Public}
	c, _, err := m.store.CreateChannel(m.Context(), core.NewID(), publisher, in, m.now, core.Idempotency{})
	m.succeed("channel", err)
	return c.ChannelRef
}

// each runs a step for each of n numbers, many at a time.
func each(n int, step func(i int)) {
	var all sync.WaitGroup
	for worker := range concurrent {
		all.Go(func() {
			for i := worker; i < n; i += concurrent {
				step(i)
			}
		})
	}
	all.Wait()
}

// populate makes people, each with a device and a subscription to the large channel, and one of them to the small one.
func (m *model) populate(large, small core.ChannelRef) {
	m.Helper()
	m.exec("create table made as select gen_random_uuid() as id, i from generate_series(1, $1::int) i", people)
	m.measure("a person", people, func() {
		m.exec(`
			insert into subscribers (id, email, name, locale, timezone, onboarding_step, onboarded_at)
			select id, 'person' || i || '@example.com', 'Ana Maria ' || i, 'pt', 'Europe/Lisbon', 'done', now() from made`)
	}, "subscribers")
	m.measure("a device", people, func() {
		m.exec(`
			insert into devices (id, subscriber_id, installation_id, kind, address, platform, name, created_at,
				rings_since)
			select gen_random_uuid(), id, gen_random_uuid(), 'fcm',
				(select string_agg(md5(i || '.' || n), '') from generate_series(1, 5) n), 'web', 'Chrome no Android',
				$1, $1
			from made`, m.now)
	}, "devices")
	m.measure("a subscription", people, func() { m.follow(large, people) }, "subscriptions")
	m.follow(small, few)
	m.exec("analyze")
}

func (m *model) follow(channel core.ChannelRef, n int) {
	m.Helper()
	m.exec(`insert into subscriptions (subscriber_id, channel_id, bell, followed_at, read_ordinal, read_at)
		select id, $1, 'all', $2, 0, $2 from made where i <= $3`, channel.ID, m.now, n)
}

func (m *model) notification(channel core.ChannelRef, i int) core.Notification {
	return core.Notification{ID: core.NewID(), Channel: channel, Title: fmt.Sprintf("Linha %d reaberta", i),
		Body: fmt.Sprintf("A circulação entre o Campo Grande e o Rato foi retomada às %d:%02d.", i/60%24, i%60),
		Link: "https://example.com/avisos/" + strconv.Itoa(i), Importance: core.Normal, PublishedAt: &m.now, Visible: true}
}

// publish publishes to the small channel, whose few devices are pushed to.
func (m *model) publish(small core.ChannelRef) {
	m.Helper()
	m.notes = make([]core.ID, published)
	tables := []string{"notifications", "dispatches"}
	before := m.size(tables...)
	logged := m.logged(func() {
		each(published, func(i int) {
			n, _, err := m.writer.Publish(m.Context(), m.notification(small, i), core.Idempotency{})
			if err != nil {
				m.Errorf("publish: %v", err)
			}
			m.notes[i] = n.ID
		})
	})
	m.measure("a push to one of 10 devices", published*few, func() {
		for i := 0; i < published; i += page {
			m.dispatch(m.notes[i:i+page], few)
		}
	}, "delivery_batches")
	logged += m.logged(func() {
		for looked := 1; looked > 0; {
			var err error
			looked, _, err = delivery.Finish(m.Context(), m.db, published, m.now.Add(time.Hour))
			m.succeed("finish", err)
		}
	})
	m.measured["a notification with its dispatch"] = cost{(m.size(tables...) - before) / published, logged / published}
	m.measure("its words, for search", published, func() {
		for more := true; more; {
			done, err := m.store.WriteWords(m.Context())
			m.succeed("write words", err)
			more = done.More
		}
	}, "notification_words")
}

// dispatch finds the devices of notifications, up to that many of each, and records that all pushes were accepted.
func (m *model) dispatch(ids []core.ID, most int) {
	m.Helper()
	err := m.db.InTx(m.Context(), func(ctx context.Context, tx postgres.Tx) error {
		found, err := delivery.FindDevices(ctx, tx, ids, most, m.now)
		if err != nil {
			return err
		}
		for _, b := range found {
			var pushed []core.Delivery
			for i, id := range b.Devices {
				pushed = append(pushed, core.Delivery{NotificationID: b.NotificationID, DeviceID: id,
					Place: core.Place{First: b.First, Index: i}, Outcome: core.Accepted})
			}
			if err := delivery.Record(ctx, tx, pushed, m.now); err != nil {
				return err
			}
		}
		return nil
	})
	m.succeed("dispatch", err)
}

// push pushes one notification to all followers of the large channel.
func (m *model) push(large core.ChannelRef) {
	m.Helper()
	n, _, err := m.writer.Publish(m.Context(), m.notification(large, 0), core.Idempotency{})
	m.succeed("publish", err)
	m.notes = append(m.notes, n.ID)
	m.measure("a push to one of 20,000 devices", people, func() {
		for range people / page {
			m.dispatch([]core.ID{n.ID}, page)
		}
	}, "delivery_batches")
}

// display reports what was displayed: the large notification to everybody, and more than half of the others.
func (m *model) display() {
	m.Helper()
	rows, err := m.db.Pool().Query(m.Context(), "select id from made order by i")
	m.succeed("people", err)
	ids, err := pgx.CollectRows(rows, pgx.RowTo[core.ID])
	m.succeed("people", err)
	m.store.GatherDisplays(20 * time.Millisecond)
	report := func(n int, to func(i int) (person, notification core.ID)) func() {
		return func() {
			each(n, func(i int) {
				person, notification := to(i)
				if err := m.store.RecordDisplayed(m.Context(), person, nil, []core.ID{notification}); err != nil {
					m.Errorf("display: %v", err)
				}
			})
			m.succeed("fold", m.store.FoldDisplays(m.Context()))
		}
	}
	m.measure("a display to one of 20,000 people", people, report(people, func(i int) (person, notification core.ID) {
		return ids[i], m.notes[published]
	}), "displays", "new_displays")
	some := func(i int) (person, notification core.ID) { return ids[i%few], m.notes[i/few] }
	m.measure("a display to one of 10 people", published*few/2, report(published*few/2, some), "displays", "new_displays")
	m.store.GatherDisplays(0)
	const alone = 1_000
	m.measure("a display that is reported alone", alone, func() {
		for i := range alone {
			err := m.store.RecordDisplayed(m.Context(), ids[i%few], nil, []core.ID{m.notes[published/2+i/few]})
			m.succeed("display", err)
		}
		m.succeed("fold", m.store.FoldDisplays(m.Context()))
	}, "displays", "new_displays")
}

var documented = regexp.MustCompile(`(?m)^\| ([^|]+) \| ([\d,]+) \| ([\d,]+) \|`)

// compare wants the table of the guide to say what was measured.
func (m *model) compare() {
	m.Helper()
	guide, err := os.ReadFile("../../../docs/scaling.md")
	m.succeed("read the guide", err)
	said := map[string][]string{}
	for _, row := range documented.FindAllStringSubmatch(string(guide), -1) {
		said[row[1]] = row[2:]
	}
	for name, got := range m.measured {
		m.Logf("| %s | %.1f | %.1f |", name, got.stored, got.logged)
		row := said[name]
		if row == nil {
			m.Errorf("%s: got no row in docs/scaling.md, want one", name)
			continue
		}
		for i, bytes := range []float64{got.stored, got.logged} {
			want, err := strconv.ParseFloat(strings.ReplaceAll(row[i], ",", ""), 64)
			m.succeed("number in docs/scaling.md", err)
			if math.Abs(bytes-want) > max(tolerance*want, 1) {
				m.Errorf("%s: got %.1f bytes in %s, want %.0f as in docs/scaling.md", name, bytes,
					[]string{"tables", "the log"}[i], want)
			}
		}
	}
}
