package postgres

import (
	"context"

	"github.com/sininho/sininho/server/internal/core"
)

// summaryRow is the number of devices with one outcome and cause, and the counts of the notification.
type summaryRow struct {
	Targeted  int64        `bun:"targeted"`
	Found     bool         `bun:"found"`
	Displayed int64        `bun:"displayed"`
	Opened    int64        `bun:"opened"`
	Outcome   core.Outcome `bun:"outcome"`
	Cause     string       `bun:"cause"`
	Devices   int64        `bun:"devices"`

	ActorKind core.ActorKind `bun:"actor_kind,nullzero"`
	ActorID   core.ID        `bun:"actor_id,nullzero"`
	TokenID   core.ID        `bun:"token_id,nullzero"`
	ActorName string         `bun:"actor_name"`
}

// keptCounts selects the counts of a finished dispatch x by outcome and cause.
const keptCounts = `
	select 'accepted' as outcome, '' as cause, x.accepted as devices where x.finished_at is not null and x.accepted > 0
	union all
	select o.outcome, c.key, c.value::bigint
	from (values ('suppressed', x.suppressed), ('failed', x.failed), ('expired', x.expired)) o (outcome, causes)
	cross join lateral jsonb_each_text(o.causes) c`

// DeliverySummary implements core.DeliverySummaryStore in one statement, so that all counts are of one moment. It has a
// row for each outcome and cause, or one row without. A finished dispatch is read from its kept counts.
func (s *Store) DeliverySummary(
	ctx context.Context, channelID, notificationID core.ID,
) (sum core.DeliverySummary, err error) {
	var rows []summaryRow
	// Raw, because it joins the counts of several tables.
	err = s.db.NewRaw(`
		select coalesce(x.targeted, 0) as targeted,
			x.expanded_at is not null or x.notification_id is null
				and (n.published_at is not null or n.withdrawn_at is not null) as found, r.opened,
			coalesce((select people from displayed_counts(array[n.id])), 0) as displayed,
			coalesce(v.outcome, '') as outcome, coalesce(v.cause, '') as cause, coalesce(v.devices, 0) as devices,
			n.actor_kind, n.actor_id, n.token_id, coalesce(s.name, k.name, w.name, '') as actor_name
		from notifications n
		left join subscribers s on s.id = n.actor_id
		left join api_keys k on k.id = n.actor_id
		left join webhooks w on w.id = n.actor_id
		left join dispatches x on x.notification_id = n.id
		cross join lateral (
			select count(opened_at) as opened from receipts where notification_id = n.id) r
		left join lateral (
			select outcome, cause, count(*) as devices from deliveries
			where notification_id = n.id and x.finished_at is null group by outcome, cause
			union all`+keptCounts+`) v on true
		where n.id = ? and n.channel_id = ?`, notificationID, channelID).Scan(ctx, &rows)
	if err != nil {
		return sum, Error(err)
	}
	if len(rows) == 0 {
		return sum, core.NotFound()
	}
	sum.Targeted = rows[0].Targeted
	sum.Displayed, sum.Opened = rows[0].Displayed, rows[0].Opened
	sum.PublishedBy = core.Actor{Kind: rows[0].ActorKind, ID: rows[0].ActorID, TokenID: rows[0].TokenID,
		Name: rows[0].ActorName}
	for _, r := range rows {
		sum.Count(r.Outcome, r.Cause, r.Devices)
	}
	sum.Close(rows[0].Found)
	return sum, nil
}
