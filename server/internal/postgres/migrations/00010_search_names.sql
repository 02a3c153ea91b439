-- +goose Up

-- searchable returns the words of a text without case, accents and punctuation. It calls no function of this schema,
-- because a restore computes generated columns without a search path.
-- +goose StatementBegin
create function searchable(text) returns tsvector language sql immutable strict parallel safe as $$
    select to_tsvector('pg_catalog.simple', regexp_replace(
        lower(regexp_replace(normalize($1, NFKD), '[\u0300-\u036f]', '', 'g')),
        '[\u0001-\u002f\u003a-\u0060\u007b-\u00bf\u2000-\u206f\u3000-\u303f]+', ' ', 'g'))
$$;
-- +goose StatementEnd

alter table publishers add column search tsvector not null generated always as (
    searchable(name || ' ' || slug || ' ' || description)) stored;
create index publishers_search_idx on publishers using gin (search);

-- A channel is also found by the names of its publisher and category, so triggers keep its column.
alter table channels drop column search;
alter table channels add column search tsvector not null default '';

-- channel_search returns what a channel is found by; a deleted one by nothing.
-- +goose StatementBegin
create function channel_search(c channels) returns tsvector language sql stable as $$
    select coalesce((
        select searchable(concat_ws(' ', c.name, c.slug, c.description, p.name, p.slug, g.name, g.slug))
        from publishers p, categories g where p.id = c.publisher_id and g.id = c.category_id), '')
$$;
-- +goose StatementEnd

update channels c set search = channel_search(c);
create index channels_search_idx on channels using gin (search);

-- The locks make a channel wait for a rename that cannot see it yet.
-- +goose StatementBegin
create function set_channel_search() returns trigger language plpgsql as $$
begin
    if tg_op = 'INSERT' then
        perform from publishers where id = new.publisher_id for share;
    end if;
    if tg_op = 'INSERT' or new.category_id is distinct from old.category_id then
        perform from categories where id = new.category_id for share;
    end if;
    new.search := channel_search(new);
    return new;
end
$$;
-- +goose StatementEnd
create trigger channels_search before insert or update of name, slug, description, publisher_id, category_id on channels
    for each row execute function set_channel_search();

-- The rows are locked in one order, so that two renames do not wait for each other.
-- +goose StatementBegin
create function renew_channel_search() returns trigger language plpgsql as $$
begin
    perform from channels where publisher_id = new.id or category_id = new.id order by id for no key update;
    update channels c set search = channel_search(c) where publisher_id = new.id or category_id = new.id;
    return null;
end
$$;
-- +goose StatementEnd
create trigger publishers_renamed after update of name, slug on publishers
    for each row when ((old.name, old.slug) is distinct from (new.name, new.slug)) execute function renew_channel_search();
create trigger categories_renamed after update of name, slug on categories
    for each row when ((old.name, old.slug) is distinct from (new.name, new.slug)) execute function renew_channel_search();

-- +goose Down
drop trigger categories_renamed on categories;
drop trigger publishers_renamed on publishers;
drop trigger channels_search on channels;
drop function renew_channel_search, set_channel_search, channel_search;
alter table publishers drop column search;
alter table channels drop column search;
drop function searchable;
alter table channels add column search tsvector not null generated always as (
    to_tsvector('simple', fold(name || ' ' || replace(slug, '-', ' ') || ' ' || description))) stored;
create index channels_search_idx on channels using gin (search);
