package postgres_test

import (
	"bytes"
	"context"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/sininho/sininho/internal/eventually"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/postgres"
	"github.com/sininho/sininho/server/lab/pgtest"
)

// TestReplica reads pages from a replica by streaming replication, which lags, hangs, dies and is promoted.
func TestReplica(t *testing.T) {
	t.Parallel()
	replication := pgtest.Replicate(t)
	log := &logged{}
	w := newWorldIn(t, postgres.Config{URL: replication.URL, ReplicaURLs: []string{replication.ReplicaURL},
		Connections: 10, Log: slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug}))})
	must(w.Subscribe(t.Context(), w.subscriber, w.channel.ID, w.now))
	w.publish(t, "first")
	w.publish(t, "second")

	t.Run("of another", func(t *testing.T) {
		config := postgres.Config{URL: pgtest.URL(t), ReplicaURLs: []string{replication.ReplicaURL}, Connections: 2,
			Log: slog.New(slog.DiscardHandler)}
		_, err := postgres.Open(t.Context(), config)
		checkNoStandby(t, "open a database with the replica of another", err)
	})
	t.Run("pages", func(t *testing.T) { checkReplicaPages(t, w, log) })
	t.Run("lagging", func(t *testing.T) { checkLagging(t, w, log, replication) })
	t.Run("hanging", func(t *testing.T) {
		replication.Stalled(func() {
			eventually.True(t, "the replica to be left alone", func() bool {
				checkFeed(t, w, 3, 0)
				return log.state() == notUsed
			})
		})
		checkUsedAgain(t, w, log)
	})
	t.Run("killed", func(t *testing.T) {
		stop := keepReading(t, w)
		replication.Kill()
		eventually.True(t, "the replica to be left alone", func() bool { return log.state() == notUsed })
		stop()
		checkFeed(t, w, 3, 0)
		replication.Start()
		checkUsedAgain(t, w, log)
	})
	t.Run("promoted", func(t *testing.T) {
		onReplica(t, replication, "select pg_promote()")
		eventually.True(t, "the promoted replica to be left alone", func() bool {
			return log.state() == notUsed && log.count("is not a standby") > 0
		})
		w.publish(t, "after the promotion")
		checkFeed(t, w, 4, 1)
	})
}

// checkReplicaPages compares pages from the replica with those from the primary.
func checkReplicaPages(t *testing.T, w *world, log *logged) {
	t.Helper()
	db := must(postgres.Open(t.Context(), postgres.Config{URL: w.url, Connections: 2}))
	t.Cleanup(func() { _ = db.Close() })
	primary := postgres.NewStore(db)
	page := core.Page{Limit: 10}
	type result struct {
		Data          any
		Total, Unread int64
	}
	for name, read := range map[string]func(s *postgres.Store) (result, error){
		"feed": func(s *postgres.Store) (r result, err error) {
			r.Data, r.Total, r.Unread, err = readFeed(t.Context(), s, w.subscriber, core.FeedFilter{Page: page})
			return r, err
		},
		"unread notifications": func(s *postgres.Store) (r result, err error) {
			filter := core.FeedFilter{UnreadOnly: true, Page: core.Page{Limit: 1}}
			r.Data, r.Total, r.Unread, err = readFeed(t.Context(), s, w.subscriber, filter)
			return r, err
		},
		"notifications of a channel": func(s *postgres.Store) (r result, err error) {
			data, total, unread, err := listOf(t.Context(), s, w.channel, page, &w.subscriber)
			return result{data, total, *unread}, err
		},
		"subscriptions": func(s *postgres.Store) (r result, err error) {
			p, err := s.Subscriptions(t.Context(), w.subscriber, page)
			return result{Data: p.Data, Total: p.Total}, err
		},
		"channels": func(s *postgres.Store) (r result, err error) {
			r.Data, r.Total, err = s.Channels(t.Context(), core.ChannelFilter{Page: page})
			return r, err
		},
		"channels that are searched": func(s *postgres.Store) (r result, err error) {
			filter := core.ChannelFilter{Search: core.Search{Words: []string{"agenda"}}, Page: page}
			r.Data, r.Total, err = s.Channels(t.Context(), filter)
			return r, err
		},
		"publishers": func(s *postgres.Store) (r result, err error) {
			r.Data, r.Total, err = s.Publishers(t.Context(), core.PublisherFilter{Page: page})
			return r, err
		},
	} {
		want, err := read(primary)
		succeed(t, "read the "+name+" from the primary", err)
		eventually.True(t, "the "+name+" to be read from the replica", func() bool {
			before := log.count(served)
			got, err := read(w.Store)
			succeed(t, "read the "+name, err)
			equal(t, name, got, want)
			return log.count(served) > before
		})
	}
}

// TestReplicaOfUnknownChannels lists channels that do not exist, which is no fault of the replica.
func TestReplicaOfUnknownChannels(t *testing.T) {
	t.Parallel()
	replication := pgtest.Replicate(t)
	log := &logged{}
	w := newWorldIn(t, postgres.Config{URL: replication.URL, ReplicaURLs: []string{replication.ReplicaURL},
		Connections: 10, Log: slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug}))})
	w.publish(t, "first")
	eventually.True(t, "the replica to be used", func() bool {
		before := log.count(served)
		_, err := w.Notifications(t.Context(), "vila", "agenda", core.Page{Limit: 10}, nil)
		succeed(t, "list", err)
		return log.count(served) > before
	})
	for range 20 {
		_, err := w.Notifications(t.Context(), "vila", "nenhum", core.Page{Limit: 10}, nil)
		if !core.IsCode(err, core.CodeNotFound) {
			t.Errorf("list of an unknown channel: got %v, want CodeNotFound", err)
		}
	}
	// a busy machine may answer a check too late, which is another reason
	equal(t, "times that the replica was left alone for it", log.count(notUsed, string(core.CodeNotFound)), 0)
}

// checkLagging changes what a reader sees while the replica does not follow.
func checkLagging(t *testing.T, w *world, log *logged, replication *pgtest.Replication) {
	t.Helper()
	onReplica(t, replication, "select pg_wal_replay_pause()")
	state, paused := "select pg_get_wal_replay_pause_state()", "paused"
	if onReplica(t, replication, "show server_version_num") < "140000" {
		state, paused = "select pg_is_wal_replay_paused()", "t"
	}
	eventually.True(t, "the replica to stop following", func() bool { return onReplica(t, replication, state) == paused })
	before := log.count(served)
	w.publish(t, "third")
	checkFeed(t, w, 3, 3)
	succeed(t, "mark everything as read", w.ReadAll(t.Context(), w.subscriber, nil, w.now))
	checkFeed(t, w, 3, 0)
	equal(t, "pages read from the lagging replica", log.count(served)-before, 0)
	eventually.True(t, "the replica to be left alone", func() bool { return log.state() == notUsed })
	onReplica(t, replication, "select pg_wal_replay_resume()")
	checkUsedAgain(t, w, log)
}

// keepReading reads the feed again and again until stop is called.
func keepReading(t *testing.T, w *world) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	var reader sync.WaitGroup
	reader.Go(func() {
		for ctx.Err() == nil {
			_, total, _, err := readFeed(t.Context(), w, w.subscriber, core.FeedFilter{Page: core.Page{Limit: 10}})
			if err != nil || total != 3 {
				t.Errorf("feed while the replica is killed: got %d notifications and error %v, want 3 and none", total, err)
				return
			}
		}
	})
	return func() { cancel(); reader.Wait() }
}

// checkFeed fails the test unless the feed has that many notifications.
func checkFeed(t *testing.T, w *world, total, unread int) {
	t.Helper()
	data, gotTotal, gotUnread := w.feed(t)
	equal(t, "notifications in the feed", len(data), total)
	equal(t, "total of the feed", gotTotal, int64(total))
	equal(t, "unread notifications of the feed", gotUnread, int64(unread))
}

func checkUsedAgain(t *testing.T, w *world, log *logged) {
	t.Helper()
	before := log.count(served)
	eventually.True(t, "the replica to be used again", func() bool {
		checkFeed(t, w, 3, 0)
		return log.state() == used && log.count(served) > before
	})
}

// TestReplicaAtStart opens a database with servers that are no replica of it.
func TestReplicaAtStart(t *testing.T) {
	t.Parallel()
	log := &logged{}
	config := postgres.Config{URL: pgtest.URL(t), Connections: 2, Log: slog.New(slog.NewTextHandler(log, nil))}
	config.ReplicaURLs = []string{config.URL}
	_, err := postgres.Open(t.Context(), config)
	checkNoStandby(t, "open a database as its own replica", err)

	config.ReplicaURLs = []string{"postgres://127.0.0.1:1/sininho"}
	db, err := postgres.Open(t.Context(), config)
	succeed(t, "open a database with a replica that does not run", err)
	equal(t, "state of a replica that does not run", log.state(), notUsed)
	succeed(t, "close the database", db.Close())
}

func checkNoStandby(t *testing.T, what string, err error) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), "DATABASE_REPLICA_URLS") ||
		!strings.Contains(err.Error(), "is not a standby of the database in DATABASE_URL") {
		t.Errorf("%s: got error %v, want one that says that DATABASE_REPLICA_URLS has no standby", what, err)
	}
}

// onReplica returns what a query returns on the replica, as text.
func onReplica(t *testing.T, replication *pgtest.Replication, query string) (text string) {
	t.Helper()
	conn := must(pgx.Connect(t.Context(), replication.ReplicaURL))
	defer conn.Close(context.WithoutCancel(t.Context()))
	rows := must(conn.Query(t.Context(), query, pgx.QueryExecModeSimpleProtocol))
	defer rows.Close()
	for rows.Next() {
		text = string(rows.RawValues()[0])
	}
	succeed(t, query, rows.Err())
	return text
}

// What the log says.
const (
	served  = "page read from a replica"
	notUsed = "read replica is not used"
	used    = "read replica is used again"
)

// logged is a log.
type logged struct {
	mu sync.Mutex
	bytes.Buffer
}

// Write implements io.Writer.
func (l *logged) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.Buffer.Write(b)
}

// count returns how many lines have all of some texts.
func (l *logged) count(texts ...string) (n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for line := range strings.Lines(l.String()) {
		if !slices.ContainsFunc(texts, func(text string) bool { return !strings.Contains(line, text) }) {
			n++
		}
	}
	return n
}

// state returns notUsed or used.
func (l *logged) state() string {
	if l.count(notUsed) > l.count(used) {
		return notUsed
	}
	return used
}
