-- +goose Up

-- What is due is looked for by its owner, so that those who have much of it wait for themselves.
drop index dispatches_unfinished_idx;
create index dispatches_unfinished_idx on dispatches (publisher_id, check_at) where finished_at is null;
create index notifications_due_channel_idx on notifications (channel_id, scheduled_at)
    where published_at is null and withdrawn_at is null;
create index notifications_expiring_channel_idx on notifications (channel_id, expires_at)
    where visible and expires_at is not null;

-- +goose Down
drop index notifications_expiring_channel_idx, notifications_due_channel_idx, dispatches_unfinished_idx;
create index dispatches_unfinished_idx on dispatches (check_at) where finished_at is null;
