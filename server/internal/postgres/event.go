package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/uptrace/bun"

	"github.com/sininho/sininho/server/internal/core"
)

// listener is an event endpoint that wants to be told of a notification.
type listener struct {
	endpointID core.ID
	wants      map[core.EventType]bool
	subject    core.EventSubject
	targeted   int64
}

// listeners finds the endpoints in service that want one of the types, for each of the notifications.
func listeners(ctx context.Context, tx pgx.Tx, notifications []core.ID, types ...core.EventType) ([]listener, error) {
	if len(notifications) == 0 {
		return nil, nil
	}
	wanted := make([]string, len(types))
	for i, t := range types {
		wanted[i] = string(t)
	}
	rows, err := tx.Query(ctx, `
		select e.id, e.events, p.slug, c.slug, n.id, coalesce(n.external_id, ''), x.targeted
		from dispatches x
		join event_endpoints e on e.publisher_id = x.publisher_id and e.enabled and e.events && $2::text[]
		join notifications n on n.id = x.notification_id
		join channels c on c.id = n.channel_id
		join publishers p on p.id = c.publisher_id
		where x.notification_id = any($1::uuid[])`, idTexts(notifications), wanted)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (l listener, err error) {
		var events []core.EventType
		err = row.Scan(&l.endpointID, &events, &l.subject.Publisher, &l.subject.Channel, &l.subject.NotificationID, &l.subject.ExternalID, &l.targeted)
		if err != nil {
			return l, err
		}
		l.wants = map[core.EventType]bool{}
		for _, e := range events {
			l.wants[e] = true
		}
		return l, nil
	})
}

// tell adds to the deliveries those of the events that the endpoint wants.
func (l listener) tell(told []core.EventDelivery, events ...core.Event) []core.EventDelivery {
	for _, e := range events {
		if l.wants[e.Type] {
			told = append(told, core.NewEventDelivery(l.endpointID, l.subject.NotificationID, e))
		}
	}
	return told
}

// tellDispatched tells that all devices of the notifications have been found.
func tellDispatched(ctx context.Context, tx pgx.Tx, notifications []core.ID, now time.Time) error {
	listeners, err := listeners(ctx, tx, notifications, core.EventDispatched)
	if err != nil {
		return err
	}
	var told []core.EventDelivery
	for _, l := range listeners {
		told = l.tell(told, l.subject.Dispatched(l.targeted, now))
	}
	return insertEventDeliveries(ctx, tx, told)
}

func insertEventDeliveries(ctx context.Context, tx pgx.Tx, told []core.EventDelivery) error {
	if len(told) == 0 {
		return nil
	}
	var ids, endpoints, subjects, types, payloads []string
	var at []time.Time
	for _, d := range told {
		ids, endpoints, subjects = append(ids, d.ID.String()), append(endpoints, d.EndpointID.String()), append(subjects, d.Subject.String())
		types, payloads, at = append(types, string(d.Type)), append(payloads, d.Payload), append(at, d.CreatedAt)
	}
	_, err := tx.Exec(ctx, `
		insert into event_deliveries (id, endpoint_id, subject, type, payload, status, next_attempt_at, created_at)
		select v.id, v.endpoint, v.subject, v.type, v.payload, 'pending', v.at, v.at
		from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::timestamptz[]) v (id, endpoint, subject, type, payload, at)
		join event_endpoints e on e.id = v.endpoint`, ids, endpoints, subjects, types, payloads, at)
	return err
}

// tellLock is the advisory lock of the node that tells numbers of subscribers.
const tellLock = 0x51_4e_54_45_4c_4c

// tellEvery is how long a channel's number of subscribers is not told again.
const tellEvery = time.Minute

// knowSubscribers has an event endpoint that begins to want them know the numbers of subscribers as they are.
func knowSubscribers(ctx context.Context, tx bun.Tx, endpointID core.ID) error {
	_, err := tx.NewRaw(`
		insert into told_subscribers (endpoint_id, channel_id, subscribers, told_at)
		select e.id, c.id, coalesce(sum(k.subscribers), 0), '-infinity' from event_endpoints e
		join channels c on c.publisher_id = e.publisher_id left join channel_counts k on k.channel_id = c.id
		where e.id = ? group by e.id, c.id
		on conflict (endpoint_id, channel_id) do update set subscribers = excluded.subscribers, told_at = excluded.told_at`, endpointID).Exec(ctx)
	return err
}

// TellSubscribers tells the event endpoints that want it how many subscribers their publisher's channels have, where that
// is another number than was told last. It answers how many events that makes.
func (s *Store) TellSubscribers(ctx context.Context, now time.Time) (events int, err error) {
	err = pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		var mine bool
		if err := tx.QueryRow(ctx, "select pg_try_advisory_xact_lock($1)", int64(tellLock)).Scan(&mine); err != nil || !mine {
			return err
		}
		told, err := changedSubscribers(ctx, tx, now)
		if err != nil || len(told) == 0 {
			return err
		}
		events = len(told)
		return insertEventDeliveries(ctx, tx, told)
	})
	return events, mapError(err)
}

// changedSubscribers keeps the numbers that are told now.
func changedSubscribers(ctx context.Context, tx pgx.Tx, now time.Time) ([]core.EventDelivery, error) {
	rows, err := tx.Query(ctx, `
		with told as (
			insert into told_subscribers as t (endpoint_id, channel_id, subscribers, told_at)
			select e.id, c.id, k.subscribers, $1 from event_endpoints e
			join channels c on c.publisher_id = e.publisher_id
			cross join lateral (select coalesce(sum(subscribers), 0)::bigint as subscribers from channel_counts where channel_id = c.id) k
			left join told_subscribers o on o.endpoint_id = e.id and o.channel_id = c.id
			where e.enabled and $2 = any (e.events) and k.subscribers <> coalesce(o.subscribers, 0) and (o.told_at is null or o.told_at <= $3)
			on conflict (endpoint_id, channel_id) do update set subscribers = excluded.subscribers, told_at = excluded.told_at
			returning endpoint_id, channel_id, subscribers
		)
		select t.endpoint_id, c.id, p.slug, c.slug, t.subscribers from told t
		join channels c on c.id = t.channel_id
		join publishers p on p.id = c.publisher_id`, now, core.EventSubscribers, now.Add(-tellEvery))
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (d core.EventDelivery, err error) {
		var endpointID, channelID core.ID
		var publisher, channel string
		var subscribers int64
		if err = row.Scan(&endpointID, &channelID, &publisher, &channel, &subscribers); err != nil {
			return d, err
		}
		event := core.NewSubscribersEvent(publisher, channel, subscribers, now)
		return core.NewEventDelivery(endpointID, channelID, event), nil
	})
}
