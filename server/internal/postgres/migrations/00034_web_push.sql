-- +goose Up

-- The keys of a push subscription; null for FCM. The service is that of core.PushAddress.
alter table devices add column p256dh bytea, add column auth bytea, add column service text not null default 'fcm';
create index devices_service_idx on devices (service, subscriber_id) where retired_at is null and service <> 'fcm';

-- The key with which browsers subscribe, encrypted with SECRET_KEY. There is one row at most.
create table web_push_key (
    single         boolean primary key default true check (single),
    public         text not null,
    private_sealed bytea not null,
    created_at     timestamptz not null
);

insert into outcome_letters (letter, outcome, cause) values ('O', 'failed', 'off');

-- +goose Down
delete from outcome_letters where letter = 'O';
drop table web_push_key;
drop index devices_service_idx;
alter table devices drop column service, drop column auth, drop column p256dh;
