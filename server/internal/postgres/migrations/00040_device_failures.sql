-- +goose Up

-- How pushes to a device have failed since it last accepted one, and when it is tried again.
alter table devices add column failures integer not null default 0, add column refusals integer not null default 0,
    add column failing_since timestamptz, add column retry_at timestamptz;

-- +goose Down
alter table devices drop column retry_at, drop column failing_since, drop column refusals, drop column failures;
