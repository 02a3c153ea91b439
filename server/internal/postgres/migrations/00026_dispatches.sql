-- +goose Up

-- Checking the notification of each dispatch cost a sixth of a publish in PostgreSQL. Both are inserted by one
-- statement and deleted by one transaction.
alter table dispatches drop constraint dispatches_notification_id_fkey;

-- +goose Down
delete from dispatches x where not exists (select from notifications n where n.id = x.notification_id);
alter table dispatches add constraint dispatches_notification_id_fkey
    foreign key (notification_id) references notifications on delete cascade;
