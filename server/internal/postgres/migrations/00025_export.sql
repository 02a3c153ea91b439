-- +goose Up

-- For the pages of an export. The index of actors is replaced by one in the order of the entries.
create index audit_log_actor_id_idx on audit_log (actor_id, id);
drop index audit_log_actor_idx;
create index reports_reporter_idx on reports (reporter_id, id);

-- +goose Down
create index audit_log_actor_idx on audit_log (actor_id);
drop index audit_log_actor_id_idx, reports_reporter_idx;
