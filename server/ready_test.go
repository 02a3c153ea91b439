package server

import (
	"context"
	"errors"
	"net/http/httptest"
	"testing"
	"time"
)

func TestReadinessAsksTheDatabaseOnceASecond(t *testing.T) {
	now, pings, away := time.Now(), 0, error(nil)
	stopping := make(chan struct{})
	ready := &readiness{stopping: stopping, now: func() time.Time { return now }, ping: func(ctx context.Context) error {
		pings++
		return errors.Join(away, ctx.Err())
	}}
	ask := func() int {
		gone, leave := context.WithCancel(t.Context())
		leave() // the client has disconnected already
		rec := httptest.NewRecorder()
		ready.ServeHTTP(rec, httptest.NewRequestWithContext(gone, "GET", "/readyz", nil))
		return rec.Code
	}
	for range 1000 {
		if code := ask(); code != 200 {
			t.Fatal(code)
		}
	}
	away = errors.New("away")
	if code := ask(); code != 200 || pings != 1 {
		t.Errorf("%d after %d pings", code, pings)
	}
	now = now.Add(readyFor)
	if one, two := ask(), ask(); one != 503 || two != 503 || pings != 2 {
		t.Errorf("away: %d, %d after %d pings", one, two, pings)
	}
	away, now = nil, now.Add(readyFor)
	if code := ask(); code != 200 {
		t.Errorf("back: %d", code)
	}
	close(stopping)
	if code := ask(); code != 503 || pings != 3 {
		t.Errorf("stopping: %d after %d pings", code, pings)
	}
}
