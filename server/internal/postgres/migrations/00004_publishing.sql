-- +goose Up

-- Whose payloads a webhook takes, how they prove it, and by which template of its own they become notifications.
alter table webhooks add column signing text not null default 'standard', add column sender text not null default 'plain', add column template jsonb;
update webhooks set signing = 'none' where secret_sealed is null;

-- What was posted is kept with what came of it, so that it can be seen and replayed.
alter table webhook_events add column kind text, add column outcome text, add column payload text, add column headers jsonb;
update webhook_events set outcome = case when notification_id is null then 'refused' else 'published' end;
alter table webhook_events alter column outcome set not null;

-- When every device had its outcome, and the numbers then; until then it is looked at again at check_at.
alter table dispatches add column finished_at timestamptz, add column check_at timestamptz not null default now(),
    add column accepted bigint not null default 0, add column suppressed jsonb, add column failed jsonb, add column expired jsonb;
create index dispatches_unfinished_idx on dispatches (check_at) where finished_at is null;
create index dispatches_channel_idx on dispatches (channel_id, started_at);

-- Addresses of publishers that are told what happened.
create table event_endpoints (
    id                     uuid primary key,
    publisher_id           uuid not null references publishers on delete cascade,
    url                    text not null,
    name                   text not null,
    events                 text[] not null,
    secret_sealed          bytea not null,
    previous_secret_sealed bytea,
    previous_secret_until  timestamptz,
    enabled                boolean not null default true,
    disabled_at            timestamptz,
    disabled_reason        text,
    failing_since          timestamptz,
    created_at             timestamptz not null,
    updated_at             timestamptz not null
);
create index event_endpoints_publisher_idx on event_endpoints (publisher_id);

-- What is sent to them, until it has arrived or failed for good; kept as a log for a while.
create table event_deliveries (
    id              uuid primary key, -- the event's id, the same whenever it is sent
    endpoint_id     uuid not null references event_endpoints on delete cascade,
    subject         uuid not null,    -- what it is about: of one subject the older event is sent first
    type            text not null,
    payload         text not null,
    status          text not null,    -- pending, delivered or failed
    attempts        integer not null default 0,
    tries           integer not null default 0, -- since it was to be sent for the first time or by hand
    next_attempt_at timestamptz,
    created_at      timestamptz not null,
    delivered_at    timestamptz
);
create index event_deliveries_endpoint_idx on event_deliveries (endpoint_id, created_at desc, id desc);
create index event_deliveries_due_idx on event_deliveries (endpoint_id, next_attempt_at, id) where status = 'pending';
create index event_deliveries_age_idx on event_deliveries (created_at);

create table event_attempts (
    delivery_id uuid not null references event_deliveries on delete cascade,
    number      integer not null,
    at          timestamptz not null,
    status      integer,
    answer      text,
    error       text,
    duration_ms integer not null,
    primary key (delivery_id, number)
);

-- How many subscribers a channel had when its publisher's event endpoints were told last.
create table told_subscribers (
    channel_id  uuid primary key references channels on delete cascade,
    subscribers bigint not null,
    told_at     timestamptz not null
);

-- +goose Down
drop table told_subscribers, event_attempts, event_deliveries, event_endpoints;
drop index dispatches_channel_idx;
alter table dispatches drop column finished_at, drop column check_at, drop column accepted, drop column suppressed, drop column failed, drop column expired;
alter table webhook_events drop column kind, drop column outcome, drop column payload, drop column headers;
alter table webhooks drop column signing, drop column sender, drop column template;
