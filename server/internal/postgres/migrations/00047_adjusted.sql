-- +goose Up

-- What was cut, dropped or rewritten to make a notification of the event: a list of objects with pointer and reason, or
-- null for nothing.
alter table webhook_events add column adjusted jsonb;

-- +goose Down
alter table webhook_events drop column adjusted;
