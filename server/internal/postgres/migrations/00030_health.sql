-- +goose Up

-- What each server did since its sample before, stored once a minute and kept for two days.
create table node_samples (
    at        timestamptz not null,
    node      text not null,
    streams   integer not null,
    published bigint not null,
    accepted  bigint not null,
    failed    jsonb, -- pushes by cause
    expired   jsonb,
    retried   jsonb,
    requests  bigint not null,
    errors    bigint not null,
    primary key (at, node)
);

-- What waited to be sent, once a minute over all servers.
create table queue_samples (
    at             timestamptz primary key,
    jobs           bigint not null,
    oldest_seconds double precision not null,
    events         bigint not null
);

create index event_endpoints_failing_since_idx on event_endpoints (failing_since) where failing_since is not null;
create index publishers_suspended_idx on publishers (suspended_at) where suspended_at is not null;
create index subscribers_suspended_idx on subscribers (suspended_at) where suspended_at is not null;

-- +goose Down
drop index subscribers_suspended_idx;
drop index publishers_suspended_idx;
drop index event_endpoints_failing_since_idx;
drop table queue_samples, node_samples;
