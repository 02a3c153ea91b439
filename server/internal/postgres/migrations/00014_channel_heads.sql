-- +goose Up

-- Waits for what servers of the version before are writing, in their order: the stream's lock, then the rows. Afterwards
-- they cannot publish any more.
select pg_advisory_xact_lock(x'514e5354524d'::bigint);
lock table notifications in access exclusive mode;

-- The latest publication of a channel and how many are visible. Only a transaction that holds the stream's lock changes
-- a row, so concurrent publishes do not wait for each other here.
create table channel_heads (
    channel_id uuid primary key references channels on delete cascade,
    ordinal    bigint not null,           -- of the latest publication
    visible    bigint not null,           -- notifications in feeds and lists
    hidden     bigint not null default 0  -- no publication after this ordinal is hidden
) with (fillfactor = 50);

-- What was published or changed and has no position yet gets one, its dispatch and its jobs.
-- +goose StatementBegin
do $$
begin
    create temporary table placed on commit drop as
    select n.id, n.channel_id, n.stream_position is null as first, nextval('stream_positions') as place,
        coalesce(n.ordinal, row_number() over (partition by n.channel_id, n.ordinal is null order by n.created_at, n.id)
            + coalesce((select max(o.ordinal) from notifications o where o.channel_id = n.channel_id), 0)) as ordinal
    from (select * from notifications where pending order by created_at, id) n;

    update notifications n set stream_position = p.place, position = coalesce(n.position, p.place), ordinal = p.ordinal
    from placed p where n.id = p.id;

    insert into dispatches (notification_id, channel_id, publisher_id, importance, started_at, check_at)
    select n.id, n.channel_id, c.publisher_id, n.importance, now(), now()
    from placed p join notifications n on n.id = p.id join channels c on c.id = n.channel_id
    where p.first and n.visible and c.deleted_at is null
    on conflict do nothing;

    if to_regclass('river_job') is not null then
        insert into river_job (args, kind, queue, max_attempts)
        select jsonb_build_object('notifications', translate(encode(uuid_send(p.id), 'base64'), E'\n', '')), 'expand',
            'expand', 30000
        from placed p join notifications n on n.id = p.id join channels c on c.id = n.channel_id
        where p.first and n.visible and c.deleted_at is null
        union all
        select jsonb_build_object('notificationId', p.id, 'after', '00000000-0000-0000-0000-000000000000'), 'revise',
            'expand', 30000
        from placed p join channels c on c.id = p.channel_id
        where not p.first and c.deleted_at is null;
    end if;
end $$;
-- +goose StatementEnd

insert into channel_heads (channel_id, ordinal, visible, hidden)
select channel_id, coalesce(max(ordinal), 0), count(*) filter (where visible),
    coalesce(max(ordinal) filter (where not visible), 0)
from notifications group by channel_id;

alter table channel_counts drop column visible;
alter table notifications drop column pending; -- and its indexes

-- +goose Down
alter table notifications add column pending boolean not null default false;
alter table notifications alter column pending drop default;
create index notifications_outbox_idx on notifications (created_at, id) where pending;
create index notifications_pending_idx on notifications (channel_id) where pending;
alter table channel_counts add column visible bigint not null default 0;
insert into channel_counts as k (channel_id, stripe, visible) select channel_id, 0, visible from channel_heads
on conflict (channel_id, stripe) do update set visible = excluded.visible;
drop table channel_heads;
