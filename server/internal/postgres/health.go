package postgres

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"github.com/sininho/sininho/server/internal/core"
)

type nodeSampleRow struct {
	bun.BaseModel `bun:"table:node_samples"`

	At        time.Time   `bun:"at,pk"`
	Node      string      `bun:"node,pk"`
	Streams   int64       `bun:"streams"`
	Published int64       `bun:"published"`
	Accepted  int64       `bun:"accepted"`
	Failed    core.Causes `bun:"failed,type:jsonb,nullzero"`
	Expired   core.Causes `bun:"expired,type:jsonb,nullzero"`
	Retried   core.Causes `bun:"retried,type:jsonb,nullzero"`
	Requests  int64       `bun:"requests"`
	Errors    int64       `bun:"errors"`
}

// AddNodeSample implements core.HealthStore.
func (s *Store) AddNodeSample(ctx context.Context, in core.NodeSample) error {
	_, err := s.db.NewInsert().Model(&nodeSampleRow{
		At: in.At, Node: in.Node, Streams: int64(in.Streams), Published: in.Published, Accepted: in.Accepted,
		Failed: in.Failed, Expired: in.Expired, Retried: in.Retried, Requests: in.Requests, Errors: in.Errors,
	}).Exec(ctx)
	return Error(err)
}

// waiting counts what is not sent yet: turns, searches for devices, and events. It is raw, because it counts them
// together.
const waiting = `
	select j.jobs, j.oldest_seconds, e.events
	from (
		select count(*) as jobs,
			coalesce(extract(epoch from clock_timestamp() - min(v.since)), 0)::float8 as oldest_seconds
		from (
			select created_at as since from turns where queue <> 'find'
			union all select started_at from dispatches where expanded_at is null) v) j
	cross join (select count(*) as events from event_deliveries where status = 'pending') e`

// SampleQueue implements core.HealthStore. It counts only if the minute has no sample yet.
func (s *Store) SampleQueue(ctx context.Context, now time.Time) error {
	minute := now.Truncate(time.Minute)
	_, err := s.db.NewRaw(`
		insert into queue_samples (at, jobs, oldest_seconds, events)
		select ?, w.* from (select where not exists (select from queue_samples where at = ?)) v
		cross join lateral (`+waiting+`) w
		on conflict do nothing`, minute, minute).Exec(ctx)
	return Error(err)
}

// queueRow is a sample, or the highest values of a part.
type queueRow struct {
	At            time.Time `bun:"at"`
	Jobs          int64     `bun:"jobs"`
	OldestSeconds float64   `bun:"oldest_seconds"`
	Events        int64     `bun:"events"`
}

func (r queueRow) sample() core.QueueSample {
	oldest := time.Duration(max(0, r.OldestSeconds) * float64(time.Second))
	return core.QueueSample{Jobs: r.Jobs, Oldest: oldest, Events: r.Events}
}

// Health implements core.HealthStore.
func (s *Store) Health(ctx context.Context, p core.HealthPeriod, node string) (core.Health, error) {
	h := core.Health{HealthPeriod: p}
	err := s.db.page(ctx, func(ctx context.Context, db *DB) (err error) {
		var now queueRow
		if err := db.NewRaw(waiting).Scan(ctx, &now); err != nil {
			return err
		}
		h.Queue = now.sample()
		if h.Totals, err = healthTotals(ctx, db, p.Until); err != nil {
			return err
		}
		if h.Nodes, err = nodesHealth(ctx, db, p); err != nil {
			return err
		}
		h.Parts, err = healthParts(ctx, db, p, node)
		return err
	})
	return h, Error(err)
}

func nodesHealth(ctx context.Context, db bun.IDB, p core.HealthPeriod) ([]core.NodeHealth, error) {
	var nodes []core.NodeHealth
	err := db.NewSelect().Table("node_samples").ColumnExpr("node, max(at) as seen_at").
		ColumnExpr("(array_agg(streams order by at desc))[1] as streams").
		ColumnExpr("sum(requests)::bigint as requests, sum(errors)::bigint as errors").
		Where("at >= ?", p.From).Group("node").Order("node").Scan(ctx, &nodes)
	for i := range nodes {
		nodes[i].SeenAt = nodes[i].SeenAt.UTC()
	}
	return nodes, err
}

// healthParts reads the parts of a period. Those without a sample are missing.
func healthParts(ctx context.Context, db bun.IDB, p core.HealthPeriod, node string) ([]core.HealthPart, error) {
	parts := partsOf{period: p, at: map[time.Time]*core.HealthPart{}}
	for _, read := range []func(context.Context, bun.IDB, string) error{
		parts.readQueue, parts.readCounts, parts.readCauses,
	} {
		if err := read(ctx, db, node); err != nil {
			return nil, err
		}
	}
	return parts.inOrder(), nil
}

// partsOf collects the parts of a period.
type partsOf struct {
	period core.HealthPeriod
	at     map[time.Time]*core.HealthPart
}

// part returns the part that begins at a time.
func (p partsOf) part(at time.Time) *core.HealthPart {
	at = at.UTC()
	if p.at[at] == nil {
		p.at[at] = &core.HealthPart{At: at}
	}
	return p.at[at]
}

// inOrder returns the parts, the oldest first.
func (p partsOf) inOrder() (all []core.HealthPart) {
	for at := p.period.From.UTC(); !at.After(p.period.Until); at = at.Add(p.period.Part) {
		if part := p.at[at]; part != nil {
			all = append(all, *part)
		}
	}
	return all
}

// beginsAt is the beginning of the part that a sample is in.
const beginsAt = "to_timestamp(floor(extract(epoch from at) / ?0) * ?0)"

func (p partsOf) readQueue(ctx context.Context, db bun.IDB, _ string) error {
	var rows []queueRow
	err := db.NewSelect().Table("queue_samples").ColumnExpr(beginsAt+" as at", p.period.Part.Seconds()).
		ColumnExpr("max(jobs) as jobs, max(oldest_seconds) as oldest_seconds, max(events) as events").
		Where("queue_samples.at >= ?", p.period.From).GroupExpr("1").Scan(ctx, &rows)
	for _, r := range rows {
		p.part(r.At).QueueSample = r.sample()
	}
	return err
}

// readCounts adds up all nodes. A node that was restarted has two samples in a minute, but had its streams once.
func (p partsOf) readCounts(ctx context.Context, db bun.IDB, node string) error {
	var rows []nodeSampleRow
	minutes := p.samples(db, node).ColumnExpr("date_trunc('minute', at) as minute, max(streams) as streams").
		ColumnExpr("sum(published) as published, sum(accepted) as accepted").
		ColumnExpr("sum(requests) as requests, sum(errors) as errors").Group("minute", "node")
	totals := db.NewSelect().TableExpr("(?) m", minutes).ColumnExpr("minute as at, sum(streams) as streams").
		ColumnExpr("sum(published) as published, sum(accepted) as accepted").
		ColumnExpr("sum(requests) as requests, sum(errors) as errors").Group("minute")
	err := db.NewSelect().TableExpr("(?) t", totals).ColumnExpr(beginsAt+" as at", p.period.Part.Seconds()).
		ColumnExpr("max(streams)::bigint as streams, sum(published)::bigint as published").
		ColumnExpr("sum(accepted)::bigint as accepted, sum(requests)::bigint as requests").
		ColumnExpr("sum(errors)::bigint as errors").GroupExpr("1").Scan(ctx, &rows)
	for _, r := range rows {
		part := p.part(r.At)
		part.Streams = r.Streams
		part.NodeCounts = core.NodeCounts{
			Published: r.Published, Accepted: r.Accepted, Requests: r.Requests, Errors: r.Errors}
	}
	return err
}

// readCauses adds the pushes that were not accepted.
func (p partsOf) readCauses(ctx context.Context, db bun.IDB, node string) error {
	var rows []partRow
	err := p.samples(db, node).ColumnExpr(beginsAt+" as at", p.period.Part.Seconds()).
		ColumnExpr("w.what, c.key as cause, sum(c.value::bigint)::bigint as n").
		Join("cross join lateral (values ('failed', failed), ('expired', expired), ('retried', retried)) "+
			"w (what, causes)").
		Join("cross join lateral jsonb_each_text(w.causes) c").GroupExpr("1, 2, 3").Scan(ctx, &rows)
	for _, r := range rows {
		part := p.part(r.At)
		causes := map[string]*core.Causes{"failed": &part.Failed, "expired": &part.Expired, "retried": &part.Retried}
		if of := causes[r.What]; *of == nil {
			*of = core.Causes{r.Cause: r.N}
		} else {
			(*of)[r.Cause] = r.N
		}
	}
	return err
}

// samples selects the samples of the period, of one node unless node is empty.
func (p partsOf) samples(db bun.IDB, node string) *bun.SelectQuery {
	q := db.NewSelect().Table("node_samples").Where("node_samples.at >= ?", p.period.From)
	if node != "" {
		q = q.Where("node = ?", node)
	}
	return q
}
