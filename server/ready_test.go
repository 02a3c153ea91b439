package server

import (
	"context"
	"errors"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/sininho/sininho/server/lab/check"
)

func TestReadinessAsksTheDatabaseOnceASecond(t *testing.T) {
	now, pings := time.Now(), 0
	var away error
	stopping := make(chan struct{})
	ready := &readiness{stopping: stopping, now: func() time.Time { return now },
		ping: func(ctx context.Context) error {
			pings++
			return errors.Join(away, ctx.Err())
		}}
	request := func() int {
		gone, leave := context.WithCancel(t.Context())
		leave() // the client has disconnected already
		rec := httptest.NewRecorder()
		ready.ServeHTTP(rec, httptest.NewRequestWithContext(gone, "GET", "/readyz", nil))
		return rec.Code
	}
	for range 1000 {
		if code := request(); code != 200 {
			t.Fatalf("status while the database responds: got %d, want 200", code)
		}
	}
	away = errors.New("away")
	check.Equal(t, "status within a second of a ping", request(), 200)
	check.Equal(t, "pings within a second", pings, 1)
	now = now.Add(readyFor)
	check.Equal(t, "status after the database went away", request(), 503)
	check.Equal(t, "status of the next request", request(), 503)
	check.Equal(t, "pings after a second", pings, 2)
	away, now = nil, now.Add(readyFor)
	check.Equal(t, "status after the database came back", request(), 200)
	close(stopping)
	check.Equal(t, "status while the server stops", request(), 503)
	check.Equal(t, "pings in all", pings, 3)
}
