-- +goose Up

-- Who waits to be let in. What an entry is follows from what has happened to it.
create table waitlist_entries (
    id              uuid primary key,
    email           text not null,
    name            text,
    locale          text not null,
    token_hash      bytea not null constraint waitlist_entries_token_hash_key unique,      -- of the e-mailed link to its place
    invitation_hash bytea not null constraint waitlist_entries_invitation_hash_key unique, -- of an invitation, good while it is invited
    referral_code   text not null constraint waitlist_entries_referral_code_key unique,
    referred_by     uuid references waitlist_entries on delete set null,
    referrals       bigint not null default 0, -- how many it brought who confirmed; it stays when they leave
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

-- When an address was written to last for having been typed into the form; kept for minutes.
create table waitlist_letters (
    email     text primary key, -- in lower case
    queued_at timestamptz not null
);
create index waitlist_letters_queued_idx on waitlist_letters (queued_at);

-- +goose Down
drop table waitlist_letters, waitlist_entries;
