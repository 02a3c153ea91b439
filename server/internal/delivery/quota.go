package delivery

import (
	"context"
	"sync"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/postgres"
)

const (
	// perPerson is how many pushes a minute a push service is sent for each person who has a device there. Strangers
	// choose the push services: one person must not be able to aim thousands of requests at somebody's server.
	perPerson    = 100
	quotaFor     = time.Minute // after which people are counted again
	manyServices = 10_000
)

// quotas are those of push services, by their names.
type quotas struct {
	mu    sync.Mutex
	known map[string]quota
}

type quota struct {
	perMinute int
	at        time.Time
}

// quota returns how many pushes a minute all nodes together may send to a push service.
func (d *Dispatcher) quota(ctx context.Context, service string) (int, error) {
	if service == core.ServiceFCM {
		return d.Quota, nil
	}
	now := time.Now()
	if q, ok := d.quotas.get(service, now); ok {
		return q, nil
	}
	people, err := postgres.PeopleAt(ctx, d.DB, service, d.WebPushQuota/perPerson+1)
	if err != nil {
		return 0, err
	}
	q := quota{min(d.WebPushQuota, max(1, people)*perPerson), now}
	d.quotas.set(service, q)
	return q.perMinute, nil
}

func (q *quotas) get(service string, now time.Time) (perMinute int, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	known, ok := q.known[service]
	return known.perMinute, ok && now.Sub(known.at) < quotaFor
}

func (q *quotas) set(service string, to quota) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.known == nil || len(q.known) >= manyServices {
		q.known = map[string]quota{}
	}
	q.known[service] = to
}
