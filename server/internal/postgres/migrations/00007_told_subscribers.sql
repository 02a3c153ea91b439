-- +goose Up

-- How many subscribers a channel had when an event endpoint was told last, or when it began to want that.
drop table told_subscribers;
create table told_subscribers (
    endpoint_id uuid not null references event_endpoints on delete cascade,
    channel_id  uuid not null references channels on delete cascade,
    subscribers bigint not null,
    told_at     timestamptz not null,
    primary key (endpoint_id, channel_id)
);
create index told_subscribers_channel_idx on told_subscribers (channel_id);
insert into told_subscribers (endpoint_id, channel_id, subscribers, told_at)
select e.id, c.id, coalesce(sum(k.subscribers), 0), '-infinity' from event_endpoints e
join channels c on c.publisher_id = e.publisher_id left join channel_counts k on k.channel_id = c.id
group by e.id, c.id;

-- +goose Down
drop table told_subscribers;
create table told_subscribers (
    channel_id  uuid primary key references channels on delete cascade,
    subscribers bigint not null,
    told_at     timestamptz not null
);
