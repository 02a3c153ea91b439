package faults

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/sininho/sininho/internal/eventually"
	"github.com/sininho/sininho/server/lab/standin/fcm"
	"github.com/sininho/sininho/server/lab/standin/pushservice"
)

// judge compares the ledger, the database and the record of the push service, by SQL over every id. It works on a
// connection of its own, with the ledger and the record in temporary tables.
type judge struct {
	t    testing.TB
	conn *pgx.Conn
}

// judge returns a judge of everything up to now. The caller must close it.
func (i *installation) judge() *judge {
	i.t.Helper()
	j := &judge{t: i.t, conn: i.Connect()}
	j.exec(`
		create temporary table ledger (key text, status int, id uuid);
		create temporary table sent (seq bigint, address text, id uuid, tag text);
		create temporary table feed (follower text, place int, id uuid);
		create temporary table heard (stream text, place int, id uuid, key text)`)
	var attempts [][]any
	for _, a := range i.ledger.all() {
		attempts = append(attempts, []any{a.key, a.status, optionalID(a.id)})
	}
	j.copy("ledger", []string{"key", "status", "id"}, attempts)
	var pushes [][]any
	for _, s := range i.FCM.Sent(0, "") {
		pushes = append(pushes, pushed(i.t, s))
	}
	for _, service := range i.services {
		for _, s := range service.Sent(0) {
			pushes = append(pushes, pushedBy(i.t, service, s))
		}
	}
	j.copy("sent", []string{"seq", "address", "id", "tag"}, pushes)
	var events [][]any
	for _, l := range i.listeners {
		for place, e := range l.all() {
			events = append(events, []any{l.name, place, optionalID(e.id), e.key})
		}
	}
	j.copy("feed", []string{"follower", "place", "id"}, i.feeds())
	j.copy("heard", []string{"stream", "place", "id", "key"}, events)
	j.exec(`
		create temporary table published as
		select n.* from notifications n where n.title in (select key from ledger);
		create temporary table outcome as
		select d.* from deliveries d join published n on n.id = d.notification_id;
		create temporary table found as
		select b.notification_id, v.device_id from delivery_batches b join published n on n.id = b.notification_id
		cross join lateral unnest(b.devices) v (device_id);
		analyze ledger, sent, feed, heard, published, outcome, found`)
	return j
}

func (j *judge) close() { _ = j.conn.Close(context.Background()) }

func optionalID(id string) any {
	if id == "" {
		return nil
	}
	return uuid.MustParse(id)
}

// pushed returns a push as columns.
func pushed(t testing.TB, s fcm.Sent) []any {
	t.Helper()
	var message struct {
		Data    struct{ ID string }
		Webpush struct{ Notification struct{ Tag string } }
	}
	if err := json.Unmarshal(s.Message, &message); err != nil {
		t.Fatalf("message of a push: got %s, want JSON: %v", s.Message, err)
	}
	return []any{s.Seq, s.Token, optionalID(message.Data.ID), message.Webpush.Notification.Tag}
}

// pushedBy returns a push of another push service as columns.
func pushedBy(t testing.TB, service *pushservice.Service, s pushservice.Sent) []any {
	t.Helper()
	var message struct {
		Data         struct{ ID string }
		Notification struct{ Tag string }
	}
	if err := json.Unmarshal(s.Message, &message); err != nil {
		t.Fatalf("message of a push: got %s, want JSON: %v", s.Message, err)
	}
	return []any{s.Seq, service.URL() + "/push/" + s.Endpoint, optionalID(message.Data.ID), message.Notification.Tag}
}

func (j *judge) exec(sql string) {
	j.t.Helper()
	if _, err := j.conn.Exec(context.Background(), sql); err != nil {
		j.t.Fatalf("judge: run SQL: %v", err)
	}
}

func (j *judge) copy(table string, columns []string, rows [][]any) {
	j.t.Helper()
	_, err := j.conn.CopyFrom(context.Background(), pgx.Identifier{table}, columns, pgx.CopyFromRows(rows))
	if err != nil {
		j.t.Fatalf("judge: copy %s: %v", table, err)
	}
}

func (j *judge) count(sql string, args ...any) (n int) {
	j.t.Helper()
	if err := j.conn.QueryRow(context.Background(), sql, args...).Scan(&n); err != nil {
		j.t.Fatalf("judge: run SQL: %v", err)
	}
	return n
}

// breaches checks laws and returns how each was broken.
func (j *judge) breaches(laws []law) (all []string) {
	j.t.Helper()
	for _, l := range laws {
		rows, err := j.conn.Query(context.Background(), l.breaches)
		if err != nil {
			j.t.Fatalf("judge %q: %v", l.name, err)
		}
		lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			j.t.Fatalf("judge %q: %v", l.name, err)
		}
		if len(lines) > 0 {
			all = append(all, fmt.Sprintf("%s; breached %d times:\n%s", l.name, len(lines), some(lines)))
		}
	}
	return all
}

// repeats returns how many pushes there were besides the first of each notification to each device.
func (j *judge) repeats() int {
	j.t.Helper()
	return j.count("select count(*) - count(distinct (id, address)) from sent")
}

// inFlight returns how many pushes after a seq have no recorded outcome: only these may be repeated.
func (j *judge) inFlight(since int64) int {
	j.t.Helper()
	return j.count(`
		select count(*) from sent s join devices d on d.address = s.address
		where s.seq > $1 and not exists (
			select from outcome o where o.notification_id = s.id and o.device_id = d.id)`, since)
}

// finish waits until every dispatch is closed, and checks all laws. mayRepeat is the number of pushes that were in
// flight at a fault.
func (i *installation) finish(mayRepeat int) (took time.Duration) {
	i.t.Helper()
	began := time.Now()
	eventually.Reaches(i.t, "notifications", i.ledger.acknowledged(), func() int {
		return i.Count("select count(*) from notifications where published_at is not null")
	})
	eventually.True(i.t, "no open dispatch", func() bool {
		return i.Count("select count(*) from dispatches where finished_at is null") == 0
	})
	took = time.Since(began)
	published := i.Count("select count(*) from notifications where visible")
	for _, l := range i.listeners {
		eventually.Reaches(i.t, "events of "+l.name, published, func() int { return len(l.all()) })
	}
	j := i.judge()
	defer j.close()
	for _, breach := range j.breaches(slices.Concat(stored, finished, streamed)) {
		i.t.Errorf("the promise: %s", breach)
	}
	if got := j.repeats(); got > mayRepeat {
		i.t.Errorf("repeated pushes: got %d, want at most the %d that were in flight", got, mayRepeat)
	}
	i.t.Logf("%d keys acknowledged, responses %v, %d pushes, %d of them repeats of %d in flight; all closed after %s",
		i.ledger.acknowledged(), i.ledger.statuses(), j.count("select count(*) from sent"), j.repeats(), mayRepeat,
		took.Round(time.Millisecond))
	return took
}
