-- +goose Up

-- How long a channel keeps its notifications, and how many; null is as long as the installation does.
alter table channels add column keep_days integer, add column keep_count integer;

-- The number of the last publication that retention has deleted: it deletes from the first on, without gaps.
alter table channel_heads add column pruned bigint not null default 0;

-- +goose Down
alter table channel_heads drop column pruned;
alter table channels drop column keep_days, drop column keep_count;
