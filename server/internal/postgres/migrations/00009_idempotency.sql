-- +goose Up

-- A key counts for one caller on one path.
alter table idempotency_keys drop constraint idempotency_keys_pkey, add primary key (caller, route, key);

-- +goose Down
delete from idempotency_keys k using idempotency_keys older
where older.caller = k.caller and older.key = k.key and (older.created_at, older.route) < (k.created_at, k.route);
alter table idempotency_keys drop constraint idempotency_keys_pkey, add primary key (caller, key);
