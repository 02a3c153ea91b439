-- +goose Up

create index held_pushes_device_idx on held_pushes (device_id);

-- What is held for a device that is no more waits no longer: it gets its outcome, and its notification's dispatch ends.
-- +goose StatementBegin
create function let_go_of_device() returns trigger language plpgsql as $$
begin
    update held_pushes set until = '-infinity' where device_id = old.id;
    return null;
end $$;
-- +goose StatementEnd
create trigger devices_retired after update of retired_at on devices for each row
    when (old.retired_at is null and new.retired_at is not null) execute function let_go_of_device();
create trigger devices_deleted after delete on devices for each row
    when (old.retired_at is null) execute function let_go_of_device();

-- +goose Down
drop trigger devices_deleted on devices;
drop trigger devices_retired on devices;
drop function let_go_of_device;
drop index held_pushes_device_idx;
