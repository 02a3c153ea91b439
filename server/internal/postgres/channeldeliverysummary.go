package postgres

import (
	"context"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

// partRow is one count of a part of the period. What names it: an outcome or another field of the part.
type partRow struct {
	At    time.Time `bun:"at"`
	What  string    `bun:"what"`
	Cause string    `bun:"cause"`
	N     int64     `bun:"n"`
}

// ChannelDeliverySummary implements core.DeliverySummaryStore in one statement, so that all counts are of one moment.
// It adds the kept counts of finished dispatches, and counts deliveries only for the others.
func (s *Store) ChannelDeliverySummary(ctx context.Context, channelID core.ID,
	t core.SummaryPeriod) ([]core.DeliverySummaryPart, error) {
	var rows []partRow
	err := s.tx(ctx, func(ctx context.Context, tx Tx) error {
		return tx.NewRaw(channelDeliverySummary, string(t.Interval), channelID, t.From, t.Until).Scan(ctx, &rows)
	})
	if err != nil {
		return nil, err
	}
	return deliverySummaryParts(rows), nil
}

// deliverySummaryParts groups rows, which are in the order of time.
func deliverySummaryParts(rows []partRow) (parts []core.DeliverySummaryPart) {
	for _, r := range rows {
		if n := len(parts); n == 0 || !parts[n-1].At.Equal(r.At) {
			parts = append(parts, core.DeliverySummaryPart{At: r.At.UTC()})
		}
		r.addTo(&parts[len(parts)-1])
	}
	for i := range parts {
		parts[i].Close(false)
	}
	return parts
}

func (r partRow) addTo(p *core.DeliverySummaryPart) {
	switch r.What {
	case "notifications":
		p.Notifications = r.N
	case "targeted":
		p.Targeted = r.N
	case "displayed":
		p.Displayed = r.N
	case "opened":
		p.Opened = r.N
	default:
		p.Count(core.Outcome(r.What), r.Cause, r.N)
	}
}

// channelDeliverySummary is raw, because it adds counts of several tables. One index has the visible notifications of a
// period, and another those that are not.
const channelDeliverySummary = `
	with published as materialized (
		select n.id as notification_id, date_trunc(?0, n.published_at) as at, coalesce(x.targeted, 0) as targeted,
			x.finished_at, coalesce(x.accepted, 0) as accepted, x.suppressed, x.failed, x.expired
		from (
			select id, published_at from notifications
			where channel_id = ?1 and visible and published_at >= ?2 and published_at < ?3
			union all
			select id, published_at from notifications
			where channel_id = ?1 and not visible and ordinal is not null and published_at >= ?2 and published_at < ?3
		) n left join dispatches x on x.notification_id = n.id
	)
	select at, what, '' as cause, n from (
		select at, count(*) as notifications, sum(targeted)::bigint as targeted, sum(accepted)::bigint as accepted
		from published group by at) s
	cross join lateral (
		values ('notifications', s.notifications), ('targeted', s.targeted), ('accepted', s.accepted)) v (what, n)
	union all
	select x.at, v.outcome, v.cause, sum(v.devices)::bigint from published x cross join lateral (
		select o.outcome, c.key as cause, c.value::bigint as devices
		from (values ('suppressed', x.suppressed), ('failed', x.failed), ('expired', x.expired)) o (outcome, causes)
		cross join lateral jsonb_each_text(o.causes) c) v
	where coalesce(x.suppressed, x.failed, x.expired) is not null group by x.at, v.outcome, v.cause
	union all
	select x.at, v.outcome, coalesce(v.cause, ''), count(*) from published x join deliveries v using (notification_id)
	where x.finished_at is null group by x.at, v.outcome, v.cause
	union all
	select t.at, 'opened', '', count(r.opened_at)
	from published t join receipts r using (notification_id) group by t.at
	union all
	select t.at, 'displayed', '', sum(d.people)::bigint
	from displayed_counts(array(select notification_id from published)) d
	join published t using (notification_id) group by t.at
	order by at`
