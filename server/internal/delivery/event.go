package delivery

import (
	"context"
	"slices"
	"time"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/pgdialect"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/postgres"
)

// listener is an event endpoint that wants events about a notification.
type listener struct {
	EndpointID     core.ID          `bun:"endpoint_id"`
	Events         []core.EventType `bun:"events,array"`
	PublisherSlug  string           `bun:"publisher_slug"`
	ChannelSlug    string           `bun:"channel_slug"`
	NotificationID core.ID          `bun:"notification_id"`
	ExternalID     string           `bun:"external_id"`
	Targeted       int64            `bun:"targeted"`
}

func (l listener) subject() core.EventSubject {
	return core.EventSubject{Publisher: l.PublisherSlug, Channel: l.ChannelSlug, NotificationID: l.NotificationID,
		ExternalID: l.ExternalID}
}

// listens is true of the endpoints that events are stored for. While a new address is not confirmed, they wait for it.
const listens = "e.enabled and e.confirmed_url is not null"

// findListeners finds the endpoints that want one of the types, for each of the notifications.
func findListeners(
	ctx context.Context, tx bun.IDB, notifications []core.ID, types ...core.EventType,
) (found []listener, err error) {
	if len(notifications) == 0 {
		return nil, nil
	}
	err = tx.NewSelect().TableExpr("dispatches as x").
		ColumnExpr("e.id as endpoint_id, e.events, p.slug as publisher_slug, c.slug as channel_slug").
		ColumnExpr("n.id as notification_id, coalesce(n.external_id, '') as external_id, x.targeted").
		Join("join event_endpoints e on e.publisher_id = x.publisher_id and e.events && ?::text[] and "+listens,
			pgdialect.Array(types)).
		Join("join notifications n on n.id = x.notification_id").
		Join("join channels c on c.id = n.channel_id").
		Join("join publishers p on p.id = c.publisher_id").
		Where("x.notification_id = any(?::uuid[])", pgdialect.Array(notifications)).Scan(ctx, &found)
	return found, err
}

// appendWanted appends deliveries of those of the events that the endpoint wants.
func (l listener) appendWanted(deliveries []core.EventDelivery, events ...core.Event) []core.EventDelivery {
	for _, e := range events {
		if slices.Contains(l.Events, e.Type) {
			deliveries = append(deliveries, core.NewEventDelivery(l.EndpointID, l.NotificationID, e))
		}
	}
	return deliveries
}

// storeDispatchedEvents stores the events that all devices of the notifications have been found.
func storeDispatchedEvents(ctx context.Context, tx bun.IDB, notifications []core.ID, now time.Time) error {
	listeners, err := findListeners(ctx, tx, notifications, core.EventDispatched)
	if err != nil {
		return err
	}
	var events []core.EventDelivery
	for _, l := range listeners {
		events = l.appendWanted(events, l.subject().Dispatched(l.Targeted, now))
	}
	return insertEventDeliveries(ctx, tx, events)
}

// insertEventDeliveries leaves out endpoints that were deleted in the meantime.
func insertEventDeliveries(ctx context.Context, tx bun.IDB, deliveries []core.EventDelivery) error {
	if len(deliveries) == 0 {
		return nil
	}
	var ids, endpoints, subjects []core.ID
	var types, payloads []string
	var at []time.Time
	for _, d := range deliveries {
		ids = append(ids, d.ID)
		endpoints = append(endpoints, d.EndpointID)
		subjects = append(subjects, d.Subject)
		types = append(types, string(d.Type))
		payloads = append(payloads, d.Payload)
		at = append(at, d.CreatedAt)
	}
	// Raw, because it inserts columns with unnest.
	_, err := tx.NewRaw(`
		insert into event_deliveries (id, endpoint_id, subject, type, payload, status, next_attempt_at, created_at)
		select v.id, v.endpoint, v.subject, v.type, v.payload, 'pending', v.at, v.at
		from unnest(?::uuid[], ?::uuid[], ?::uuid[], ?::text[], ?::text[], ?::timestamptz[])
			v (id, endpoint, subject, type, payload, at)
		join event_endpoints e on e.id = v.endpoint`,
		pgdialect.Array(ids), pgdialect.Array(endpoints), pgdialect.Array(subjects),
		pgdialect.Array(types), pgdialect.Array(payloads), pgdialect.Array(at)).Exec(ctx)
	return err
}

const (
	subscribersLock  = 0x53_4e_53_55_42_53 // of the node that reports numbers of subscribers: SNSUBS in ASCII
	subscribersEvery = 5 * time.Second     // reads the counts of all channels whose publishers want to know
	subscribersPause = time.Minute         // between two reports about one channel
)

// NotifySubscribers stores an event for each endpoint that wants it and each channel whose number of subscribers
// differs from the one reported last. It returns the number of events.
func NotifySubscribers(ctx context.Context, db *postgres.DB, now time.Time) (events int, err error) {
	err = db.InTx(ctx, func(ctx context.Context, tx postgres.Tx) error {
		var locked bool
		err := tx.NewSelect().ColumnExpr("pg_try_advisory_xact_lock(?)", int64(subscribersLock)).Scan(ctx, &locked)
		if err != nil || !locked {
			return err
		}
		changed, err := changedSubscribers(ctx, tx, now)
		if err != nil {
			return err
		}
		events = len(changed)
		return insertEventDeliveries(ctx, tx, changed)
	})
	return events, err
}

func (d *Dispatcher) notifySubscribers(ctx context.Context) {
	if _, err := NotifySubscribers(ctx, d.DB, d.Now()); err != nil {
		d.warn(ctx, "reporting numbers of subscribers failed; trying again soon", err)
	}
}

// changedSubscribers stores the numbers that are reported now and returns the events about them.
func changedSubscribers(ctx context.Context, tx bun.IDB, now time.Time) ([]core.EventDelivery, error) {
	var rows []struct {
		EndpointID    core.ID `bun:"endpoint_id"`
		ChannelID     core.ID `bun:"channel_id"`
		PublisherSlug string  `bun:"publisher_slug"`
		ChannelSlug   string  `bun:"channel_slug"`
		Subscribers   int64   `bun:"subscribers"`
	}
	// Raw, because the rows it returns are those that it stores.
	err := tx.NewRaw(`
		with changed as (
			insert into reported_subscribers as t (endpoint_id, channel_id, subscribers, reported_at)
			select e.id, c.id, k.subscribers, ? from event_endpoints e
			join channels c on c.publisher_id = e.publisher_id
			cross join lateral (
				select coalesce(sum(subscribers), 0)::bigint as subscribers
				from channel_counts where channel_id = c.id) k
			left join reported_subscribers o on o.endpoint_id = e.id and o.channel_id = c.id
			where `+listens+` and ? = any (e.events) and k.subscribers <> coalesce(o.subscribers, 0)
				and (o.reported_at is null or o.reported_at <= ?)
			on conflict (endpoint_id, channel_id)
				do update set subscribers = excluded.subscribers, reported_at = excluded.reported_at
			returning endpoint_id, channel_id, subscribers
		)
		select t.endpoint_id, c.id as channel_id, p.slug as publisher_slug, c.slug as channel_slug, t.subscribers
		from changed t
		join channels c on c.id = t.channel_id
		join publishers p on p.id = c.publisher_id`, now, core.EventSubscribers, now.Add(-subscribersPause)).
		Scan(ctx, &rows)
	if err != nil {
		return nil, err
	}
	out := make([]core.EventDelivery, len(rows))
	for i, r := range rows {
		event := core.NewSubscribersEvent(r.PublisherSlug, r.ChannelSlug, r.Subscribers, now)
		out[i] = core.NewEventDelivery(r.EndpointID, r.ChannelID, event)
	}
	return out, nil
}
