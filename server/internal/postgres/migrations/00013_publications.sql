-- +goose Up

-- The publications of what has changed since. A stream replays them at their own positions.
create index notifications_publications_idx on notifications (position) where position < stream_position;

-- +goose Down
drop index notifications_publications_idx;
