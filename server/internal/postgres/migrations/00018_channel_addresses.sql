-- +goose Up

-- Of all channels, because a statement that finds a channel by its publisher need not say that it is not deleted, and
-- would scan the table. A deleted channel has no publisher.
drop index channels_publisher_slug_key;
create unique index channels_publisher_slug_key on channels (publisher_id, slug);

-- +goose Down
drop index channels_publisher_slug_key;
create unique index channels_publisher_slug_key on channels (publisher_id, slug) where deleted_at is null;
