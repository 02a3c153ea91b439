-- +goose Up

-- Since when a device rings: when its push service first accepted a push to its present address, which it has had since
-- addressed_at. The devices of earlier versions ring: they were registered with no push to confirm it.
alter table devices add column rings_since timestamptz, add column addressed_at timestamptz not null default now();
update devices set rings_since = created_at, addressed_at = created_at;
create index devices_unconfirmed_idx on devices (addressed_at) where retired_at is null and rings_since is null;

-- People are counted at a push service by the devices that ring.
drop index devices_service_idx;
create index devices_service_idx on devices (service, subscriber_id)
    where retired_at is null and rings_since is not null and service <> 'fcm';

-- +goose Down
drop index devices_service_idx;
create index devices_service_idx on devices (service, subscriber_id) where retired_at is null and service <> 'fcm';
drop index devices_unconfirmed_idx;
alter table devices drop column addressed_at, drop column rings_since;
