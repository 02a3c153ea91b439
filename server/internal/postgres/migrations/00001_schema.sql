-- +goose Up
-- +goose StatementBegin

-- searchable returns the words of a text without case, accents and punctuation. It calls no function of this schema,
-- because a restore computes generated columns without a search path.
create function searchable(text) returns tsvector language sql immutable strict parallel safe as $$
    select to_tsvector('pg_catalog.simple', regexp_replace(
        lower(regexp_replace(normalize($1, NFKD), '[\u0300-\u036f]', '', 'g')),
        '[\u0001-\u002f\u003a-\u0060\u007b-\u00bf\u2000-\u206f\u3000-\u303f]+', ' ', 'g'))
$$;

--------------------------------------------------------------------------------
-- People, and how they sign in
--------------------------------------------------------------------------------

create table subscribers (
    id                    uuid primary key,
    anonymous             boolean not null default false, -- without an account
    email                 text,        -- null without one
    name                  text not null,
    avatar                text,
    locale                text not null,
    timezone              text not null,
    bell_default          text not null default 'all',
    quiet_start           time,        -- nothing is pushed from then, in the time zone of the person,
    quiet_end             time,        -- until then
    digest_at             time not null default '18:00', -- when they are told the digest, in their time zone
    onboarding_step       text not null default 'interests',
    onboarding_categories uuid[] not null default '{}',
    onboarded_at          timestamptz,
    signed_in_at          timestamptz, -- the latest sign-in
    warned_at             timestamptz, -- when an anonymous one was last told that nobody uses them
    suspended_at          timestamptz, -- by an operator
    suspension_reason     text,        -- for the person
    operator_at           timestamptz, -- when they came in by an operator link
    created_at            timestamptz not null default now(),
    updated_at            timestamptz not null default now(), -- the version that an edit must have seen (If-Match)
    number                integer not null generated always as identity, -- for displays, in a quarter of an id's bytes
    constraint subscribers_quiet_hours_check check ((quiet_start is null) = (quiet_end is null)),
    constraint subscribers_suspension_check check ((suspended_at is null) = (suspension_reason is null))
);
create index subscribers_email_idx on subscribers (lower(email));
create index subscribers_anonymous_idx on subscribers (id) where anonymous;
create index subscribers_quiet_idx on subscribers (id) where quiet_start is not null; -- small, for a fast join
create index subscribers_suspended_idx on subscribers (suspended_at) where suspended_at is not null;
create index subscribers_operator_idx on subscribers (operator_at) where operator_at is not null;

-- What a person signs in with: an account at an OpenID provider, or an email address.
create table identities (
    id            uuid primary key,
    subscriber_id uuid not null references subscribers on delete cascade,
    issuer        text not null,
    subject       text not null,
    email         text not null,
    created_at    timestamptz not null,
    used_at       timestamptz,
    unique (issuer, subject)
);
create index identities_subscriber_idx on identities (subscriber_id, created_at, id);
create index identities_email_idx on identities (lower(email));

-- A key that an authenticator of a person holds. The server has only its public part.
create table passkeys (
    id            uuid primary key,
    subscriber_id uuid not null references subscribers on delete cascade,
    credential_id bytea not null constraint passkeys_credential_id_key unique,
    user_handle   bytea not null, -- random, by which the authenticator knows the account
    credential    jsonb not null, -- the public key, the counter and the flags
    name          text not null,
    created_at    timestamptz not null,
    used_at       timestamptz
);
create index passkeys_subscriber_idx on passkeys (subscriber_id, created_at, id);

-- A challenge to a passkey that was answered, so that no answer counts twice. Those that wait are in cookies.
create table used_challenges (
    hash       bytea primary key,
    expires_at timestamptz not null
);
create index used_challenges_expires_idx on used_challenges (expires_at);

-- A link by which one person becomes an operator.
create table operator_links (
    secret_hash bytea primary key,
    only_one    boolean not null, -- the operators by earlier links are none any more once it is used
    expires_at  timestamptz not null
);

-- A sign-in by email that has begun. The code is not stored: it is derived from the id and a key of the server.
create table email_sign_ins (
    id            uuid primary key,
    email         text not null,
    mailbox       text not null,
    subscriber_id uuid references subscribers on delete cascade,
    known_by      uuid references subscribers on delete cascade, -- whose known browser asked; null: a stranger did
    attempts      smallint not null default 0,
    created_at    timestamptz not null,
    expires_at    timestamptz not null,
    used_at       timestamptz
);
create index email_sign_ins_mailbox_idx on email_sign_ins (mailbox, created_at);
create index email_sign_ins_created_idx on email_sign_ins (created_at);
create index email_sign_ins_subscriber_idx on email_sign_ins (subscriber_id) where subscriber_id is not null;
create index email_sign_ins_known_idx on email_sign_ins (known_by, created_at) where known_by is not null;

-- A browser in which a person has signed in, which keeps codes for them that strangers cannot use up. Its secret signs
-- nobody in.
create table known_browsers (
    secret_hash   bytea not null,
    subscriber_id uuid not null references subscribers on delete cascade,
    session_id    uuid not null, -- the latest there, which may have ended
    used_at       timestamptz not null,
    primary key (subscriber_id, secret_hash)
);
create index known_browsers_secret_idx on known_browsers (secret_hash);
create index known_browsers_used_idx on known_browsers (used_at);

-- A program that waits for a person to confirm that it may act for them (RFC 8628).
create table device_sign_ins (
    id            uuid primary key,
    device_hash   bytea not null constraint device_sign_ins_device_hash_key unique,
    user_code     text not null constraint device_sign_ins_user_code_key unique,
    client_name   text not null,
    scopes        text[] not null,
    network       text not null,        -- from where it asked, so that the person can tell whether it is theirs
    created_at    timestamptz not null,
    expires_at    timestamptz not null,
    next_poll_at  timestamptz not null, -- an earlier poll is told to slow down
    poll_interval interval not null,
    subscriber_id uuid references subscribers on delete cascade,
    approved      boolean,              -- null until the person has decided
    taken_at      timestamptz
);
create index device_sign_ins_expires_idx on device_sign_ins (expires_at);

-- Tokens with which programs act for a person.
create table access_tokens (
    id            uuid primary key,
    subscriber_id uuid not null references subscribers on delete cascade,
    parent_id     uuid references access_tokens on delete cascade, -- the token that created it, with which it ends
    name          text not null,
    hint          text not null, -- the last characters, to tell tokens apart
    secret_hash   bytea not null constraint access_tokens_secret_hash_key unique,
    scopes        text[] not null,
    expires_at    timestamptz not null,
    last_used_at  timestamptz,
    revoked_at    timestamptz,
    created_at    timestamptz not null
);
create index access_tokens_subscriber_idx on access_tokens (subscriber_id, created_at desc);
create index access_tokens_parent_idx on access_tokens (parent_id) where parent_id is not null;

-- The secret addresses at which programs read the feeds of people.
create table feed_addresses (
    subscriber_id uuid primary key references subscribers on delete cascade,
    id            uuid not null, -- stays when the secret is replaced
    hint          text not null, -- the last characters, to recognize the secret
    secret_hash   bytea not null constraint feed_addresses_secret_hash_key unique,
    created_at    timestamptz not null -- of the secret
);

-- Devices are retired, and deleted only with their person, so that every delivery can be accounted for.
create table devices (
    id              uuid primary key,
    subscriber_id   uuid not null references subscribers on delete cascade,
    session_id      uuid, -- the session or the access token that registered it, with which it is retired
    access_token_id uuid,
    installation_id text not null, -- chosen by the program, so other people may have the same
    kind            text not null,
    address         text not null,
    p256dh          bytea,         -- the keys of a push subscription; null for FCM
    auth            bytea,
    service         text not null default 'fcm', -- that of core.PushAddress
    platform        text not null,
    name            text not null,
    created_at      timestamptz not null default now(),
    seen_at         timestamptz not null default now(),
    addressed_at    timestamptz not null default now(), -- since when it has its address
    rings_since     timestamptz,   -- when its push service first accepted a push to that address
    shown_at        timestamptz,   -- when it said last that it showed a push; noted once a day, to write little
    unshown_since   timestamptz,   -- since when pushes are accepted that it does not say to have shown, if for days
    failures        integer not null default 0, -- of pushes since the last one that was accepted
    refusals        integer not null default 0,
    failing_since   timestamptz,
    retry_at        timestamptz,
    retired_at      timestamptz,
    retired_cause   text
);
create unique index devices_address_key on devices (address) where retired_at is null;
create unique index devices_installation_key on devices (subscriber_id, installation_id) where retired_at is null;
create index devices_subscriber_idx on devices (subscriber_id) where retired_at is null;
create index devices_owner_idx on devices (subscriber_id); -- retired ones too, for when their person leaves
create index devices_session_idx on devices (session_id) where retired_at is null;
create index devices_access_token_idx on devices (access_token_id)
    where access_token_id is not null and retired_at is null;
create index devices_stale_idx on devices (seen_at) where retired_at is null;
create index devices_unconfirmed_idx on devices (addressed_at) where retired_at is null and rings_since is null;

create table sessions (
    id            uuid primary key,
    secret_hash   bytea not null constraint sessions_secret_hash_key unique,
    subscriber_id uuid not null references subscribers on delete cascade,
    anonymous     boolean not null default false, -- the subscriber is, who lives no longer than the session
    device_id     uuid references devices,
    browser       text not null default '', -- these three are of its last use, for people to recognize it by
    system        text not null default '',
    network       text not null default '',
    created_at    timestamptz not null,
    seen_at       timestamptz not null
);
create index sessions_subscriber_idx on sessions (subscriber_id);
create index sessions_device_idx on sessions (device_id);
create index sessions_created_idx on sessions (created_at);
create index sessions_seen_idx on sessions (seen_at);

--------------------------------------------------------------------------------
-- Publishers
--------------------------------------------------------------------------------

create table publishers (
    id                uuid primary key,
    slug              text not null constraint publishers_slug_key unique,
    name              text not null,
    description       text not null default '',
    website           text,
    avatar            text,
    -- The person who answers for the publisher, with whom it shares what a server has for one account: an owner, at
    -- first the one who created it. A publisher without an owner answers for itself. It is no foreign key, because a
    -- trigger replaces whoever stops being an owner, also when they delete their account.
    account_id        uuid,
    suspended_at      timestamptz, -- by an operator
    suspension_reason text,        -- for the owners
    created_at        timestamptz not null default now(),
    updated_at        timestamptz not null default now(),
    search            tsvector not null generated always as (
        searchable(name || ' ' || slug || ' ' || description)) stored,
    constraint publishers_suspension_check check ((suspended_at is null) = (suspension_reason is null))
);
create index publishers_name_idx on publishers (lower(name), id);
create index publishers_search_idx on publishers using gin (search);
create index publishers_suspended_idx on publishers (suspended_at) where suspended_at is not null;

create table publisher_members (
    publisher_id  uuid not null references publishers on delete cascade,
    subscriber_id uuid not null references subscribers on delete cascade,
    role          text not null,
    created_at    timestamptz not null default now(),
    primary key (publisher_id, subscriber_id)
);
create index publisher_members_subscriber_idx on publisher_members (subscriber_id);

-- What a person asks the operators for, where these approve publishers. A new request replaces the earlier one. A
-- withdrawn one is kept for its counts, without texts.
create table publisher_requests (
    subscriber_id uuid primary key references subscribers on delete cascade,
    id            uuid not null constraint publisher_requests_id_key unique,
    slug          text not null,
    name          text not null,
    reason        text not null,
    status        text not null, -- pending, approved, refused or withdrawn
    answer        text not null default '',
    created_at    timestamptz not null,
    answered_at   timestamptz, -- or withdrawn
    asked         integer not null, -- how many requests the person has made since
    since         timestamptz not null
);
create index publisher_requests_pending_idx on publisher_requests (id) where status = 'pending';
create index publisher_requests_answered_idx on publisher_requests (answered_at) where answered_at is not null;

create function hand_over_publisher() returns trigger language plpgsql as $$
begin
    update publishers p set account_id = (
        select subscriber_id from publisher_members where publisher_id = p.id and role = 'owner'
        order by created_at, subscriber_id limit 1)
    where p.id = coalesce(new.publisher_id, old.publisher_id) and not exists (
        select from publisher_members
        where publisher_id = p.id and role = 'owner' and subscriber_id = p.account_id);
    return null;
end
$$;
create trigger publisher_members_changed after insert or delete or update of role on publisher_members
    for each row execute function hand_over_publisher();

-- Invitations to become a member of a publisher. An address has at most one of each publisher, which is renewed.
create table membership_invitations (
    id           uuid primary key,
    publisher_id uuid not null references publishers on delete cascade,
    email        text not null, -- in lower case
    role         text not null,
    state        text not null, -- pending, accepted, declined or withdrawn; a pending one expires by its time alone
    invited_by   uuid references subscribers on delete set null,
    answered_by  uuid references subscribers on delete cascade, -- who accepted or declined
    invited_at   timestamptz not null, -- made or last renewed
    expires_at   timestamptz not null,
    declined_at  timestamptz, -- kept when it is renewed, because the address gets no more emails then
    constraint membership_invitations_publisher_email_key unique (publisher_id, email)
);
create index membership_invitations_email_idx on membership_invitations (email);
create index membership_invitations_expires_idx on membership_invitations (expires_at);
create index membership_invitations_invited_by_idx on membership_invitations (invited_by) where invited_by is not null;
create index membership_invitations_answered_by_idx on membership_invitations (answered_by)
    where answered_by is not null;

-- When an address was invited last to be a member of a publisher, or to a private channel. It is kept for a day, to
-- limit invitations and emails, and outlives the publisher, so that making new ones does not circumvent the limits.
create table invitation_times (
    object_id    uuid not null, -- the publisher or the channel
    email        text not null, -- in lower case
    mailbox      text not null, -- that the address leads to, by which emails are counted
    publisher_id uuid not null,
    inviter_id   uuid references subscribers on delete set null, -- null: an API key
    invited_at   timestamptz not null,
    primary key (object_id, email)
);
create index invitation_times_mailbox_idx on invitation_times (mailbox);
create index invitation_times_publisher_idx on invitation_times (publisher_id);
create index invitation_times_inviter_idx on invitation_times (inviter_id) where inviter_id is not null;
create index invitation_times_invited_idx on invitation_times (invited_at);

create table api_keys (
    id           uuid primary key,
    publisher_id uuid not null references publishers on delete cascade,
    created_by   uuid,          -- who was shown the secret; zero: a deleted account, null: nobody
    name         text not null,
    hint         text not null, -- the last characters, to tell keys apart
    secret_hash  bytea not null constraint api_keys_secret_hash_key unique,
    scopes       text[] not null,
    expires_at   timestamptz,
    rotated_at   timestamptz,   -- it has a successor, and expires when its time of grace ends
    last_used_at timestamptz,
    revoked_at   timestamptz,
    created_at   timestamptz not null default now()
);
create index api_keys_publisher_idx on api_keys (publisher_id);
create index api_keys_created_by_idx on api_keys (created_by) where created_by is not null;

--------------------------------------------------------------------------------
-- Channels
--------------------------------------------------------------------------------

create table categories (
    id         uuid primary key,
    slug       text not null constraint categories_slug_key unique,
    name       text not null,
    position   integer not null default 0,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
);

-- A channel that is deleted is gone for everyone at once: it has no publisher and no category any more, so that queries
-- that join them do not find it, and both can be deleted too. What it held is purged later, in small steps.
create table channels (
    id                uuid primary key,
    publisher_id      uuid references publishers,
    category_id       uuid references categories,
    slug              text not null,
    name              text not null,
    description       text not null default '',
    icon              text,
    visibility        text not null default 'public',
    -- Strangers publish to a demonstration channel: it is in no list, cannot be followed, and its notifications soon
    -- expire.
    demonstration     boolean not null default false,
    keep_days         integer, -- how long it keeps its notifications, and how many;
    keep_count        integer, -- null: as the installation does
    suspended_at      timestamptz, -- by an operator
    suspension_reason text,        -- for the publisher
    suspended         boolean not null default false, -- the channel or its publisher, so that no query needs both
    followers_since   date not null default ((now() at time zone 'utc')::date), -- the first day in channel_days
    charged_to        uuid,        -- the publisher of a deleted channel, whose storage it uses until it is purged
    created_at        timestamptz not null default now(),
    updated_at        timestamptz not null default now(),
    deleted_at        timestamptz,
    search            tsvector not null default '', -- kept by triggers
    constraint channels_deleted_check check (
        (publisher_id is null) = (deleted_at is not null) and (category_id is null) = (deleted_at is not null)),
    constraint channels_suspension_check check ((suspended_at is null) = (suspension_reason is null))
);
create unique index channels_publisher_slug_key on channels (publisher_id, slug);
create index channels_category_idx on channels (category_id) where visibility = 'public';
create index channels_created_idx on channels (created_at desc, id desc) where visibility = 'public';
create index channels_deleted_idx on channels (deleted_at) where deleted_at is not null;
create index channels_private_idx on channels (id) where visibility = 'private' and deleted_at is null;
create index channels_suspended_idx on channels (id) where suspended; -- small, for a fast join
create index channels_search_idx on channels using gin (search);

-- channel_search returns the words by which a channel is found: A is its own name and slug, B its description and the
-- names of its publisher and category. A deleted one is found by nothing.
create function channel_search(c channels) returns tsvector language sql stable as $$
    select coalesce((
        select setweight(searchable(concat_ws(' ', c.name, c.slug)), 'A')
            || setweight(searchable(concat_ws(' ', c.description, p.name, p.slug, g.name, g.slug)), 'B')
        from publishers p, categories g where p.id = c.publisher_id and g.id = c.category_id), '')
$$;

-- The locks make a channel wait for a rename that cannot see it yet.
create function set_channel_search() returns trigger language plpgsql as $$
begin
    if tg_op = 'INSERT' then
        perform from publishers where id = new.publisher_id for share;
    end if;
    if tg_op = 'INSERT' or new.category_id is distinct from old.category_id then
        perform from categories where id = new.category_id for share;
    end if;
    new.search := channel_search(new);
    return new;
end
$$;
create trigger channels_search before insert or update of name, slug, description, publisher_id, category_id on channels
    for each row execute function set_channel_search();

-- The rows are locked in one order, so that two renames do not wait for each other.
create function renew_channel_search() returns trigger language plpgsql as $$
begin
    perform from channels where publisher_id = new.id or category_id = new.id order by id for no key update;
    update channels c set search = channel_search(c) where publisher_id = new.id or category_id = new.id;
    return null;
end
$$;
create trigger publishers_renamed after update of name, slug on publishers
    for each row when ((old.name, old.slug) is distinct from (new.name, new.slug))
    execute function renew_channel_search();
create trigger categories_renamed after update of name, slug on categories
    for each row when ((old.name, old.slug) is distinct from (new.name, new.slug))
    execute function renew_channel_search();

-- The words by which a channel is also found: those of its latest notifications, together with those of its search
-- column, so that one search may have both. A search of notification_words instead would read all notifications with a
-- common word. They are written some moments after a publication, so that publishing does not wait for the index.
create table channel_words (
    channel_id uuid primary key references channels on delete cascade,
    version    bigint not null, -- of the head of the channel when they were written
    words      tsvector not null,
    written_at timestamptz not null
);
create index channel_words_idx on channel_words using gin (words);

-- After a change of names the words are written again, so that no channel is found by a name that it no longer has.
create function forget_channel_words() returns trigger language plpgsql as $$
begin
    delete from channel_words where channel_id = new.id;
    return null;
end
$$;
create trigger channels_words after update on channels
    for each row when (old.search is distinct from new.search) execute function forget_channel_words();

-- How many follow a channel, spread over stripes, so that many who follow it at once do not queue on one row.
create table channel_counts (
    channel_id  uuid not null references channels on delete cascade,
    stripe      smallint not null,
    subscribers bigint not null default 0,
    primary key (channel_id, stripe)
) with (fillfactor = 50);

-- By how much the number of a channel's followers has changed on a day, in UTC, in the same stripes.
create table channel_days (
    channel_id uuid not null references channels on delete cascade,
    day        date not null,
    stripe     smallint not null,
    change     bigint not null,
    primary key (channel_id, day, stripe)
);
create index channel_days_day_idx on channel_days (day);

-- A trigger writes the days, so that they agree with channel_counts whoever changes it. The row in channel_counts is
-- locked first, so it adds no order of locks.
create function add_channel_day() returns trigger language plpgsql as $$
begin
    insert into channel_days as d (channel_id, day, stripe, change)
    values (new.channel_id, (now() at time zone 'utc')::date, new.stripe,
        new.subscribers - coalesce(old.subscribers, 0))
    on conflict (channel_id, day, stripe) do update set change = d.change + excluded.change;
    return null;
end
$$;
create trigger channel_counts_inserted after insert on channel_counts
    for each row when (new.subscribers <> 0) execute function add_channel_day();
create trigger channel_counts_changed after update on channel_counts
    for each row when (new.subscribers <> old.subscribers) execute function add_channel_day();

-- The latest publication of a channel and how many are visible. Only a transaction that holds the stream's lock changes
-- a row, so concurrent publishes do not wait for each other here.
create table channel_heads (
    channel_id   uuid primary key references channels on delete cascade,
    ordinal      bigint not null,           -- of the latest publication
    visible      bigint not null,           -- notifications in feeds and lists
    hidden       bigint not null default 0, -- no publication after this ordinal is hidden
    pruned       bigint not null default 0, -- retention has deleted all publications up to this ordinal
    version      bigint not null,           -- grows with each change, and tells nodes whether what they keep is current
    published_at timestamptz not null       -- nothing was published later
) with (fillfactor = 50);

--------------------------------------------------------------------------------
-- Notifications
--------------------------------------------------------------------------------

-- Where the live stream is. Positions are given under the stream's lock, which is held until the commit.
create sequence stream_positions;

-- There is no foreign key: checking the channel of each notification cost a seventh of a batch. What is published to a
-- channel changes its head, which goes when the channel is deleted, and a channel is purged after its notifications.
create table notifications (
    id              uuid primary key,
    channel_id      uuid not null,
    title           text not null,
    body            text not null,
    image           text,
    icon            text,
    link            text,
    importance      text not null,
    data            jsonb,
    external_id     text,
    visible         boolean not null,     -- in feeds and counts; changed together with the counts
    published_at    timestamptz,
    scheduled_at    timestamptz,
    expires_at      timestamptz,
    edited_at       timestamptz,
    withdrawn_at    timestamptz,
    created_at      timestamptz not null default now(),
    position        bigint,               -- on the stream, of its publication
    stream_position bigint,               -- on the stream, of its latest change: replay from here
    ordinal         bigint,               -- among its channel's publications, without gaps: read up to here
    actor_kind      text,                 -- these three say who published it, as in audit_log; null: the server itself
    actor_id        uuid,
    token_id        uuid
);
create unique index notifications_external_id_key on notifications (channel_id, external_id)
    where external_id is not null;
create unique index notifications_ordinal_key on notifications (channel_id, ordinal) where ordinal is not null;
create unique index notifications_stream_idx on notifications (stream_position) where stream_position is not null;
-- The publications of what has changed since: a stream replays them at their own positions.
create index notifications_publications_idx on notifications (position) where position < stream_position;
create index notifications_feed_idx on notifications (channel_id, published_at desc, id desc) where visible;
create index notifications_important_idx on notifications (channel_id, published_at desc, id desc)
    where visible and importance = 'important';
create index notifications_hidden_idx on notifications (channel_id, ordinal) where ordinal is not null and not visible;
create index notifications_due_idx on notifications (scheduled_at) where published_at is null and withdrawn_at is null;
create index notifications_due_channel_idx on notifications (channel_id, scheduled_at)
    where published_at is null and withdrawn_at is null;
create index notifications_expiring_idx on notifications (expires_at) where visible and expires_at is not null;
create index notifications_expiring_channel_idx on notifications (channel_id, expires_at)
    where visible and expires_at is not null;

-- How many publications of a channel are hidden, in runs of 64, 64², … 64⁵ of them: what a reader has not read of a
-- channel is counted in few steps, however much of it is hidden. Runs of what was pruned may be missing.
create table hidden_counts (
    channel_id uuid not null references channels on delete cascade,
    level      integer not null, -- a run has 64 ^ level publications
    run        bigint not null,  -- with the ordinals that are this when shifted right by 6 * level bits
    count      bigint not null,
    primary key (channel_id, level, run)
) with (fillfactor = 50);

-- Nothing is published hidden with an ordinal, so only updates are counted.
create function count_hidden() returns trigger language plpgsql as $$
begin
    insert into hidden_counts as k (channel_id, level, run, count)
    select channel_id, level, ordinal >> 6 * level, sum(change)
    from (
        select channel_id, ordinal, 1 as change from changed where ordinal is not null and not visible
        union all
        select channel_id, ordinal, -1 from was where ordinal is not null and not visible
    ) v cross join generate_series(1, 5) level
    group by 1, 2, 3 having sum(change) <> 0 order by 1, 2, 3
    on conflict (channel_id, level, run) do update set count = k.count + excluded.count;
    return null;
end
$$;
create trigger notifications_hidden after update on notifications referencing old table as was new table as changed
    for each statement execute function count_hidden();

-- The words by which a notification is found. They are written some moments after the publication, so that publishing
-- does not wait for the index.
create table notification_words (
    notification_id uuid primary key references notifications on delete cascade,
    words           tsvector not null
);
create index notification_words_idx on notification_words using gin (words);

-- first_words returns the first different words of a text, without their positions. Each of them is an entry in an
-- index, so their number is what a text costs.
create function first_words(words tsvector, most integer) returns tsvector language sql immutable parallel safe as $$
    select case when length(words) <= most then strip(words)
        else (select array_to_tsvector(array_agg(lexeme)) from (
            select lexeme from unnest(words) order by positions[1], lexeme limit most) w)
        end
$$;

-- notification_words returns the first 1,000 words of a notification, and one for its channel, which no text contains.
-- With it the index finds the words in the followed channels, and reads nothing of others. The text is cut after it is
-- taken apart, because a ligature may be 18 characters.
create function notification_words(channel_id uuid, title text, body text) returns tsvector
    language sql immutable parallel safe as $$
    select first_words(searchable(left(normalize(title || ' ' || body, NFKD), 40000)), 1000)
        || array_to_tsvector(array['#' || channel_id])
$$;

-- How far each part of search is. Notifications with short texts are indexed apart from those with long ones, so that
-- they do not wait for them. A batch is halved with each failure.
create table search_progress (
    part     text primary key,
    position bigint not null, -- on the stream, of the last notification that was indexed; unused for channels
    failures integer not null default 0
);
insert into search_progress (part, position) values ('short', 0), ('long', 0), ('channels', 0);

--------------------------------------------------------------------------------
-- Subscriptions, and what people have read
--------------------------------------------------------------------------------

create table subscriptions (
    subscriber_id uuid not null references subscribers on delete cascade,
    channel_id    uuid not null references channels on delete cascade,
    bell          text not null,
    muted_until   timestamptz,
    followed_at   timestamptz not null,
    read_ordinal  bigint not null,      -- what was published up to here is read, unless a receipt says otherwise
    read_at       timestamptz not null, -- since when
    primary key (subscriber_id, channel_id)
);
create index subscriptions_channel_idx on subscriptions (channel_id, subscriber_id);

-- The people with a bell "digest", who are told once a day how much came in those channels.
create table digests (
    subscriber_id uuid primary key references subscribers on delete cascade,
    told_at       timestamptz not null, -- what was published up to then was told
    due_at        timestamptz not null  -- when they are told next; epoch: that is to be planned
);
create index digests_due_idx on digests (due_at);

-- Whoever gives a channel the bell "digest" is told from then on, beginning with what the last day brought. The row is
-- locked, so that no node deletes it because it has not seen the bell yet.
create function begin_digests() returns trigger language plpgsql as $$
begin
    insert into digests as g (subscriber_id, told_at, due_at) values (new.subscriber_id, now() - interval '1 day', 'epoch')
    on conflict (subscriber_id) do update set due_at = g.due_at;
    return null;
end
$$;
create trigger subscriptions_digest after insert or update of bell on subscriptions
    for each row when (new.bell = 'digest') execute function begin_digests();

-- What a person had of a channel that they no longer follow, for when they follow it again.
create table former_subscriptions (
    subscriber_id uuid not null references subscribers on delete cascade,
    channel_id    uuid not null references channels on delete cascade,
    bell          text not null,
    muted_until   timestamptz,
    read_at       timestamptz not null,
    read_ordinal  bigint not null,
    ended_at      timestamptz not null,
    primary key (subscriber_id, channel_id)
);
create index former_subscriptions_ended_idx on former_subscriptions (ended_at);
create index former_subscriptions_channel_idx on former_subscriptions (channel_id);

-- What a person did with a notification. It says whether they have read it only where the subscription says otherwise,
-- so that counting does not take longer with all that they ever read.
create table receipts (
    subscriber_id   uuid not null references subscribers on delete cascade,
    notification_id uuid not null references notifications on delete cascade,
    read            boolean,
    read_at         timestamptz,
    archived_at     timestamptz, -- since when it is out of the feed: for good, or if it is postponed
    snoozed_until   timestamptz, -- until then
    opened_at       timestamptz,
    constraint receipts_snoozed_check check (snoozed_until is null or archived_at is not null),
    primary key (subscriber_id, notification_id)
);
create index receipts_notification_idx on receipts (notification_id);
create index receipts_archived_idx on receipts (subscriber_id, notification_id) where archived_at is not null;
create index receipts_exceptions_idx on receipts (subscriber_id, notification_id)
    where read is not null or archived_at is not null;
create index receipts_snoozed_idx on receipts (snoozed_until) where snoozed_until is not null;
create index receipts_snoozed_person_idx on receipts (subscriber_id) where snoozed_until is not null;

-- To whom each notification was displayed, by the numbers of people. Nobody is in two rows of one notification. A number
-- is never used again, so that of a person who has left is nobody's.
create table displays (
    notification_id uuid not null references notifications on delete cascade,
    part            integer not null,
    people          integer[] not null,
    count           integer not null generated always as (cardinality(people)) stored,
    primary key (notification_id, part)
);

-- What was displayed and is not yet in displays: in a row what many people have reported at about the same time, at equal
-- places of both lists. Somebody may be in several rows, and in displays.
create table new_displays (
    id               bigint primary key generated always as identity,
    at               timestamptz not null default clock_timestamp(),
    notification_ids uuid[] not null,
    people           integer[] not null
);

-- displayed_counts returns how many people notifications were displayed to, without those displayed to nobody.
create function displayed_counts(ids uuid[]) returns table (notification_id uuid, people bigint)
    language sql stable parallel safe as $$
    with fresh as materialized (
        select distinct v.notification_id, v.person
        from new_displays cross join lateral unnest(notification_ids, people) v (notification_id, person)
        join unnest(ids) i (id) on i.id = v.notification_id
    )
    select notification_id, sum(people)::bigint from (
        select i.id as notification_id, d.count as people from unnest(ids) i (id) cross join lateral (
            select count from displays where notification_id = i.id offset 0) d
        union all
        select notification_id, count(*) from (
            select notification_id, person from fresh
            except
            select n.notification_id, unnest(d.people)
            from (select distinct notification_id from fresh) n cross join lateral (
                select people from displays where notification_id = n.notification_id offset 0) d
        ) f group by 1
    ) v group by 1
$$;

-- Links by which people join a private channel. An invitation is open until its time, its number of uses or its end.
create table channel_invitations (
    id          uuid primary key,
    channel_id  uuid not null references channels on delete cascade,
    secret_hash bytea not null,
    approval    boolean not null, -- whoever opens it asks to join
    max_uses    integer,          -- null: any number of people
    uses        integer not null default 0,
    email       text,             -- to which it is sent, in lower case; null: to none
    created_at  timestamptz not null,
    expires_at  timestamptz,      -- never null with an email
    revoked_at  timestamptz
);
create unique index channel_invitations_secret_key on channel_invitations (secret_hash);
create index channel_invitations_channel_idx on channel_invitations (channel_id);
create index channel_invitations_expires_idx on channel_invitations (expires_at) where expires_at is not null;

-- People who have asked to join a private channel, until that is approved, and those who were refused or removed.
create table channel_requests (
    channel_id    uuid not null references channels on delete cascade,
    subscriber_id uuid not null references subscribers on delete cascade,
    requested_at  timestamptz, -- null: they were removed, or refused,
    refused_at    timestamptz, -- at this time: only a later invitation lets them in
    constraint channel_requests_check check ((requested_at is null) <> (refused_at is null)),
    primary key (channel_id, subscriber_id)
);
create index channel_requests_subscriber_idx on channel_requests (subscriber_id);

--------------------------------------------------------------------------------
-- Delivery to devices
--------------------------------------------------------------------------------

-- One row for each notification that is being or was pushed, with what the search for its devices needs. There is no
-- foreign key: checking it cost a sixth of a publish. A notification and its dispatch are inserted by one statement and
-- deleted by one transaction.
create table dispatches (
    notification_id  uuid primary key,
    channel_id       uuid not null,
    publisher_id     uuid not null,
    importance       text not null,
    traceparent      text,                      -- in which it was published, and its pushes and events continue
    started_at       timestamptz not null,
    targeted         bigint not null default 0, -- devices found so far, suppressed ones included
    found_subscriber uuid not null default '00000000-0000-0000-0000-000000000000', -- how far the search for devices is
    found_device     uuid not null default '00000000-0000-0000-0000-000000000000',
    expanded_at      timestamptz,               -- when the last device had been found
    check_at         timestamptz not null default now(), -- when to look next whether every device has its outcome
    finished_at      timestamptz,               -- when every device had it, with these numbers
    accepted         bigint not null default 0,
    suppressed       jsonb,                     -- by cause
    failed           jsonb,
    expired          jsonb
);
-- What is due is looked for by its owner, so that those who have much of it wait for themselves.
create index dispatches_unfinished_idx on dispatches (publisher_id, check_at) where finished_at is null;
-- Of a publisher's dispatches, those with the fewest devices so far are searched first.
create index dispatches_finding_idx on dispatches (publisher_id, targeted, notification_id) where expanded_at is null;

-- The devices of a notification in the order in which they were found, up to 500 in a row: a row for each device would
-- take ten times the space, and most of the time of a dispatch. No foreign keys: channels are purged in steps.
create table delivery_batches (
    notification_id uuid not null,
    first           bigint not null, -- how many devices were found before the first one of these
    devices         uuid[] not null,
    outcomes        text not null,   -- a letter for each device
    revised_at      timestamptz,     -- the time of the change that revised is about
    revised         text,            -- for each device, r when the change has been pushed to it
    primary key (notification_id, first)
) with (fillfactor = 50);
alter table delivery_batches alter column devices set storage external; -- ids cannot be compressed

-- What the letters in outcomes stand for. A device without an outcome has another: a dot when it is to be pushed, and
-- a hyphen until quiet hours end.
create table outcome_letters (
    letter  text primary key,
    outcome text not null,
    cause   text
);
insert into outcome_letters (letter, outcome, cause) values
    ('a', 'accepted', null),
    ('b', 'suppressed', 'bell'), ('m', 'suppressed', 'muted'), ('l', 'suppressed', 'unfollowed'),
    ('r', 'suppressed', 'read'),
    ('U', 'failed', 'unregistered'), ('S', 'failed', 'sender_mismatch'), ('I', 'failed', 'invalid'),
    ('R', 'failed', 'retired'), ('O', 'failed', 'off'),
    ('X', 'expired', 'expired'), ('W', 'expired', 'withdrawn'), ('Z', 'expired', 'suspended');

-- A row for each device that has its outcome.
create view deliveries as
select b.notification_id, v.device_id, l.outcome, l.cause
from delivery_batches b cross join lateral unnest(b.devices, string_to_array(b.outcomes, null)) v (device_id, letter)
join outcome_letters l on l.letter = v.letter;

-- Pushes that wait for the end of their subscriber's quiet hours, to arrive as one summary.
create table held_pushes (
    notification_id uuid not null,
    device_id       uuid not null, -- no foreign key: that of a person who left gets its outcome all the same
    until           timestamptz not null,
    first           bigint not null,  -- the batch, and
    place           integer not null, -- the device in it from 0
    primary key (notification_id, device_id)
);
create index held_pushes_until_idx on held_pushes (until, device_id);
create index held_pushes_device_idx on held_pushes (device_id);

-- What is held for a device that is retired or deleted waits no longer: it gets its outcome, so its dispatch can end.
create function release_held_pushes() returns trigger language plpgsql as $$
begin
    update held_pushes set until = '-infinity' where device_id = old.id;
    return null;
end
$$;
create trigger devices_retired after update of retired_at on devices for each row
    when (old.retired_at is null and new.retired_at is not null) execute function release_held_pushes();
create trigger devices_deleted after delete on devices for each row
    when (old.retired_at is null) execute function release_held_pushes();

-- Pushes that wait for their turn. Owners have theirs one after another, however many one of them waits for.
create table turns (
    id              bigint generated always as identity primary key,
    queue           text not null,
    owner           uuid not null,     -- the account of a publisher, or the person whose devices they are
    service         text not null,     -- the push service of the devices; a tilde for several
    class           smallint not null, -- of an owner's turns, lower ones are first
    kind            text not null,
    devices         integer not null,
    notification_id uuid,
    first           bigint,            -- the batch
    args            jsonb,
    traceparent     text,
    tries           integer not null default 0,
    started         boolean not null default false, -- something of it was sent
    created_at      timestamptz not null default clock_timestamp(),
    -- Parked turns are under way, or nothing of them may be pushed until they are due. Should a node die, the turns
    -- that it had taken are due again soon.
    parked          boolean not null default false,
    due_at          timestamptz not null default clock_timestamp()
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.05);
create index turns_ready_idx on turns (queue, owner, service, class, id) where not parked;
create index turns_parked_idx on turns (due_at) where parked;

-- The pace at which all nodes together may do something, as push to one service, and until when they must not.
create table pacers (
    name         text primary key,
    next_at      timestamptz not null default now(),
    paused_until timestamptz,
    pause_cause  text
);
insert into pacers (name) values ('fcm');

-- The key with which browsers subscribe, encrypted with SECRET_KEY. There is one row at most.
create table web_push_key (
    single         boolean primary key default true check (single),
    public         text not null,
    private_sealed bytea not null,
    created_at     timestamptz not null
);

--------------------------------------------------------------------------------
-- Requests that are repeated
--------------------------------------------------------------------------------

create table idempotency_keys (
    id              uuid primary key,               -- a hash of the caller, the route and the key
    body_hash       bytea not null,
    notification_id uuid,                           -- that was published; otherwise there is a response
    published_at    timestamptz,                    -- of the notification, in the response; null: it was scheduled
    response        text,                           -- JSON of the result
    existing        boolean not null default false, -- the result had been there before
    caller          text,                           -- of a response
    created_at      timestamptz not null default now()
);
create index idempotency_keys_caller_idx on idempotency_keys (caller) where caller is not null;
-- The keys of a day are next to each other.
create index idempotency_keys_created_idx on idempotency_keys using brin (created_at) with (autosummarize);

-- How channels were shown until a change, for as long as the keys of what was published before are kept.
create table former_channel_names (
    channel_id uuid not null,
    name       text not null,
    icon       text,
    until      timestamptz not null default now()
);
create index former_channel_names_idx on former_channel_names (channel_id, until);

create function keep_former_channel_name() returns trigger language plpgsql as $$
begin
    insert into former_channel_names (channel_id, name, icon) values (old.id, old.name, old.icon);
    return null;
end
$$;
create trigger channels_renamed after update of name, icon on channels
    for each row when ((old.name, old.icon) is distinct from (new.name, new.icon))
    execute function keep_former_channel_name();

--------------------------------------------------------------------------------
-- Drafts: what people have begun to write, and the templates of channels
--------------------------------------------------------------------------------

-- A draft has an author, and is deleted with their membership; a template has a name instead.
create table drafts (
    id           uuid primary key,
    channel_id   uuid not null references channels on delete cascade,
    publisher_id uuid not null, -- of the channel
    author_id    uuid,
    name         text,
    content      jsonb not null,
    plan         jsonb,       -- of a template that repeats,
    planner_id   uuid,        -- which member planned it,
    next_at      timestamptz, -- when it makes something again,
    missed_at    timestamptz, -- and when it made nothing, unless it has made something since
    created_at   timestamptz not null,
    updated_at   timestamptz not null,
    constraint drafts_planner_fkey foreign key (publisher_id, planner_id) references publisher_members,
    constraint drafts_author_fkey foreign key (publisher_id, author_id) references publisher_members on delete cascade,
    constraint drafts_channel_name_key unique (channel_id, name),
    constraint drafts_kind_check check ((author_id is null) <> (name is null))
);
create index drafts_author_idx on drafts (author_id, publisher_id) where author_id is not null;
create index drafts_planner_idx on drafts (planner_id, publisher_id) where planner_id is not null;
create index drafts_next_idx on drafts (next_at) where next_at is not null;

-- A foreign key can set one of its columns to null only from PostgreSQL 15 on.
create function forget_planner() returns trigger language plpgsql as $$
begin
    update drafts set planner_id = null where publisher_id = old.publisher_id and planner_id = old.subscriber_id;
    return old;
end
$$;
create trigger publisher_members_leaving before delete on publisher_members
    for each row execute function forget_planner();

--------------------------------------------------------------------------------
-- Webhooks: what others post to channels
--------------------------------------------------------------------------------

create table webhooks (
    id                     uuid primary key,
    channel_id             uuid not null references channels on delete cascade,
    name                   text not null,
    sender                 text not null default 'plain',    -- whose payloads it takes,
    signing                text not null default 'standard', -- how they are signed,
    template               jsonb,                            -- and its own template that makes notifications of them
    address_hash           bytea not null constraint webhooks_address_hash_key unique,
    address_sealed         bytea not null, -- encrypted with SECRET_KEY, as the secrets are
    address_replaced_at    timestamptz,    -- by the server, because a former member knew it; likewise the secret
    secret_sealed          bytea,          -- null: unsigned, by the owner's choice
    secret_known_to        uuid not null default '00000000-0000-0000-0000-000000000000', -- who set it; zero: nobody
    secret_replaced_at     timestamptz,
    previous_secret_sealed bytea,          -- before the latest rotation, good for a while
    previous_secret_until  timestamptz,
    created_at             timestamptz not null default now(),
    updated_at             timestamptz not null default now()
);
create index webhooks_channel_idx on webhooks (channel_id);
create index webhooks_secret_known_to_idx on webhooks (secret_known_to);

-- What a webhook received, with what came of it, refused events included. There is no foreign key to the notification:
-- a channel's webhooks are deleted before its notifications.
create table webhook_events (
    webhook_id      uuid not null references webhooks on delete cascade,
    event_id        text not null,
    kind            text,
    outcome         text not null,
    notification_id uuid,
    detail          text,  -- why it was refused
    payload         text,
    headers         jsonb,
    adjusted        jsonb, -- what was cut, dropped or rewritten: objects with pointer and reason; null: nothing
    -- Of a body whose signature does not cover the event's id, as that of GitHub and Sentry: otherwise anyone who has
    -- seen the event could send it again under another id.
    body_hash       bytea,
    received_at     timestamptz not null default now(),
    primary key (webhook_id, event_id)
);
create unique index webhook_events_body_key on webhook_events (webhook_id, body_hash)
    where body_hash is not null and notification_id is not null;
create index webhook_events_received_idx on webhook_events (webhook_id, received_at desc);
create index webhook_events_age_idx on webhook_events (received_at);

--------------------------------------------------------------------------------
-- Event endpoints: what publishers are notified of
--------------------------------------------------------------------------------

create table event_endpoints (
    id                     uuid primary key,
    publisher_id           uuid not null references publishers on delete cascade,
    url                    text not null,
    name                   text not null,
    events                 text[] not null,
    secret_sealed          bytea not null,
    previous_secret_sealed bytea,
    previous_secret_until  timestamptz,
    -- Nothing is posted before the owner of the address has agreed. The address is stored again, so that another one is
    -- not confirmed.
    confirmed_url          text,
    confirmed_at           timestamptz,
    challenge_hash         bytea,                      -- of the latest challenge and its address
    challenged_at          timestamptz,
    enabled                boolean not null default true,
    disabled_at            timestamptz,
    disabled_reason        text,
    failing_since          timestamptz,
    failures               integer not null default 0, -- in a row; the pause grows with them
    paused_until           timestamptz,                -- nothing is posted before
    created_at             timestamptz not null,
    updated_at             timestamptz not null
);
create index event_endpoints_publisher_idx on event_endpoints (publisher_id);
create index event_endpoints_failing_idx on event_endpoints (failing_since) where failing_since is not null;
create index event_endpoints_subscribers_idx on event_endpoints (id)
    where enabled and confirmed_url is not null and 'channel.subscribers' = any (events);

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
create index event_deliveries_order_idx on event_deliveries (endpoint_id, id) where status = 'pending';
create index event_deliveries_age_idx on event_deliveries (created_at);

create table event_attempts (
    delivery_id uuid not null references event_deliveries on delete cascade,
    number      integer not null,
    at          timestamptz not null,
    status      integer,
    response    text,
    error       text,
    duration_ms integer not null,
    primary key (delivery_id, number)
);

-- How many subscribers a channel had when an endpoint was last notified of that, or when it began to want that.
create table reported_subscribers (
    endpoint_id uuid not null references event_endpoints on delete cascade,
    channel_id  uuid not null references channels on delete cascade,
    subscribers bigint not null,
    reported_at timestamptz not null,
    primary key (endpoint_id, channel_id)
);
create index reported_subscribers_channel_idx on reported_subscribers (channel_id);

--------------------------------------------------------------------------------
-- Pictures that publishers have uploaded
--------------------------------------------------------------------------------

create table pictures (
    id           text primary key, -- the end of its address
    publisher_id uuid references publishers on delete set null,
    bytes        bigint not null,
    uploaded_at  timestamptz not null, -- for the last time
    deleting     boolean not null default false
);
create index pictures_uploaded_idx on pictures (uploaded_at);
create index pictures_publisher_idx on pictures (publisher_id);

-- Their forms, unless these are in a store outside.
create table picture_forms (
    picture_id   text not null references pictures on delete cascade,
    size         text not null, -- empty for the largest
    content_type text not null,
    content      bytea not null,
    primary key (picture_id, size)
);
alter table picture_forms alter column content set storage external; -- they are compressed already

-- upload_of returns the id of the uploaded picture that an address leads to, or null.
create function upload_of(address text) returns text language sql immutable parallel safe as $$
    select substring(address from '/pictures/uploads/([A-Za-z0-9_-]{22})$')
$$;
create index notifications_upload_image_idx on notifications (upload_of(image)) where image like '%/pictures/uploads/%';
create index notifications_upload_icon_idx on notifications (upload_of(icon)) where icon like '%/pictures/uploads/%';
create index channels_upload_idx on channels (upload_of(icon)) where icon like '%/pictures/uploads/%';
create index drafts_upload_image_idx on drafts (upload_of(content->>'image'))
    where content->>'image' like '%/pictures/uploads/%';
create index drafts_upload_icon_idx on drafts (upload_of(content->>'icon'))
    where content->>'icon' like '%/pictures/uploads/%';
create index publishers_upload_idx on publishers (upload_of(avatar)) where avatar like '%/pictures/uploads/%';

--------------------------------------------------------------------------------
-- What publishers store
--------------------------------------------------------------------------------

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

-- storage_used returns how many bytes a publisher stores.
create function storage_used(publisher uuid) returns bigint language sql stable parallel safe as $$
    select greatest(0, coalesce((select used from publisher_storage where publisher_id = publisher), 0)
        + coalesce((select sum(bytes)::bigint from storage_changes where publisher_id = publisher), 0))
$$;

-- What is counted of a row: its texts, and about as much as a row costs with its indexes, and with what is kept of its
-- delivery. Publishing counts in the same way (Notification.StoredBytes).
create function notification_bytes(
    title text, body text, image text, icon text, link text, external_id text, data jsonb
) returns bigint language sql immutable parallel safe as $$
    select 1024::bigint + octet_length(title) + octet_length(body) + coalesce(octet_length(image), 0)
        + coalesce(octet_length(icon), 0) + coalesce(octet_length(link), 0) + coalesce(octet_length(external_id), 0)
        + coalesce((select sum(octet_length(key) + octet_length(value)) from jsonb_each_text(data)), 0)::bigint
$$;
create function channel_bytes(c channels) returns bigint language sql immutable parallel safe as $$
    select 1024::bigint + octet_length(c.name) + octet_length(c.description) + coalesce(octet_length(c.icon), 0)
$$;
create function draft_bytes(d drafts) returns bigint language sql immutable parallel safe as $$
    select 512::bigint + coalesce(octet_length(d.name), 0) + octet_length(d.content::text)
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

-- Notifications are added by the statement that publishes, and everything else by triggers.

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
create trigger notifications_deleted after delete on notifications
    referencing old table as deleted for each statement execute function charge_deleted_notifications();

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
create trigger notifications_corrected after update of title, body, image, icon, link, data on notifications
    for each row when (
        notification_bytes(new.title, new.body, new.image, new.icon, new.link, new.external_id, new.data)
        <> notification_bytes(old.title, old.body, old.image, old.icon, old.link, old.external_id, old.data))
    execute function charge_corrected_notification();

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
create trigger channels_charged after insert or delete or update of name, description, icon on channels
    for each row execute function charge_channel();

create function charge_draft() returns trigger language plpgsql as $$
begin
    if tg_op <> 'INSERT' then
        insert into storage_changes values (old.publisher_id, -draft_bytes(old));
    end if;
    if tg_op <> 'DELETE' then
        insert into storage_changes values (new.publisher_id, draft_bytes(new));
    end if;
    return null;
end
$$;
create trigger drafts_charged after insert or delete or update of name, content on drafts
    for each row execute function charge_draft();

-- A webhook is deleted with its events, of which nobody knows afterwards whose they were. So they are counted off
-- before; likewise those of an event endpoint.
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
            select sum(webhook_event_bytes(e.event_id, e.payload, e.headers, e.detail))
            from webhook_events e where e.webhook_id = old.id), 0);
    end if;
    if publisher is not null and change <> 0 then
        insert into storage_changes values (publisher, change);
    end if;
    return coalesce(new, old);
end
$$;
create trigger webhooks_charged before insert or delete or update of name, template on webhooks
    for each row execute function charge_webhook();

create function charge_picture() returns trigger language plpgsql as $$
begin
    if tg_op <> 'INSERT' and old.publisher_id is not null then
        insert into storage_changes values (old.publisher_id, -1024 - old.bytes);
    end if;
    if tg_op <> 'DELETE' and new.publisher_id is not null then
        insert into storage_changes values (new.publisher_id, 1024 + new.bytes);
    end if;
    return null;
end
$$;
create trigger pictures_charged after insert or delete on pictures
    for each row execute function charge_picture();

create function charge_added_events() returns trigger language plpgsql as $$
begin
    insert into storage_changes (publisher_id, bytes)
    select c.publisher_id, sum(webhook_event_bytes(e.event_id, e.payload, e.headers, e.detail))
    from added e join webhooks w on w.id = e.webhook_id join channels c on c.id = w.channel_id
    where c.publisher_id is not null group by 1;
    return null;
end
$$;
create function charge_removed_events() returns trigger language plpgsql as $$
begin
    insert into storage_changes (publisher_id, bytes)
    select c.publisher_id, -sum(webhook_event_bytes(e.event_id, e.payload, e.headers, e.detail))
    from removed e join webhooks w on w.id = e.webhook_id join channels c on c.id = w.channel_id
    where c.publisher_id is not null group by 1;
    return null;
end
$$;
create trigger webhook_events_added after insert on webhook_events
    referencing new table as added for each statement execute function charge_added_events();
create trigger webhook_events_replacing after update on webhook_events
    referencing new table as added for each statement execute function charge_added_events();
create trigger webhook_events_replaced after update on webhook_events
    referencing old table as removed for each statement execute function charge_removed_events();
create trigger webhook_events_removed after delete on webhook_events
    referencing old table as removed for each statement execute function charge_removed_events();

create function charge_added_deliveries() returns trigger language plpgsql as $$
begin
    insert into storage_changes (publisher_id, bytes)
    select e.publisher_id, sum(event_delivery_bytes(d.payload))
    from added d join event_endpoints e on e.id = d.endpoint_id group by 1;
    return null;
end
$$;
create function charge_removed_deliveries() returns trigger language plpgsql as $$
begin
    insert into storage_changes (publisher_id, bytes)
    select e.publisher_id, -sum(event_delivery_bytes(d.payload))
    from removed d join event_endpoints e on e.id = d.endpoint_id group by 1;
    return null;
end
$$;
create function charge_deleted_endpoint() returns trigger language plpgsql as $$
begin
    insert into storage_changes (publisher_id, bytes)
    select old.publisher_id, -sum(event_delivery_bytes(d.payload)) from event_deliveries d
    where d.endpoint_id = old.id having count(*) > 0;
    return old;
end
$$;
create trigger event_deliveries_added after insert on event_deliveries
    referencing new table as added for each statement execute function charge_added_deliveries();
create trigger event_deliveries_removed after delete on event_deliveries
    referencing old table as removed for each statement execute function charge_removed_deliveries();
create trigger event_endpoints_deleted before delete on event_endpoints
    for each row execute function charge_deleted_endpoint();

--------------------------------------------------------------------------------
-- Moderation
--------------------------------------------------------------------------------

-- What people reported to the operators. The names are those at the time of the report, because what was reported may
-- be deleted. No foreign keys to it for the same reason.
create table reports (
    id              uuid primary key,
    reporter_id     uuid not null references subscribers on delete cascade,
    channel_id      uuid not null,
    notification_id uuid, -- null: the channel itself
    publisher_slug  text not null,
    channel_slug    text not null,
    title           text, -- of the notification
    category        text not null,
    text            text not null,
    status          text not null default 'open',
    created_at      timestamptz not null,
    updated_at      timestamptz not null,
    closed_at       timestamptz
);
create unique index reports_open_key on reports (reporter_id, channel_id, coalesce(notification_id, channel_id))
    where status = 'open';
create index reports_status_idx on reports (status, id);
create index reports_closed_idx on reports (closed_at) where closed_at is not null;
create index reports_reporter_idx on reports (reporter_id, id);

-- Who changed what. Entries outlive what they are about, so there are no foreign keys. No entry has the address of an
-- invitation: the log shows it while there is one.
create table audit_log (
    id           uuid primary key,
    at           timestamptz not null default now(),
    action       text not null, -- the operation of the API
    actor_kind   text not null, -- person, token, key, operator or system
    actor_id     uuid,          -- of the subscriber or the API key
    token_id     uuid,          -- of the access token
    publisher_id uuid,          -- whose owners see the entry; null: only operators do
    object_id    uuid,
    object_name  text not null, -- as it was then
    detail       jsonb,
    network      text,
    request_id   text
);
create index audit_log_publisher_idx on audit_log (publisher_id, id desc) where publisher_id is not null;
create index audit_log_at_idx on audit_log (at);
create index audit_log_object_idx on audit_log (object_id);
create index audit_log_actor_id_idx on audit_log (actor_id, id);

--------------------------------------------------------------------------------
-- The waiting list
--------------------------------------------------------------------------------

-- fold returns a text in lower case without accents, so that a search for joao finds João.
create function fold(text) returns text language sql immutable strict parallel safe as $$
    select lower(regexp_replace(normalize($1, NFKD), '[\u0300-\u036f]', '', 'g'))
$$;

-- People who wait to be let in. The status of an entry follows from what has happened to it.
create table waitlist_entries (
    id              uuid primary key,
    email           text not null,
    name            text,
    locale          text not null,
    -- The emailed link to its place has the token.
    token_hash      bytea not null constraint waitlist_entries_token_hash_key unique,
    invitation_hash bytea not null constraint waitlist_entries_invitation_hash_key unique, -- good while it is invited
    referral_code   text not null constraint waitlist_entries_referral_code_key unique,
    referred_by     uuid references waitlist_entries on delete set null,
    referrals       bigint not null default 0, -- how many it brought who confirmed
    subscriber_id   uuid references subscribers on delete cascade,
    created_at      timestamptz not null,
    confirmed_at    timestamptz,
    invited_at      timestamptz,
    joined_at       timestamptz,
    status          text not null generated always as (case
        when joined_at is not null then 'joined' when invited_at is not null then 'invited'
        when confirmed_at is not null then 'waiting' else 'unconfirmed' end) stored
);
create unique index waitlist_entries_email_key on waitlist_entries (lower(email));
create index waitlist_entries_place_idx on waitlist_entries (referrals desc, confirmed_at, id) where status = 'waiting';
create index waitlist_entries_unconfirmed_idx on waitlist_entries (created_at) where status = 'unconfirmed';
create index waitlist_entries_referred_idx on waitlist_entries (referred_by) where referred_by is not null;
create index waitlist_entries_subscriber_idx on waitlist_entries (subscriber_id) where subscriber_id is not null;

-- The entry by which each mailbox counts as a person: of ana+1@example.com and ana+2@example.com, the one that was
-- confirmed first.
create table waitlist_mailboxes (
    mailbox  text primary key, -- the address in lower case, without a tag
    entry_id uuid not null references waitlist_entries on delete cascade
);
create index waitlist_mailboxes_entry_idx on waitlist_mailboxes (entry_id);

-- When an address was last sent an email because somebody entered it in the form; kept for minutes.
create table waitlist_email_times (
    email     text primary key, -- in lower case
    queued_at timestamptz not null
);
create index waitlist_email_times_queued_idx on waitlist_email_times (queued_at);

--------------------------------------------------------------------------------
-- The installation
--------------------------------------------------------------------------------

-- Emails that strangers asked for within a day, by their networks: codes to sign in with, places on the waiting list
-- and membership invitations.
create table stranger_emails (
    network  cidr not null,
    asked_at timestamptz not null
);
create index stranger_emails_network_idx on stranger_emails (network, asked_at);
create index stranger_emails_asked_idx on stranger_emails (asked_at);

-- How many emails all servers sent in each hour.
create table email_hours (
    hour timestamptz primary key,
    sent integer not null
);

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

-- +goose StatementEnd
