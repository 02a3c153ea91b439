-- +goose Up

-- How many publications of a channel are hidden, in runs of 64, 64², … 64⁵ of them: what a reader has not read of a
-- channel is counted in few steps, however much of it is hidden. Runs of what was pruned may be missing.
create table hidden_counts (
    channel_id uuid not null references channels on delete cascade,
    level      integer not null,          -- a run has 64 ^ level publications
    run        bigint not null,           -- with the ordinals that are this when shifted right by 6 * level bits
    count      bigint not null,
    primary key (channel_id, level, run)
) with (fillfactor = 50);

-- A trigger, because servers of the version before do not count. They publish nothing that is hidden from the first.
-- +goose StatementBegin
create function count_hidden() returns trigger language plpgsql as $$
begin
    insert into hidden_counts as k (channel_id, level, run, count)
    select channel_id, level, ordinal >> 6 * level, sum(change)
    from (
        select channel_id, ordinal, 1 as change from changed where ordinal is not null and not visible
        union all
        select channel_id, ordinal, -1 from was where ordinal is not null and not visible
    ) v cross join generate_series(1, 5) level
    group by 1, 2, 3 having sum(change) <> 0 order by 1, 2, 3
    on conflict (channel_id, level, run) do update set count = k.count + excluded.count;
    return null;
end
$$;
-- +goose StatementEnd
create trigger notifications_hidden after update on notifications referencing old table as was new table as changed
    for each statement execute function count_hidden();

-- The lock that the trigger takes keeps others from hiding anything meanwhile.
insert into hidden_counts (channel_id, level, run, count)
select channel_id, level, ordinal >> 6 * level, count(*)
from notifications cross join generate_series(1, 5) level
where ordinal is not null and not visible
group by 1, 2, 3;

-- +goose Down
drop trigger notifications_hidden on notifications;
drop function count_hidden();
drop table hidden_counts;
