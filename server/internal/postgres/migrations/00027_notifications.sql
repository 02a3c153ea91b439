-- +goose Up

-- Checking the channel of each notification cost a seventh of a batch in PostgreSQL. Publishing locks each channel once
-- instead, and a channel is deleted only after its notifications.
alter table notifications drop constraint notifications_channel_id_fkey;

-- +goose Down
delete from notifications n where not exists (select from channels c where c.id = n.channel_id);
alter table notifications add constraint notifications_channel_id_fkey foreign key (channel_id) references channels;
