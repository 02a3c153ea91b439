-- +goose Up

-- The first day, in UTC, for which the number of followers is known: the day of the creation, and for the channels from
-- before that of this migration.
alter table channels add column followers_since date not null default ((now() at time zone 'utc')::date);

-- By how much the number of a channel's followers has changed on a day, in UTC. It is spread over stripes as
-- channel_counts is.
create table channel_days (
    channel_id uuid not null references channels on delete cascade,
    day        date not null,
    stripe     smallint not null,
    change     bigint not null,
    primary key (channel_id, day, stripe)
);
create index channel_days_day_idx on channel_days (day);

-- A trigger writes the days, so that they agree with channel_counts whoever changes it. The row in channel_counts is
-- locked first, so it adds no order of locks.
-- +goose StatementBegin
create function add_channel_day() returns trigger language plpgsql as $$
begin
    insert into channel_days as d (channel_id, day, stripe, change)
    values (new.channel_id, (now() at time zone 'utc')::date, new.stripe, new.subscribers - coalesce(old.subscribers, 0))
    on conflict (channel_id, day, stripe) do update set change = d.change + excluded.change;
    return null;
end
$$;
-- +goose StatementEnd
create trigger channel_counts_inserted after insert on channel_counts
    for each row when (new.subscribers <> 0) execute function add_channel_day();
create trigger channel_counts_changed after update on channel_counts
    for each row when (new.subscribers <> old.subscribers) execute function add_channel_day();

-- +goose Down
drop trigger channel_counts_changed on channel_counts;
drop trigger channel_counts_inserted on channel_counts;
drop function add_channel_day;
drop table channel_days;
alter table channels drop column followers_since;
