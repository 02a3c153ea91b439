-- +goose Up

-- From where a program asked to be signed in, so that the person can tell whether it is theirs.
alter table device_sign_ins add column network text not null default '';

-- +goose Down
alter table device_sign_ins drop column network;
