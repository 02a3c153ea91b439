-- +goose Up

-- Which change of a notification that they were pushed devices have been told of.
alter table deliveries add column revised_at timestamptz;

-- +goose Down
alter table deliveries drop column revised_at;
