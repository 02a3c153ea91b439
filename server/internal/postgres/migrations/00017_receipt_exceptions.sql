-- +goose Up

-- A receipt says whether a notification is read only where the subscription says otherwise, so that counting does not
-- take longer with all that a person ever read.
update receipts r set read = null from notifications n, subscriptions s
where r.read and n.id = r.notification_id and n.ordinal <= s.read_ordinal
    and s.subscriber_id = r.subscriber_id and s.channel_id = n.channel_id;
create index receipts_exceptions_idx on receipts (subscriber_id, notification_id)
    where read is not null or archived_at is not null;
drop index receipts_unread_idx;

-- +goose Down
create index receipts_unread_idx on receipts (subscriber_id, notification_id) where not read;
drop index receipts_exceptions_idx;
update receipts set read = true where read is null and read_at is not null;
