-- +goose Up

-- GitHub and Sentry sign the body alone, so whoever has seen an event could send it again under another id. A body that
-- was published is recognized as long as its event is kept.
alter table webhook_events add column body_hash bytea; -- of a body whose signature does not cover the event's id
update webhook_events e set body_hash = h.hash
from (
    select distinct on (e.webhook_id, hash) e.webhook_id, e.event_id, hash
    from webhook_events e join webhooks w on w.id = e.webhook_id and w.signing in ('github', 'sentry')
    cross join lateral sha256(convert_to(e.payload, 'UTF8')) hash
    where e.notification_id is not null and e.payload is not null
    order by e.webhook_id, hash, e.received_at desc
) h
where h.webhook_id = e.webhook_id and h.event_id = e.event_id;
create unique index webhook_events_body_key on webhook_events (webhook_id, body_hash)
    where body_hash is not null and notification_id is not null;

-- An endpoint that fails is left alone for a growing pause, instead of each event by itself.
alter table event_endpoints
    add column failures integer not null default 0, -- in a row
    add column paused_until timestamptz;            -- nothing is posted before
create index event_deliveries_order_idx on event_deliveries (endpoint_id, id) where status = 'pending';

-- +goose Down
drop index event_deliveries_order_idx;
alter table event_endpoints drop column failures, drop column paused_until;
drop index webhook_events_body_key;
alter table webhook_events drop column body_hash;
