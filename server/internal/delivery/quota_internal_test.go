package delivery

import (
	"fmt"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/check"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/pgtest"
)

// TestPaceOfAPushService expects the pace of a push service to follow the number of people there, not of their devices:
// one person cannot aim many requests at somebody's server.
func TestPaceOfAPushService(t *testing.T) {
	t.Parallel()
	db := pgtest.DB(t)
	d := &Dispatcher{Config: Config{DB: db, Quota: 600_000, WebPushQuota: 1_000}}
	for service, people := range map[string]int{"https://few.example": 3, "https://many.example": 50} {
		_, err := db.NewRaw(`
			with people as (
				insert into subscribers (id, google_subject, email, name, locale, timezone)
				select gen_random_uuid(), ?0 || i, ?0 || i || '@example.com', 'Ana', 'pt', 'Europe/Lisbon'
				from generate_series(1, ?1) i
				returning id
			)
			insert into devices (id, subscriber_id, installation_id, kind, address, service, platform, name,
				rings_since)
			select gen_random_uuid(), id, ?0 || id || i, 'webpush', ?0 || id || i, ?0, 'web', 'Browser', now()
			from people, generate_series(1, 20) i`, service, people).Exec(t.Context())
		if err != nil {
			t.Fatalf("create devices: %v", err)
		}
	}
	if _, err := db.NewRaw(`update devices set rings_since = null where service = 'https://few.example' and subscriber_id =
		(select subscriber_id from devices where service = 'https://few.example' limit 1)`).Exec(t.Context()); err != nil {
		t.Fatalf("silence a person's devices: %v", err)
	}
	for service, want := range map[string]int{
		"https://few.example": 2 * perPerson, "https://many.example": 1_000, "https://unknown.example": perPerson,
		core.ServiceFCM: 600_000,
	} {
		for range 2 { // counted, and known
			got, err := d.quota(t.Context(), service)
			if err != nil {
				t.Fatalf("quota of %s: %v", service, err)
			}
			check.Equal(t, "pushes a minute to "+service, got, want)
		}
	}
	for i := range manyServices + 1 {
		d.quotas.set(fmt.Sprint(i), quota{})
	}
	if got := len(d.quotas.known); got > manyServices {
		t.Errorf("push services that are remembered: got %d, want at most %d", got, manyServices)
	}
}

// TestPushesBeyondThePaceWait expects pushes that their push service has no room for to wait, the longer the longer
// they have waited, and none to be given up.
func TestPushesBeyondThePaceWait(t *testing.T) {
	t.Parallel()
	const service = "https://few.example"
	d := &Dispatcher{Config: Config{DB: pgtest.DB(t), WebPushQuota: 1_000}}
	if _, _, err := reserve(t.Context(), d.DB, service, perPerson, perPerson, 0); err != nil { // for a minute
		t.Fatalf("reserve: %v", err)
	}
	for waiting, least := range map[time.Duration]time.Duration{
		0: 30 * time.Second, 16 * time.Hour: 2 * time.Hour,
	} {
		b, p := &batch{d: d, waiting: waiting}, &part{service: service, items: make([]item, 1)}
		if err := b.sendPart(t.Context(), p); err != nil {
			t.Fatalf("send: %v", err)
		}
		if p.later < least || p.finished > 0 || len(b.outcomes) > 0 {
			t.Errorf("a push that has waited for %s: got %d outcomes and another try in %s, want none and at least %s",
				waiting, len(b.outcomes), p.later, least)
		}
	}
}
