-- +goose Up

-- Whoever edits tells which version they have seen (If-Match), by the time of its latest change.
alter table publishers add column updated_at timestamptz not null default now();
create index publishers_name_idx on publishers (lower(name), id);
alter table categories add column updated_at timestamptz not null default now();
alter table channels add column updated_at timestamptz not null default now();
alter table webhooks add column updated_at timestamptz not null default now();
alter table subscribers add column updated_at timestamptz not null default now();

-- A channel that is deleted is gone for everyone at once: it has no publisher and no category any more, so that whatever
-- joins them does not find it, and both can be deleted too. What it held is purged later, in small steps.
alter table channels add column deleted_at timestamptz;
alter table channels alter column publisher_id drop not null, alter column category_id drop not null,
    add constraint channels_deleted_check check (
        (publisher_id is null) = (deleted_at is not null) and (category_id is null) = (deleted_at is not null));
alter table channels drop constraint channels_publisher_slug_key;
create unique index channels_publisher_slug_key on channels (publisher_id, slug) where deleted_at is null;
create index channels_deleted_idx on channels (deleted_at) where deleted_at is not null;

-- From when until when a subscriber is pushed nothing, in their timezone.
alter table subscribers add column quiet_start time, add column quiet_end time,
    add constraint subscribers_quiet_hours_check check ((quiet_start is null) = (quiet_end is null));
create index devices_owner_idx on devices (subscriber_id); -- retired ones too, for when their owner leaves
create index subscribers_quiet_idx on subscribers (id) where quiet_start is not null;
create index subscribers_email_idx on subscribers (lower(email));

-- With which programs act for a person.
create table access_tokens (
    id            uuid primary key,
    subscriber_id uuid not null references subscribers on delete cascade,
    name          text not null,
    hint          text not null, -- the last characters, to tell tokens apart
    secret_hash   bytea not null constraint access_tokens_secret_hash_key unique,
    expires_at    timestamptz,
    last_used_at  timestamptz,
    revoked_at    timestamptz,
    created_at    timestamptz not null
);
create index access_tokens_subscriber_idx on access_tokens (subscriber_id, created_at desc);

-- Programs that wait for a person to confirm that they may act for them (RFC 8628).
create table device_sign_ins (
    id            uuid primary key,
    device_hash   bytea not null constraint device_sign_ins_device_hash_key unique,
    user_code     text not null constraint device_sign_ins_user_code_key unique,
    client_name   text not null,
    created_at    timestamptz not null,
    expires_at    timestamptz not null,
    next_ask_at   timestamptz not null,        -- who asks before is told to slow down
    ask_interval  interval not null,
    subscriber_id uuid references subscribers on delete cascade,
    approved      boolean,                     -- null until the person has answered
    taken_at      timestamptz
);
create index device_sign_ins_expires_idx on device_sign_ins (expires_at);

-- The secret before the latest rotation, good for a while.
alter table webhooks add column previous_secret_sealed bytea, add column previous_secret_until timestamptz;

-- What a webhook received, refused events included.
alter table webhook_events alter column notification_id drop not null;
-- A channel's webhooks go before its notifications: checking them for each that is purged would only cost.
alter table webhook_events drop constraint webhook_events_notification_id_fkey;
alter table webhook_events add column detail text; -- why it was refused
create index webhook_events_received_idx on webhook_events (webhook_id, received_at desc);
create index webhook_events_age_idx on webhook_events (received_at);

-- Pushes that wait for the end of their subscriber's quiet hours, to arrive as one summary.
create table held_pushes (
    notification_id uuid not null,
    device_id       uuid not null, -- no foreign key: that of a person who left gets its outcome all the same
    until           timestamptz not null,
    primary key (notification_id, device_id)
);
create index held_pushes_until_idx on held_pushes (until, device_id);

-- +goose Down
drop table held_pushes, device_sign_ins, access_tokens;
drop index publishers_name_idx, subscribers_quiet_idx, webhook_events_received_idx, webhook_events_age_idx, subscribers_email_idx, channels_deleted_idx, channels_publisher_slug_key;
alter table webhook_events drop column detail;
alter table webhook_events add foreign key (notification_id) references notifications on delete cascade;
alter table webhooks drop column previous_secret_sealed, drop column previous_secret_until, drop column updated_at;
alter table subscribers drop column quiet_start, drop column quiet_end, drop column updated_at;
alter table channels alter column publisher_id set not null, alter column category_id set not null, drop constraint channels_deleted_check;
alter table channels drop column deleted_at, drop column updated_at;
alter table channels add constraint channels_publisher_slug_key unique (publisher_id, slug);
alter table publishers drop column updated_at;
alter table categories drop column updated_at;
