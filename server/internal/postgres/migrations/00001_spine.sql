-- +goose Up

create table categories (
    id          uuid primary key,
    slug        text not null constraint categories_slug_key unique,
    name        text not null,
    position    integer not null default 0,
    created_at  timestamptz not null default now()
);

create table subscribers (
    id                    uuid primary key,
    google_subject        text not null constraint subscribers_google_subject_key unique,
    email                 text not null,
    name                  text not null,
    avatar                text,
    locale                text not null,
    timezone              text not null,
    bell_default          text not null default 'all',
    onboarding_step       text not null default 'interests',
    onboarding_categories uuid[] not null default '{}',
    onboarded_at          timestamptz,
    created_at            timestamptz not null default now()
);

-- Devices are retired, never deleted, so that every delivery can be accounted for.
create table devices (
    id              uuid primary key,
    subscriber_id   uuid not null references subscribers on delete cascade,
    installation_id text not null,
    kind            text not null,
    address         text not null,
    platform        text not null,
    name            text not null,
    created_at      timestamptz not null default now(),
    seen_at         timestamptz not null default now(),
    retired_at      timestamptz,
    retired_cause   text
);
create unique index devices_address_key on devices (address) where retired_at is null;
create unique index devices_installation_key on devices (installation_id) where retired_at is null;
create index devices_subscriber_idx on devices (subscriber_id) where retired_at is null;
create index devices_stale_idx on devices (seen_at) where retired_at is null;

create table sessions (
    id            uuid primary key,
    secret_hash   bytea not null constraint sessions_secret_hash_key unique,
    subscriber_id uuid not null references subscribers on delete cascade,
    device_id     uuid references devices,
    created_at    timestamptz not null,
    seen_at       timestamptz not null
);
create index sessions_subscriber_idx on sessions (subscriber_id);
create index sessions_device_idx on sessions (device_id);
create index sessions_created_idx on sessions (created_at);
create index sessions_seen_idx on sessions (seen_at);

create table publishers (
    id          uuid primary key,
    slug        text not null constraint publishers_slug_key unique,
    name        text not null,
    description text not null default '',
    website     text,
    avatar      text,
    created_at  timestamptz not null default now()
);

create table publisher_members (
    publisher_id  uuid not null references publishers on delete cascade,
    subscriber_id uuid not null references subscribers on delete cascade,
    role          text not null,
    created_at    timestamptz not null default now(),
    primary key (publisher_id, subscriber_id)
);
create index publisher_members_subscriber_idx on publisher_members (subscriber_id);

create table api_keys (
    id           uuid primary key,
    publisher_id uuid not null references publishers on delete cascade,
    name         text not null,
    hint         text not null, -- the last characters, to tell keys apart
    secret_hash  bytea not null constraint api_keys_secret_hash_key unique,
    scopes       text[] not null,
    expires_at   timestamptz,
    last_used_at timestamptz,
    revoked_at   timestamptz,
    created_at   timestamptz not null default now()
);
create index api_keys_publisher_idx on api_keys (publisher_id);

create table channels (
    id           uuid primary key,
    publisher_id uuid not null references publishers,
    category_id  uuid not null references categories,
    slug         text not null,
    name         text not null,
    description  text not null default '',
    icon         text,
    visibility   text not null default 'public',
    created_at   timestamptz not null default now(),
    search       tsvector not null generated always as (
        to_tsvector('simple', name || ' ' || replace(slug, '-', ' ') || ' ' || description)) stored,
    constraint channels_publisher_slug_key unique (publisher_id, slug)
);
create index channels_category_idx on channels (category_id) where visibility = 'public';
create index channels_created_idx on channels (created_at desc, id desc) where visibility = 'public';
create index channels_search_idx on channels using gin (search);

-- Counts are spread over stripes, so that publishing to one channel does not queue on one row.
create table channel_counts (
    channel_id  uuid not null references channels on delete cascade,
    stripe      smallint not null,
    visible     bigint not null default 0,
    subscribers bigint not null default 0,
    primary key (channel_id, stripe)
) with (fillfactor = 50);

-- Where the live stream is; positions are given after the commit of what they number, by whoever holds the stream lock.
create sequence stream_positions;

create table notifications (
    id              uuid primary key,
    channel_id      uuid not null references channels,
    title           text not null,
    body            text not null,
    image           text,
    icon            text,
    link            text,
    importance      text not null,
    data            jsonb,
    external_id     text,
    visible         boolean not null,     -- in feeds and counts; flipped together with the counts
    pending         boolean not null,     -- has a change that is not on the stream yet: the outbox
    published_at    timestamptz,
    scheduled_at    timestamptz,
    expires_at      timestamptz,
    edited_at       timestamptz,
    withdrawn_at    timestamptz,
    created_at      timestamptz not null default now(),
    position        bigint,               -- on the stream, of its publication
    stream_position bigint,               -- on the stream, of its latest change: replay from here
    ordinal         bigint                -- among its channel's publications, without gaps: read up to here
);
create unique index notifications_external_id_key on notifications (channel_id, external_id) where external_id is not null;
create index notifications_feed_idx on notifications (channel_id, published_at desc, id desc) where visible;
create unique index notifications_ordinal_key on notifications (channel_id, ordinal) where ordinal is not null;
create index notifications_hidden_idx on notifications (channel_id, ordinal) where ordinal is not null and not visible;
create index notifications_outbox_idx on notifications (created_at, id) where pending;
create index notifications_pending_idx on notifications (channel_id) where pending;
create index notifications_due_idx on notifications (scheduled_at) where published_at is null and withdrawn_at is null;
create index notifications_expiring_idx on notifications (expires_at) where visible and expires_at is not null;
create unique index notifications_stream_idx on notifications (stream_position) where stream_position is not null;

create table subscriptions (
    subscriber_id uuid not null references subscribers on delete cascade,
    channel_id    uuid not null references channels on delete cascade,
    bell          text not null,
    muted_until   timestamptz,
    followed_at   timestamptz not null,
    read_ordinal  bigint not null,        -- what was published up to here is read, unless a receipt says otherwise
    read_at       timestamptz not null,   -- since when
    primary key (subscriber_id, channel_id)
);
create index subscriptions_channel_idx on subscriptions (channel_id, subscriber_id);

-- What one subscriber did with one notification, where it differs from what the subscription has read.
create table receipts (
    subscriber_id   uuid not null references subscribers on delete cascade,
    notification_id uuid not null references notifications on delete cascade,
    read            boolean,
    read_at         timestamptz,
    archived_at     timestamptz,
    displayed_at    timestamptz,
    opened_at       timestamptz,
    primary key (subscriber_id, notification_id)
);
create index receipts_notification_idx on receipts (notification_id);
create index receipts_unread_idx on receipts (subscriber_id, notification_id) where not read;
create index receipts_archived_idx on receipts (subscriber_id, notification_id) where archived_at is not null;

-- One row for each notification that is being or was pushed, with what the search for its devices needs.
create table dispatches (
    notification_id uuid primary key references notifications on delete cascade,
    channel_id      uuid not null,
    publisher_id    uuid not null,
    importance      text not null,
    started_at      timestamptz not null,
    targeted        bigint not null default 0,   -- devices found so far, suppressed ones included
    last_subscriber uuid not null default '00000000-0000-0000-0000-000000000000',  -- how far the search for devices is
    last_device     uuid not null default '00000000-0000-0000-0000-000000000000',
    expanded_at     timestamptz                  -- when the last device had been found
);
create index dispatches_publisher_idx on dispatches (publisher_id, started_at) include (targeted) where targeted > 0;

-- What became of one notification on one device: written once, when it is final. No foreign keys: they would double
-- the cost of a dispatch, and neither side is ever deleted while a delivery matters.
create table deliveries (
    notification_id uuid not null,
    device_id       uuid not null,
    outcome         text not null,               -- accepted, suppressed, failed or expired
    cause           text,
    at              timestamptz not null,
    primary key (notification_id, device_id)
);

create table idempotency_keys (
    caller     text not null,
    key        text not null,
    route      text not null,
    body_hash  bytea not null,
    answer     text not null,
    existing   boolean not null default false,   -- what the answer tells had been there before
    created_at timestamptz not null default now(),
    primary key (caller, key)
);
create index idempotency_keys_created_idx on idempotency_keys (created_at);

create table webhooks (
    id             uuid primary key,
    channel_id     uuid not null references channels on delete cascade,
    name           text not null,
    address_hash   bytea not null constraint webhooks_address_hash_key unique,
    address_sealed bytea not null,               -- encrypted with the settings' key, as is the secret
    secret_sealed  bytea,                        -- null: unsigned, by the owner's choice
    created_at     timestamptz not null default now()
);
create index webhooks_channel_idx on webhooks (channel_id);

create table webhook_events (
    webhook_id      uuid not null references webhooks on delete cascade,
    event_id        text not null,
    notification_id uuid not null references notifications on delete cascade,
    received_at     timestamptz not null default now(),
    primary key (webhook_id, event_id)
);

-- The pace at which the whole installation may send, and until when it must not.
create table pacers (
    name         text primary key,
    next_at      timestamptz not null default now(),
    paused_until timestamptz,
    pause_cause  text
);
insert into pacers (name) values ('fcm');

-- +goose Down
drop table pacers, webhook_events, webhooks, idempotency_keys, deliveries, dispatches, receipts, subscriptions,
    notifications, channel_counts, channels, api_keys, publisher_members, publishers, sessions, devices, subscribers, categories;
drop sequence stream_positions;
