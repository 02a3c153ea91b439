-- +goose Up

-- How many bytes a publisher stores, without the storage_changes that wait to be added.
create table publisher_storage (
    publisher_id uuid primary key references publishers on delete cascade,
    used         bigint not null default 0,
    quota        bigint -- set by an operator: 0 is none, null that of the installation
) with (fillfactor = 50);

-- What has been stored or deleted since. It is written instead of publisher_storage, so that nobody who stores
-- something waits for somebody who deletes much.
create table storage_changes (
    publisher_id uuid not null,
    bytes        bigint not null
);
create index storage_changes_publisher_idx on storage_changes (publisher_id);

-- A deleted channel is counted until it is purged.
alter table channels add column charged_to uuid;

-- The response to a repeated publish is counted as long as it is kept.
alter table idempotency_keys add column publisher_id uuid;

-- What is counted of a row: its texts, and about as much as a row costs with its indexes, and with what is kept of its
-- delivery.
create function notification_bytes(
    title text, body text, image text, icon text, link text, external_id text, data jsonb
) returns bigint language sql immutable parallel safe as $$
    select 1024::bigint + octet_length(title) + octet_length(body) + coalesce(octet_length(image), 0)
        + coalesce(octet_length(icon), 0) + coalesce(octet_length(link), 0) + coalesce(octet_length(external_id), 0)
        + coalesce(octet_length(data::text), 0)
$$;
create function response_bytes(answer text) returns bigint language sql immutable parallel safe as $$
    select 512::bigint + octet_length(answer)
$$;
create function channel_bytes(c channels) returns bigint language sql immutable parallel safe as $$
    select 1024::bigint + octet_length(c.name) + octet_length(c.description) + coalesce(octet_length(c.icon), 0)
$$;
create function webhook_bytes(w webhooks) returns bigint language sql immutable parallel safe as $$
    select 1024::bigint + octet_length(w.name) + coalesce(octet_length(w.template::text), 0)
$$;
create function webhook_event_bytes(event_id text, payload text, headers jsonb, detail text) returns bigint
    language sql immutable parallel safe as $$
    select 512::bigint + octet_length(event_id) + coalesce(octet_length(payload), 0)
        + coalesce(octet_length(headers::text), 0) + coalesce(octet_length(detail), 0)
$$;
-- With a kilobyte for its attempts.
create function event_delivery_bytes(payload text) returns bigint language sql immutable parallel safe as $$
    select 1536::bigint + octet_length(payload)
$$;

-- Notifications and responses are added by the statement that publishes.

-- +goose StatementBegin
create function charge_deleted_notifications() returns trigger language plpgsql as $$
begin
    insert into storage_changes (publisher_id, bytes)
    select coalesce(c.publisher_id, c.charged_to),
        -sum(notification_bytes(n.title, n.body, n.image, n.icon, n.link, n.external_id, n.data))
    from deleted n join channels c on c.id = n.channel_id
    where coalesce(c.publisher_id, c.charged_to) is not null
    group by 1;
    return null;
end
$$;
-- +goose StatementEnd
create trigger notifications_deleted after delete on notifications
    referencing old table as deleted for each statement execute function charge_deleted_notifications();

-- +goose StatementBegin
create function charge_corrected_notification() returns trigger language plpgsql as $$
begin
    insert into storage_changes (publisher_id, bytes)
    select coalesce(publisher_id, charged_to),
        notification_bytes(new.title, new.body, new.image, new.icon, new.link, new.external_id, new.data)
        - notification_bytes(old.title, old.body, old.image, old.icon, old.link, old.external_id, old.data)
    from channels where id = new.channel_id and coalesce(publisher_id, charged_to) is not null;
    return null;
end
$$;
-- +goose StatementEnd
create trigger notifications_corrected after update of title, body, image, icon, link, data on notifications
    for each row when (
        notification_bytes(new.title, new.body, new.image, new.icon, new.link, new.external_id, new.data)
        <> notification_bytes(old.title, old.body, old.image, old.icon, old.link, old.external_id, old.data))
    execute function charge_corrected_notification();

-- +goose StatementBegin
create function charge_deleted_responses() returns trigger language plpgsql as $$
begin
    insert into storage_changes (publisher_id, bytes)
    select publisher_id, -sum(response_bytes(answer)) from deleted where publisher_id is not null group by 1;
    return null;
end
$$;
-- +goose StatementEnd
create trigger idempotency_keys_deleted after delete on idempotency_keys
    referencing old table as deleted for each statement execute function charge_deleted_responses();

-- +goose StatementBegin
create function charge_channel() returns trigger language plpgsql as $$
begin
    if tg_op <> 'INSERT' and coalesce(old.publisher_id, old.charged_to) is not null then
        insert into storage_changes values (coalesce(old.publisher_id, old.charged_to), -channel_bytes(old));
    end if;
    if tg_op <> 'DELETE' and coalesce(new.publisher_id, new.charged_to) is not null then
        insert into storage_changes values (coalesce(new.publisher_id, new.charged_to), channel_bytes(new));
    end if;
    return null;
end
$$;
-- +goose StatementEnd
create trigger channels_charged after insert or delete or update of name, description, icon on channels
    for each row execute function charge_channel();

-- A webhook is deleted with its events, of which nobody knows afterwards whose they were. So they are counted off
-- before; likewise those of an event endpoint.
-- +goose StatementBegin
create function charge_webhook() returns trigger language plpgsql as $$
declare
    publisher uuid := (select publisher_id from channels where id = coalesce(new.channel_id, old.channel_id));
    change bigint := 0;
begin
    if tg_op <> 'DELETE' then
        change := change + webhook_bytes(new);
    end if;
    if tg_op <> 'INSERT' then
        change := change - webhook_bytes(old);
    end if;
    if tg_op = 'DELETE' then
        change := change - coalesce((
            select sum(webhook_event_bytes(e.event_id, e.payload, e.headers, e.detail)) from webhook_events e where e.webhook_id = old.id), 0);
    end if;
    if publisher is not null and change <> 0 then
        insert into storage_changes values (publisher, change);
    end if;
    return coalesce(new, old);
end
$$;
-- +goose StatementEnd
create trigger webhooks_charged before insert or delete or update of name, template on webhooks
    for each row execute function charge_webhook();

-- +goose StatementBegin
create function charge_added_events() returns trigger language plpgsql as $$
begin
    insert into storage_changes (publisher_id, bytes)
    select c.publisher_id, sum(webhook_event_bytes(e.event_id, e.payload, e.headers, e.detail))
    from added e join webhooks w on w.id = e.webhook_id join channels c on c.id = w.channel_id
    where c.publisher_id is not null group by 1;
    return null;
end
$$;
-- +goose StatementEnd
-- +goose StatementBegin
create function charge_removed_events() returns trigger language plpgsql as $$
begin
    insert into storage_changes (publisher_id, bytes)
    select c.publisher_id, -sum(webhook_event_bytes(e.event_id, e.payload, e.headers, e.detail))
    from removed e join webhooks w on w.id = e.webhook_id join channels c on c.id = w.channel_id
    where c.publisher_id is not null group by 1;
    return null;
end
$$;
-- +goose StatementEnd
create trigger webhook_events_added after insert on webhook_events
    referencing new table as added for each statement execute function charge_added_events();
create trigger webhook_events_replacing after update on webhook_events
    referencing new table as added for each statement execute function charge_added_events();
create trigger webhook_events_replaced after update on webhook_events
    referencing old table as removed for each statement execute function charge_removed_events();
create trigger webhook_events_removed after delete on webhook_events
    referencing old table as removed for each statement execute function charge_removed_events();

-- +goose StatementBegin
create function charge_added_deliveries() returns trigger language plpgsql as $$
begin
    insert into storage_changes (publisher_id, bytes)
    select e.publisher_id, sum(event_delivery_bytes(d.payload))
    from added d join event_endpoints e on e.id = d.endpoint_id group by 1;
    return null;
end
$$;
-- +goose StatementEnd
-- +goose StatementBegin
create function charge_removed_deliveries() returns trigger language plpgsql as $$
begin
    insert into storage_changes (publisher_id, bytes)
    select e.publisher_id, -sum(event_delivery_bytes(d.payload))
    from removed d join event_endpoints e on e.id = d.endpoint_id group by 1;
    return null;
end
$$;
-- +goose StatementEnd
-- +goose StatementBegin
create function charge_deleted_endpoint() returns trigger language plpgsql as $$
begin
    insert into storage_changes (publisher_id, bytes)
    select old.publisher_id, -sum(event_delivery_bytes(d.payload)) from event_deliveries d
    where d.endpoint_id = old.id having count(*) > 0;
    return old;
end
$$;
-- +goose StatementEnd
create trigger event_deliveries_added after insert on event_deliveries
    referencing new table as added for each statement execute function charge_added_deliveries();
create trigger event_deliveries_removed after delete on event_deliveries
    referencing old table as removed for each statement execute function charge_removed_deliveries();
create trigger event_endpoints_deleted before delete on event_endpoints
    for each row execute function charge_deleted_endpoint();

-- storage_used returns how many bytes a publisher stores.
-- +goose StatementBegin
create function storage_used(publisher uuid) returns bigint language sql stable parallel safe as $$
    select greatest(0, coalesce((select used from publisher_storage where publisher_id = publisher), 0)
        + coalesce((select sum(bytes)::bigint from storage_changes where publisher_id = publisher), 0))
$$;
-- +goose StatementEnd

insert into publisher_storage (publisher_id, used)
select publisher_id, sum(bytes) from (
    select c.publisher_id, notification_bytes(n.title, n.body, n.image, n.icon, n.link, n.external_id, n.data) as bytes
    from notifications n join channels c on c.id = n.channel_id
    union all select publisher_id, channel_bytes(c) from channels c
    union all select c.publisher_id, webhook_bytes(w) from webhooks w join channels c on c.id = w.channel_id
    union all
    select c.publisher_id, webhook_event_bytes(e.event_id, e.payload, e.headers, e.detail)
    from webhook_events e join webhooks w on w.id = e.webhook_id join channels c on c.id = w.channel_id
    union all
    select e.publisher_id, event_delivery_bytes(d.payload) from event_deliveries d join event_endpoints e on e.id = d.endpoint_id
) v where publisher_id is not null group by publisher_id;

-- +goose Down
drop function storage_used(uuid);
drop trigger event_endpoints_deleted on event_endpoints;
drop trigger event_deliveries_removed on event_deliveries;
drop trigger event_deliveries_added on event_deliveries;
drop trigger webhook_events_removed on webhook_events;
drop trigger webhook_events_replaced on webhook_events;
drop trigger webhook_events_replacing on webhook_events;
drop trigger webhook_events_added on webhook_events;
drop trigger webhooks_charged on webhooks;
drop trigger channels_charged on channels;
drop trigger idempotency_keys_deleted on idempotency_keys;
drop trigger notifications_corrected on notifications;
drop trigger notifications_deleted on notifications;
drop function charge_deleted_endpoint, charge_removed_deliveries, charge_added_deliveries, charge_removed_events,
    charge_added_events, charge_webhook, charge_channel, charge_deleted_responses, charge_corrected_notification,
    charge_deleted_notifications;
drop function event_delivery_bytes(text), webhook_event_bytes(text, text, jsonb, text), webhook_bytes(webhooks),
    channel_bytes(channels), response_bytes(text),
    notification_bytes(text, text, text, text, text, text, jsonb);
alter table idempotency_keys drop column publisher_id;
alter table channels drop column charged_to;
drop table storage_changes, publisher_storage;
