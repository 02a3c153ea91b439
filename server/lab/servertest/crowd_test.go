package servertest_test

import (
	"fmt"
	"io"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/sininho/sininho/internal/eventually"
	"github.com/sininho/sininho/server/lab/servertest"
)

// latest is how long a request of others may take beside a crowd.
const latest = 2 * time.Second

// TestManyWritesOfOnePersonLeaveRoom has a person send 110 changes at once that all wait for one row. Others read and
// publish meanwhile. Each change used to hold a connection while it waited, and the others got 503.
func TestManyWritesOfOnePersonLeaveRoom(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Limited())
	ana, rui := s.SignIn(t, "ana@example.com"), s.SignIn(t, "rui@example.com")
	rui.Follow("demo/novidades")
	unlock := lock(t, s, "select id from subscribers where email = 'ana@example.com' for update")
	const changes = 110
	statuses := sendAtOnce(changes, func(i int) *http.Request {
		return ana.Request(http.MethodPatch, "/subscribers/me", object{"name": fmt.Sprint("Ana ", i)})
	})
	waitForLocks(t, s, 2)
	readSoon(t, rui)
	publishSoon(t, s, rui)
	unlock()
	count := map[int]int{}
	for range changes {
		count[<-statuses]++
	}
	if count[http.StatusOK] == 0 || count[http.StatusOK]+count[http.StatusTooManyRequests] != changes {
		t.Errorf("statuses of the changes: got %v, want %d, each 200 or 429", count, changes)
	}
}

// TestSlowSearchesOfOnePersonTakeTurns has a person send 60 searches at once, each of which runs into its time limit.
// They used to run all at once, on every connection, and the others got 503.
func TestSlowSearchesOfOnePersonTakeTurns(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Limited())
	ana, rui := s.SignIn(t, "ana@example.com"), s.SignIn(t, "rui@example.com")
	ana.Follow("demo/novidades")
	rui.Follow("demo/novidades")
	defer lock(t, s, "lock table notification_words")()
	const searches = 60
	statuses := sendAtOnce(searches, func(i int) *http.Request {
		return ana.Request(http.MethodGet, fmt.Sprint("/subscribers/notifications?q=palavra", i), nil)
	})
	waitForLocks(t, s, 1)
	readSoon(t, rui)
	count := map[int]int{}
	for range searches {
		count[<-statuses]++
	}
	t.Logf("searches that used a connection for a second: %d of %d", count[http.StatusServiceUnavailable], searches)
	ran := int(turnPatience/time.Second) + 1 // each for a second, the last when the patience ends
	if count[http.StatusServiceUnavailable] > ran || count[http.StatusTooManyRequests] < searches-ran {
		t.Errorf("statuses of the searches: got %v, want at most %d times 503, and 429", count, ran)
	}
}

// turnPatience is how long a request waits for the others of its person.
const turnPatience = 3 * time.Second

// readSoon reads a page of a feed, and expects that to take no longer than latest.
func readSoon(t *testing.T, reader *servertest.Subscriber) {
	t.Helper()
	soon(t, "a page of a feed", func() {
		reader.Do(http.MethodGet, "/subscribers/notifications", nil, http.StatusOK, nil)
	})
}

// publishSoon publishes a notification, and expects that to take no longer than latest.
func publishSoon(t *testing.T, s *servertest.Server, author *servertest.Subscriber) {
	t.Helper()
	soon(t, "a publish", func() {
		call(t, author.Request(http.MethodPost, "/channels/demo/novidades/notifications", object{"title": "Oi"}),
			s.APIKey, http.StatusCreated, nil)
	})
}

func soon(t *testing.T, what string, do func()) {
	t.Helper()
	start := time.Now()
	do()
	took := time.Since(start)
	t.Logf("%s beside the crowd: %v", what, took.Round(time.Millisecond))
	if took > latest {
		t.Errorf("%s beside the crowd: got %v, want at most %v", what, took, latest)
	}
}

// sendAtOnce sends requests at once, and returns their statuses as they come; 0 is that of one that failed.
func sendAtOnce(n int, request func(i int) *http.Request) <-chan int {
	statuses := make(chan int, n)
	client := &http.Client{Transport: &http.Transport{}}
	var ready sync.WaitGroup
	ready.Add(n)
	for i := range n {
		req := request(i)
		go func() {
			ready.Done()
			ready.Wait()
			res, err := client.Do(req)
			if err != nil {
				statuses <- 0
				return
			}
			_, _ = io.Copy(io.Discard, res.Body)
			_ = res.Body.Close()
			statuses <- res.StatusCode
		}()
	}
	return statuses
}

// lock runs a statement in a transaction that goes on until unlock is called.
func lock(t *testing.T, s *servertest.Server, statement string) (unlock func()) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), s.DatabaseURL)
	if err != nil {
		t.Fatalf("connect to the database: %v", err)
	}
	if _, err := conn.Exec(t.Context(), "begin; "+statement); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
	return sync.OnceFunc(func() {
		if err := conn.Close(t.Context()); err != nil {
			t.Errorf("end of %s: %v", statement, err)
		}
	})
}

// waitForLocks waits until connections wait for a lock.
func waitForLocks(t *testing.T, s *servertest.Server, n int) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), s.DatabaseURL)
	if err != nil {
		t.Fatalf("connect to the database: %v", err)
	}
	defer func() { _ = conn.Close(t.Context()) }()
	eventually.True(t, "requests to wait for a lock", func() bool {
		var waiting int
		const query = `select count(*) from pg_stat_activity
			where datname = current_database() and wait_event_type = 'Lock'`
		if err := conn.QueryRow(t.Context(), query).Scan(&waiting); err != nil {
			t.Fatalf("count those that wait: %v", err)
		}
		return waiting >= n
	})
}
