-- +goose Up

-- Who published the notification, as in audit_log. All are null for those from before, and for the server's own.
alter table notifications add column actor_kind text, add column actor_id uuid, add column token_id uuid;

-- +goose Down
alter table notifications drop column token_id, drop column actor_id, drop column actor_kind;
