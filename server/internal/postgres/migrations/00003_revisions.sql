-- +goose Up

-- Which change of a notification that they were pushed devices have been told of.
alter table deliveries add column revised_at timestamptz;

-- A key is rotated once: its end is then that of the grace, and no more the one that its successor takes over.
alter table api_keys add column rotated_at timestamptz;

-- By which session a device was registered: all of them end with it, and not only the latest.
alter table devices add column session_id uuid;
update devices d set session_id = s.id from sessions s where s.device_id = d.id;
create index devices_session_idx on devices (session_id) where retired_at is null;

-- +goose Down
alter table devices drop column session_id;
alter table deliveries drop column revised_at;
alter table api_keys drop column rotated_at;
