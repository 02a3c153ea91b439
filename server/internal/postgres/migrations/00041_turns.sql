-- +goose Up

-- Pushes that wait for their turn. Owners have theirs one after another, however many one of them waits for.
create table turns (
    id              bigint generated always as identity primary key,
    queue           text not null,
    owner           uuid not null,    -- the account of a publisher, or the person whose devices they are
    service         text not null,    -- the push service of the devices; a tilde for several
    class           smallint not null, -- of an owner's turns, lower ones are first
    kind            text not null,
    devices         integer not null,
    notification_id uuid,
    first           bigint,           -- the batch
    args            jsonb,
    traceparent     text,
    tries           integer not null default 0,
    started         boolean not null default false, -- something of it was sent
    created_at      timestamptz not null default clock_timestamp(),
    -- Parked turns are under way, or nothing of them may be pushed until they are due. Should a node die, the turns that
    -- it had taken are due again soon.
    parked          boolean not null default false,
    due_at          timestamptz not null default clock_timestamp()
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.05);
create index turns_ready_idx on turns (queue, owner, service, class, id) where not parked;
create index turns_parked_idx on turns (due_at) where parked;

-- Dispatches whose devices are not all found. Of a publisher's, those with the fewest devices so far are first.
create index dispatches_finding_idx on dispatches (publisher_id, targeted, notification_id) where expanded_at is null;

drop index devices_service_idx;

-- +goose Down
create index devices_service_idx on devices (service, subscriber_id)
    where retired_at is null and rings_since is not null and service <> 'fcm';
drop index dispatches_finding_idx;
drop table turns;
