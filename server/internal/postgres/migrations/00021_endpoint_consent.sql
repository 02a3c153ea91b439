-- +goose Up

-- GitHub and Sentry sign the body alone, so anyone who has seen an event could send it again under another id. A body that
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

-- An endpoint gets events once the owner of its address has agreed. Those that have accepted an event keep getting
-- them. The address is stored, so that another one, also if a server of an earlier version sets it, is not confirmed.
alter table event_endpoints
    add column confirmed_url text,          -- the address whose owner agreed last
    add column confirmed_at timestamptz,
    add column challenge_hash bytea,        -- of the latest challenge and its address
    add column challenged_at timestamptz;
update event_endpoints e set confirmed_url = url, confirmed_at = (
    select d.delivered_at from event_deliveries d where d.endpoint_id = e.id and d.status = 'delivered'
    order by d.created_at desc limit 1);
update event_endpoints set confirmed_url = null where confirmed_at is null;

-- An endpoint that fails is left alone for a growing pause, instead of each event by itself.
alter table event_endpoints
    add column failures integer not null default 0, -- in a row
    add column paused_until timestamptz;            -- nothing is posted before
create index event_deliveries_order_idx on event_deliveries (endpoint_id, id) where status = 'pending';

-- +goose Down
drop index event_deliveries_order_idx;
alter table event_endpoints drop column failures, drop column paused_until;
alter table event_endpoints drop column confirmed_url, drop column confirmed_at, drop column challenge_hash, drop column challenged_at;
drop index webhook_events_body_key;
alter table webhook_events drop column body_hash;
