package delivery

import (
	"context"
	"strings"
	"time"

	"github.com/uptrace/bun"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/postgres"
)

// pacerName returns the name under which the pace of a push service is kept.
func pacerName(service string) string {
	if service == core.ServiceFCM {
		return service
	}
	return "push:" + service
}

const (
	// aheadOfPace is how much of a pace may be used at once.
	aheadOfPace = time.Second
	chunks      = 600 // of a minute's quota, in which it is reserved at least
	mostOfChunk = 100
)

// reserve takes n pushes out of the quota of a push service, which all nodes share, or nothing: then later is when to
// try again. Of push services other than FCM a run may have few devices each, so the node reserves more than it needs.
func (d *Dispatcher) reserve(ctx context.Context, service string, n int) (later time.Duration, err error) {
	if service == core.ServiceFCM {
		return reserve(ctx, d.DB, service, n, d.Quota)
	}
	granted := d.services.grant(service, n)
	missing := n - granted
	if missing == 0 {
		return 0, nil
	}
	chunk := max(missing, min(d.WebPushQuota/chunks, mostOfChunk))
	if later, err = reserve(ctx, d.DB, service, chunk, d.WebPushQuota); err != nil || later > 0 {
		d.services.giveBack(service, granted)
		return later, err
	}
	d.services.giveBack(service, chunk-missing)
	return 0, nil
}

// reserve takes the next n pushes out of the quota of a push service. When it is used up, or the push service is
// paused, reserve takes nothing, and later is when to try again.
func reserve(ctx context.Context, db bun.IDB, service string, n, perMinute int) (later time.Duration, err error) {
	takes := time.Duration(n) * time.Minute / time.Duration(perMinute)
	_, inTime, err := postgres.Reserve(ctx, db, pacerName(service), takes, aheadOfPace)
	if err != nil || inTime {
		return 0, err
	}
	return postgres.UntilReservable(ctx, db, pacerName(service), aheadOfPace)
}

// Paused implements core.Pacer.
func (d *Dispatcher) Paused(ctx context.Context, service string) (time.Duration, string, error) {
	return postgres.Paused(ctx, d.DB, pacerName(service))
}

// pauseService pauses the push service of a part, if a result leads to that.
func (d *Dispatcher) pauseService(ctx context.Context, p *part) error {
	if p.pause == 0 {
		return nil
	}
	now := time.Now()
	d.services.pause(p.service, now.Add(p.pause), now)
	d.Metrics.Paused(p.cause)
	details := []any{"service", p.service, "for", p.pause, "cause", p.cause, "error", p.err}
	if p.cause == core.CauseCredentials {
		details = append(details, "check", whatToCheck(p.service))
	}
	d.Log.ErrorContext(ctx, "push is paused; nothing is discarded", details...)
	return postgres.Pause(context.WithoutCancel(ctx), d.DB, pacerName(p.service), p.pause, p.cause)
}

// whatToCheck returns what may be wrong when a push service refuses to know this server.
func whatToCheck(service string) string {
	if service == core.ServiceFCM {
		return "whether the service account exists and belongs to FIREBASE_PROJECT_ID"
	}
	return "the clock of this server, and whether the database has the web_push_key that browsers subscribed with"
}

// resume ends the pause of a push service that has accepted a push.
func (d *Dispatcher) resume(ctx context.Context, service string) {
	d.Log.InfoContext(ctx, "push goes on, because a push was accepted", "service", service)
	if err := postgres.Resume(context.WithoutCancel(ctx), d.DB, pacerName(service)); err != nil {
		d.warn(ctx, "ending a pause failed; it ends by itself", err)
	}
}

// knowPauses reads the pauses that other nodes began or ended, if there are any.
func (d *Dispatcher) knowPauses(ctx context.Context, some bool) {
	if !some {
		d.services.know(nil, time.Now())
		return
	}
	pauses, err := postgres.Pauses(ctx, d.DB, manyServices)
	if err != nil {
		d.warn(ctx, "reading the pauses failed; trying again soon", err)
		return
	}
	left := make(map[string]time.Duration, len(pauses))
	for name, d := range pauses {
		left[strings.TrimPrefix(name, "push:")] = d
	}
	d.services.know(left, time.Now())
}
