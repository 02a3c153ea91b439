package faults

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/sininho/sininho/internal/eventually"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/lab/standin/pushservice"
)

// TestOrigins dispatches to devices of which half have FCM, and the others one of three push services: one is healthy,
// one responds with 503 and one does not respond. The healthy one must be done as fast as without the other two. Then
// the node is killed in the middle of a dispatch.
func TestOrigins(t *testing.T) {
	t.Parallel()
	long(t)
	origins(t, 20_000)
}

// TestOriginsWithFewDevices is TestOrigins with a tenth of the devices.
func TestOriginsWithFewDevices(t *testing.T) {
	t.Parallel()
	origins(t, 2_000)
}

func origins(t *testing.T, devices int) {
	t.Helper()
	i := newInstallation(t)
	i.Environment["PUSH"], i.Environment["WEB_PUSH_NETWORKS"] = "fcm,webpush", "127.0.0.0/8"
	i.followers(devices / 2)
	healthy := i.subscribe(devices / 6)
	n := i.Start()
	p := i.publisher(n)
	alone := i.untilReached(p, healthy, "alone", devices/6)

	unavailable, silent := i.subscribe(devices/6), i.subscribe(devices/6)
	unavailable.AddFault(pushservice.Fault{Status: http.StatusServiceUnavailable, RetryAfter: "2"})
	silent.AddFault(pushservice.Fault{Hang: true})
	n.Kill() // what it has learned of push services
	n.Start()
	together := i.untilReached(p, healthy, "together", 2*(devices/6))
	t.Logf("the healthy push service had all of its %d pushes %s after the publish; without the others %s", devices/6,
		together.Round(time.Millisecond), alone.Round(time.Millisecond))
	if limit := 3*alone/2 + time.Second; together > limit {
		t.Errorf("time until the healthy push service had its pushes: got %s, want at most %s", together, limit)
	}

	sent := len(healthy.Sent(0))
	p.publish(t.Context(), "killed")
	eventually.True(t, "pushes", func() bool { return len(healthy.Sent(0)) > sent+10 })
	n.Kill()
	j := i.judge()
	inFlight := j.inFlight(0)
	j.close()
	unavailable.ClearFaults()
	silent.ClearFaults()
	n.Start()
	i.finish(inFlight)
}

// untilReached publishes, and returns the time until the push service has had a number of pushes in all.
func (i *installation) untilReached(p *publisher, s *pushservice.Service, key string, pushes int) time.Duration {
	i.t.Helper()
	began := time.Now()
	p.publish(i.t.Context(), key)
	eventually.Reaches(i.t, "pushes of the healthy push service", pushes, func() int { return len(s.Sent(0)) })
	return s.Sent(0)[pushes-1].At.Sub(began)
}

// subscribe creates n followers of the channel with a browser each, at a push service of their own.
func (i *installation) subscribe(n int) *pushservice.Service {
	i.t.Helper()
	service, err := pushservice.Start(i.t.Context())
	if err != nil {
		i.t.Fatalf("start a push service: %v", err)
	}
	i.t.Cleanup(func() { _ = service.Close() })
	i.services = append(i.services, service)
	var names, endpoints []string
	var keys, secrets [][]byte
	for k := range n {
		s, err := service.Subscribe("")
		if err != nil {
			i.t.Fatalf("subscribe: %v", err)
		}
		names = append(names, fmt.Sprintf("browser-%d-%d", len(i.services), k))
		endpoints = append(endpoints, s.Endpoint)
		keys, secrets = append(keys, i.decode(s.P256dh)), append(secrets, i.decode(s.Auth))
	}
	i.Exec(`
		with people as (
			insert into subscribers (id, email, name, locale, timezone)
			select gen_random_uuid(), name || '@example.com', name, 'pt', 'Europe/Lisbon'
			from unnest($1::text[]) name
			returning id, name
		), devices as (
			insert into devices (id, subscriber_id, installation_id, kind, address, p256dh, auth, service, platform,
				name, rings_since)
			select gen_random_uuid(), people.id, v.name, 'webpush', v.endpoint, v.key, v.secret, $5, 'web', 'Browser',
				now()
			from unnest($1::text[], $2::text[], $3::bytea[], $4::bytea[]) v (name, endpoint, key, secret)
			join people on people.name = v.name
		)
		insert into subscriptions (subscriber_id, channel_id, bell, followed_at, read_ordinal, read_at)
		select people.id, c.id, 'all', now(), 0, now()
		from people, channels c join publishers p on p.id = c.publisher_id
		where p.slug = 'demo' and c.slug = 'novidades'`, names, endpoints, keys, secrets, core.PushOrigin(service.URL()))
	return service
}

func (i *installation) decode(s string) []byte {
	i.t.Helper()
	b, err := base64.RawURLEncoding.DecodeString(s)
	if err != nil {
		i.t.Fatalf("decode base64: %v", err)
	}
	return b
}
