-- +goose Up

-- Programs choose the ids of their installations, so somebody else may have the same.
drop index devices_installation_key;
create unique index devices_installation_key on devices (subscriber_id, installation_id) where retired_at is null;

-- +goose Down
drop index devices_installation_key;
create unique index devices_installation_key on devices (installation_id) where retired_at is null;
