-- +goose Up

-- An operator suspends a channel, a publisher or an account. The reason is for its owner.
alter table channels add column suspended_at timestamptz, add column suspension_reason text,
    add constraint channels_suspension_check check ((suspended_at is null) = (suspension_reason is null));
alter table publishers add column suspended_at timestamptz, add column suspension_reason text,
    add constraint publishers_suspension_check check ((suspended_at is null) = (suspension_reason is null));
alter table subscribers add column suspended_at timestamptz, add column suspension_reason text,
    add constraint subscribers_suspension_check check ((suspended_at is null) = (suspension_reason is null));

-- Whether the channel or its publisher is suspended, so that no query needs both. The index is nearly empty, so that
-- looking a channel up in it costs next to nothing.
alter table channels add column suspended boolean not null default false;
create index channels_suspended_idx on channels (id) where suspended;

insert into outcome_letters (letter, outcome, cause) values ('Z', 'expired', 'suspended') on conflict do nothing;

-- What people reported to the operators. The names are those at the time of the report, because what was reported may
-- be deleted. No foreign keys to it for the same reason.
create table reports (
    id              uuid primary key,
    reporter_id     uuid not null references subscribers on delete cascade,
    channel_id      uuid not null,
    notification_id uuid,                -- null: the channel itself
    publisher_slug  text not null,
    channel_slug    text not null,
    title           text,                -- of the notification
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

-- Who changed what. Entries outlive what they are about, so there are no foreign keys.
create table audit_log (
    id           uuid primary key,
    at           timestamptz not null default now(),
    action       text not null,          -- the operation of the API
    actor_kind   text not null,          -- person, token, key, operator or system
    actor_id     uuid,                   -- of the subscriber or the API key
    token_id     uuid,                   -- of the access token
    publisher_id uuid,                   -- whose owners see the entry; null: only operators do
    object_id    uuid,
    object_name  text not null,          -- as it was then
    detail       jsonb,
    network      text,
    request_id   text
);
create index audit_log_publisher_idx on audit_log (publisher_id, id desc) where publisher_id is not null;
create index audit_log_at_idx on audit_log (at);
create index audit_log_object_idx on audit_log (object_id);
create index audit_log_actor_idx on audit_log (actor_id);

-- +goose Down
drop table audit_log, reports;
delete from outcome_letters where letter = 'Z';
drop index channels_suspended_idx;
alter table channels drop column suspended, drop column suspended_at, drop column suspension_reason;
alter table publishers drop column suspended_at, drop column suspension_reason;
alter table subscribers drop column suspended_at, drop column suspension_reason;
