-- +goose Up

-- Waits for what servers of the version before are recording. Afterwards they cannot find or record devices any more.
lock table deliveries, held_pushes, dispatches in access exclusive mode;
alter table dispatches rename column last_device to found_device;
alter table dispatches rename column last_subscriber to found_subscriber;

-- What the letters in outcomes stand for. A device without an outcome has another: a dot when it is to be pushed, and
-- a hyphen until quiet hours end.
create table outcome_letters (
    letter  text primary key,
    outcome text not null,
    cause   text
);
insert into outcome_letters (letter, outcome, cause) values
    ('a', 'accepted', null),
    ('b', 'suppressed', 'bell'), ('m', 'suppressed', 'muted'), ('l', 'suppressed', 'unfollowed'),
    ('r', 'suppressed', 'read'),
    ('U', 'failed', 'unregistered'), ('S', 'failed', 'sender_mismatch'), ('I', 'failed', 'invalid'),
    ('R', 'failed', 'retired'),
    ('X', 'expired', 'expired'), ('W', 'expired', 'withdrawn');
insert into outcome_letters (letter, outcome, cause)
select chr(48 + row_number() over ()::integer), outcome, cause -- digits for those of earlier versions
from (select distinct outcome, cause from deliveries) d
where not exists (select from outcome_letters l where l.outcome = d.outcome and l.cause is not distinct from d.cause);

-- The devices of a notification in the order in which they were found, up to 500 in a row: a row for each device would
-- take ten times the space, and most of the time of a dispatch. No foreign keys: channels are purged in steps.
create table delivery_batches (
    notification_id uuid not null,
    first           bigint not null,  -- how many devices were found before the first one of these
    devices         uuid[] not null,
    outcomes        text not null,    -- a letter for each device
    recorded_at     timestamptz,      -- the latest of the outcomes
    revised_at      timestamptz,      -- the time of the change that revised is about
    revised         text,             -- for each device, r when the change has been pushed to it
    primary key (notification_id, first)
) with (fillfactor = 50);
alter table delivery_batches alter column devices set storage external; -- ids cannot be compressed

alter table held_pushes add column first bigint, add column place integer; -- the batch, and the device in it from 0

-- +goose StatementBegin
do $$
begin
    create temporary table found on commit drop as
    select v.notification_id, v.device_id, l.letter, v.at, v.revised_at
    from deliveries v join outcome_letters l on l.outcome = v.outcome and l.cause is not distinct from v.cause;

    insert into found (notification_id, device_id, letter)
    select h.notification_id, h.device_id, '-' from held_pushes h
    where not exists (select from deliveries v
        where v.notification_id = h.notification_id and v.device_id = h.device_id);

    if to_regclass('river_job') is not null then
        -- Devices that wait to be pushed are in jobs, and those whose quiet hours have just ended: these are held again.
        create temporary table waiting on commit drop as
        select distinct v.notification_id, v.device_id
        from (select (args->>'notificationId')::uuid as notification_id, decode(args->>'devices', 'base64') as ids
            from river_job where kind = 'send' and finalized_at is null offset 0) j
        cross join lateral (
            select j.notification_id, encode(substr(j.ids, i * 16 + 1, 16), 'hex')::uuid as device_id
            from generate_series(0, length(j.ids) / 16 - 1) i) v;
        create temporary table summaries on commit drop as
        select distinct on (v.notification_id, v.device_id) v.notification_id, v.device_id, j.over
        from (select (d->>'id')::uuid as device_id, decode(d->>'notifications', 'base64') as ids,
                (args->>'over')::timestamptz as over
            from river_job cross join lateral jsonb_array_elements(args->'devices') d
            where kind = 'summary' and finalized_at is null offset 0) j
        cross join lateral (
            select encode(substr(j.ids, i * 16 + 1, 16), 'hex')::uuid as notification_id, j.device_id
            from generate_series(0, length(j.ids) / 16 - 1) i) v;
        delete from waiting w using deliveries v
        where v.notification_id = w.notification_id and v.device_id = w.device_id;
        delete from summaries w using deliveries v
        where v.notification_id = w.notification_id and v.device_id = w.device_id;
        insert into held_pushes (notification_id, device_id, until)
        select notification_id, device_id, over from summaries on conflict do nothing;
        insert into found (notification_id, device_id, letter)
        select notification_id, device_id, '.' from waiting
        union all select notification_id, device_id, '-' from summaries;
    end if;

    insert into delivery_batches (notification_id, first, devices, outcomes, recorded_at, revised_at, revised)
    select notification_id, n / 500 * 500, array_agg(device_id order by n), string_agg(letter, '' order by n), max(at),
        max(revised_at), string_agg(case when revised_at = latest then 'r' else '.' end, '' order by n)
    from (select f.*, max(revised_at) over (partition by notification_id) as latest,
            row_number() over (partition by notification_id order by device_id) - 1 as n from found f) f
    group by notification_id, n / 500;
    update delivery_batches set revised = null where revised_at is null;

    update held_pushes h set first = b.first, place = d.place - 1
    from delivery_batches b cross join lateral unnest(b.devices) with ordinality d (id, place)
    where b.notification_id = h.notification_id and d.id = h.device_id;

    if to_regclass('river_job') is not null then
        delete from river_job where kind in ('send', 'summary') and finalized_at is null;
        insert into river_job (args, kind, queue, max_attempts, priority)
        select jsonb_build_object('notificationId', notification_id, 'first', first), 'send', 'send', 30000, 2
        from delivery_batches where strpos(outcomes, '.') > 0;
        update river_job set kind = 'revise', queue = 'expand', priority = 1,
            args = jsonb_build_object('notificationId', args->'notificationId', 'first', 0)
        where kind = 'revision' and finalized_at is null;
    end if;
end $$;
-- +goose StatementEnd

alter table held_pushes alter column first set not null, alter column place set not null;

drop table deliveries;
create view deliveries as
select b.notification_id, v.device_id, l.outcome, l.cause
from delivery_batches b cross join lateral unnest(b.devices, string_to_array(b.outcomes, null)) v (device_id, letter)
join outcome_letters l on l.letter = v.letter;

-- +goose Down
alter view deliveries rename to packed_deliveries;
create table deliveries (
    notification_id uuid not null,
    device_id       uuid not null,
    outcome         text not null,
    cause           text,
    at              timestamptz not null,
    revised_at      timestamptz,
    primary key (notification_id, device_id)
);
insert into deliveries (notification_id, device_id, outcome, cause, at, revised_at)
select b.notification_id, v.device_id, l.outcome, l.cause, coalesce(b.recorded_at, now()),
    case when v.revised = 'r' then b.revised_at end
from delivery_batches b
cross join lateral unnest(b.devices, string_to_array(b.outcomes, null), string_to_array(b.revised, null))
    v (device_id, letter, revised)
join outcome_letters l on l.letter = v.letter;
alter table held_pushes drop column first, drop column place;
drop view packed_deliveries;
drop table delivery_batches, outcome_letters;
alter table dispatches rename column found_device to last_device;
alter table dispatches rename column found_subscriber to last_subscriber;
