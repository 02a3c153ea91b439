-- +goose Up

-- Finds who has deleted a publisher with a slug.
create index audit_log_freed_idx on audit_log (object_name) where action in ('deletePublisher', 'deleteMe');

-- +goose Down
drop index audit_log_freed_idx;
