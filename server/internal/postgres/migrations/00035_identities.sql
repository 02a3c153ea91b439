-- +goose Up

-- What a person signs in with: an account at an OpenID provider, or an email address.
create table identities (
    id            uuid primary key default gen_random_uuid(),
    subscriber_id uuid not null references subscribers (id) on delete cascade,
    issuer        text not null,
    subject       text not null,
    email         text not null,
    created_at    timestamptz not null,
    used_at       timestamptz,
    unique (issuer, subject)
);
create index identities_subscriber_idx on identities (subscriber_id, created_at, id);
create index identities_email_idx on identities (lower(email));

insert into identities (subscriber_id, issuer, subject, email, created_at, used_at)
select id, 'https://accounts.google.com', google_subject, email, created_at, signed_in_at from subscribers;

-- Servers of the version before, which may run during an update, know only Google's subject and nothing of identities.
alter table subscribers alter column google_subject drop not null;

-- +goose StatementBegin
create function add_google_identity() returns trigger language plpgsql as $$
begin
    insert into identities (subscriber_id, issuer, subject, email, created_at, used_at)
    values (new.id, 'https://accounts.google.com', new.google_subject, new.email, new.created_at, new.signed_in_at)
    on conflict do nothing;
    return null;
end
$$;
-- +goose StatementEnd

create trigger subscribers_google_identity after insert on subscribers
for each row when (new.google_subject is not null) execute function add_google_identity();

-- A sign-in by email that has begun. The code is not stored: it is derived from the id and a key of the server.
create table email_sign_ins (
    id            uuid primary key,
    email         text not null,
    mailbox       text not null,
    subscriber_id uuid references subscribers (id) on delete cascade,
    attempts      smallint not null default 0,
    created_at    timestamptz not null,
    expires_at    timestamptz not null,
    used_at       timestamptz
);
create index email_sign_ins_mailbox_idx on email_sign_ins (mailbox, created_at);
create index email_sign_ins_created_idx on email_sign_ins (created_at);
create index email_sign_ins_subscriber_idx on email_sign_ins (subscriber_id) where subscriber_id is not null;

-- +goose Down
drop table email_sign_ins;
drop trigger subscribers_google_identity on subscribers;
drop function add_google_identity;
update subscribers s set google_subject = coalesce(
    (select subject from identities i where i.subscriber_id = s.id and i.issuer = 'https://accounts.google.com'
        order by i.created_at, i.id limit 1), id::text) where google_subject is null;
alter table subscribers alter column google_subject set not null;
drop table identities;
