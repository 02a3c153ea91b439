-- +goose Up

-- A column without a default is added without reading the table. The default set afterwards is for what is inserted
-- from then on, also by servers that do not know the column.
alter table notifications add column mood text;
alter table notifications alter column mood set default 'calm';

create table published_times (
    notification_id uuid primary key,
    at              timestamptz not null default now()
);
-- +goose StatementBegin
create function note_published_time() returns trigger language plpgsql as $$
begin
    insert into published_times (notification_id) values (new.id);
    return null;
end
$$;
-- +goose StatementEnd
create trigger notifications_timed after insert on notifications
    for each row execute function note_published_time();
