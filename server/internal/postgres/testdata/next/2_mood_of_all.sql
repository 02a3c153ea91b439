-- +goose NO TRANSACTION
-- +goose Up

-- Each batch is a transaction of its own, by the order of the key, up to the last row that there is at first: later ones
-- have the default, and would come as fast as the batches. Run again, it passes over what it has done.
-- +goose StatementBegin
do $$
declare
    done uuid := '00000000-0000-0000-0000-000000000000'; -- up to this id
    last uuid;                                           -- of the batch
    final uuid := (select id from notifications order by id desc limit 1);
begin
    loop
        select id into last from (
            select id from notifications where id > done and id <= final order by id limit 1000) batch
        order by id desc limit 1;
        exit when not found;
        update notifications set mood = case importance when 'important' then 'stirred' else 'calm' end
        where id > done and id <= last and mood is null;
        commit;
        done := last;
        perform pg_sleep(0.01); -- leaves the disk to the servers
    end loop;
end
$$;
-- +goose StatementEnd

-- Only now, because it also refuses a change of a row that has no mood yet.
alter table notifications drop constraint if exists notifications_mood_check;
alter table notifications add constraint notifications_mood_check check (mood is not null) not valid;
alter table notifications validate constraint notifications_mood_check;
