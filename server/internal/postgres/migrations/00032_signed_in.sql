-- +goose Up

-- When the person last signed in. It is null for those who have not since this migration.
alter table subscribers add column signed_in_at timestamptz;

-- +goose Down
alter table subscribers drop column signed_in_at;
