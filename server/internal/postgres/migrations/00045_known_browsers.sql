-- +goose Up

-- A browser in which a person has signed in, which keeps codes for them that strangers cannot use up. Its secret signs
-- nobody in.
create table known_browsers (
    secret_hash   bytea not null,
    subscriber_id uuid not null references subscribers (id) on delete cascade,
    session_id    uuid not null, -- the latest there, which may have ended
    used_at       timestamptz not null,
    primary key (subscriber_id, secret_hash)
);
create index known_browsers_secret_idx on known_browsers (secret_hash);
create index known_browsers_used_idx on known_browsers (used_at);

-- The person whose known browser asked for a code, or null for one that a stranger asked for, with its network.
alter table email_sign_ins
    add column known_by uuid references subscribers (id) on delete cascade,
    add column network text not null default '';
create index email_sign_ins_known_idx on email_sign_ins (known_by, created_at) where known_by is not null;
create index email_sign_ins_network_idx on email_sign_ins (network, created_at) where network <> '';

-- +goose Down
alter table email_sign_ins drop column known_by, drop column network;
drop table known_browsers;
