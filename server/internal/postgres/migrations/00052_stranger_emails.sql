-- +goose Up

-- Emails that strangers asked for within a day, by their networks: codes to sign in with, places on the waiting list
-- and membership invitations.
create table stranger_emails (
    network  cidr not null,
    asked_at timestamptz not null
);
create index stranger_emails_network_idx on stranger_emails (network, asked_at);
create index stranger_emails_asked_idx on stranger_emails (asked_at);
insert into stranger_emails (network, asked_at)
    select network::cidr, created_at from email_sign_ins where network <> '' and known_by is null;
alter table email_sign_ins drop column network;

-- +goose Down
alter table email_sign_ins add column network text not null default '';
create index email_sign_ins_network_idx on email_sign_ins (network, created_at) where network <> '';
drop table stranger_emails;
