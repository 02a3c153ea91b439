package delivery

import (
	"context"
	"database/sql"
	"errors"
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
// paused, reserve takes nothing, and later is when to try again. Times are the database's, so that the clocks of nodes
// need not agree.
func reserve(ctx context.Context, db bun.IDB, service string, n, perMinute int) (later time.Duration, err error) {
	takes := time.Duration(n) * time.Minute / time.Duration(perMinute)
	var seconds float64
	// Raw, because it gives the row values of the database's clock.
	err = db.NewRaw(`
		insert into pacers as p (name, next_at) values (?0, clock_timestamp() + ?1 * interval '1 microsecond')
		on conflict (name) do update
		set next_at = greatest(p.next_at, clock_timestamp()) + ?1 * interval '1 microsecond'
		where (p.paused_until is null or p.paused_until <= clock_timestamp())
			and p.next_at <= clock_timestamp() + ?2 * interval '1 microsecond'
		returning 0::float8`, pacerName(service), takes.Microseconds(), aheadOfPace.Microseconds()).Scan(ctx, &seconds)
	if errors.Is(err, sql.ErrNoRows) {
		return closedFor(ctx, db, service)
	}
	return 0, postgres.Error(err)
}

// closedFor returns how long to wait until there is something to reserve again.
func closedFor(ctx context.Context, db bun.IDB, service string) (time.Duration, error) {
	var seconds float64
	err := db.NewSelect().Table("pacers").
		ColumnExpr("extract(epoch from greatest(paused_until, next_at - ? * interval '1 microsecond') - "+
			"clock_timestamp())",
			aheadOfPace.Microseconds()).
		Where("name = ?", pacerName(service)).Scan(ctx, &seconds)
	if errors.Is(err, sql.ErrNoRows) { // pruned meanwhile
		err = nil
	}
	return max(10*time.Millisecond, inSeconds(seconds)), postgres.Error(err)
}

// pause keeps every node from sending to a push service for that long.
func pause(ctx context.Context, db bun.IDB, service string, d time.Duration, cause string) error {
	// Raw, because it gives the row values of the database's clock.
	_, err := db.NewRaw(`
		insert into pacers as p (name, paused_until, pause_cause)
		values (?0, clock_timestamp() + ?1 * interval '1 microsecond', ?2)
		on conflict (name) do update
		set paused_until = greatest(p.paused_until, excluded.paused_until), pause_cause = excluded.pause_cause`,
		pacerName(service), d.Microseconds(), cause).Exec(ctx)
	return postgres.Error(err)
}

// paused returns for how long and why nothing may be sent to a push service; zero when it may.
func paused(ctx context.Context, db bun.IDB, service string) (d time.Duration, cause string, err error) {
	var seconds float64
	err = db.NewSelect().Table("pacers").
		ColumnExpr("coalesce(greatest(extract(epoch from paused_until - clock_timestamp()), 0), 0)").
		ColumnExpr("coalesce(pause_cause, '')").Where("name = ?", pacerName(service)).Scan(ctx, &seconds, &cause)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, "", nil
	}
	return inSeconds(seconds), cause, postgres.Error(err)
}

// Paused implements core.Pacer.
func (d *Dispatcher) Paused(ctx context.Context, service string) (time.Duration, string, error) {
	return paused(ctx, d.DB, service)
}

// pause pauses the push service of a part, if a result leads to that.
func (d *Dispatcher) pause(ctx context.Context, p *part) error {
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
	return pause(context.WithoutCancel(ctx), d.DB, p.service, p.pause, p.cause)
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
	_, err := d.DB.NewUpdate().Table("pacers").Set("paused_until = null").Set("pause_cause = null").
		Where("name = ?", pacerName(service)).Exec(context.WithoutCancel(ctx))
	if err != nil {
		d.warn(ctx, "ending a pause failed; it ends by itself", err)
	}
}

// knowPauses reads the pauses that other nodes began or ended.
func (d *Dispatcher) knowPauses(ctx context.Context) {
	var rows []struct {
		Name    string  `bun:"name"`
		Seconds float64 `bun:"seconds"`
	}
	err := d.DB.NewSelect().Table("pacers").Column("name").
		ColumnExpr("extract(epoch from paused_until - clock_timestamp())::float8 as seconds").
		Where("paused_until > clock_timestamp()").Limit(manyServices).Scan(ctx, &rows)
	if err != nil {
		d.warn(ctx, "reading the pauses failed; trying again in a second", err)
		return
	}
	left := make(map[string]time.Duration, len(rows))
	for _, r := range rows {
		left[strings.TrimPrefix(r.Name, "push:")] = inSeconds(r.Seconds)
	}
	d.services.know(left, time.Now())
}

func inSeconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
