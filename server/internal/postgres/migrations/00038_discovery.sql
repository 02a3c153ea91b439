-- +goose Up

-- A search ranks channels by where its words are: A is the channel's own name and slug, B everything else.
-- +goose StatementBegin
create or replace function channel_search(c channels) returns tsvector language sql stable as $$
    select coalesce((
        select setweight(searchable(concat_ws(' ', c.name, c.slug)), 'A')
            || setweight(searchable(concat_ws(' ', c.description, p.name, p.slug, g.name, g.slug)), 'B')
        from publishers p, categories g where p.id = c.publisher_id and g.id = c.category_id), '')
$$;
-- +goose StatementEnd
update channels c set search = channel_search(c);

-- The words by which a channel is also found: those of its latest notifications, together with those of its search
-- column, so that one search may have both. A search of notification_words instead would read all notifications with a
-- common word. They are written some moments after a publication, so that publishing does not wait for the index.
create table channel_words (
    channel_id uuid primary key references channels on delete cascade,
    version    bigint not null, -- of the head of the channel when they were written
    words      tsvector not null,
    written_at timestamptz not null
);
create index channel_words_idx on channel_words using gin (words);

-- After a change of names the words are written again, so that no channel is found by a name that it no longer has.
-- +goose StatementBegin
create function forget_channel_words() returns trigger language plpgsql as $$
begin
    delete from channel_words where channel_id = new.id;
    return null;
end
$$;
-- +goose StatementEnd
create trigger channels_words after update on channels
    for each row when (old.search is distinct from new.search) execute function forget_channel_words();

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
drop trigger channels_words on channels;
drop function forget_channel_words;
drop table channel_words;
-- +goose StatementBegin
create or replace function channel_search(c channels) returns tsvector language sql stable as $$
    select coalesce((
        select searchable(concat_ws(' ', c.name, c.slug, c.description, p.name, p.slug, g.name, g.slug))
        from publishers p, categories g where p.id = c.publisher_id and g.id = c.category_id), '')
$$;
-- +goose StatementEnd
update channels c set search = channel_search(c);
