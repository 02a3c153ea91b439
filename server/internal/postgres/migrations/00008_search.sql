-- +goose Up

-- Who looks for previsao finds previsão.
-- +goose StatementBegin
create function fold(text) returns text language sql immutable strict parallel safe as $$
    select lower(regexp_replace(normalize($1, NFKD), '[\u0300-\u036f]', '', 'g'))
$$;
-- +goose StatementEnd

alter table channels drop column search;
alter table channels add column search tsvector not null generated always as (
    to_tsvector('simple', fold(name || ' ' || replace(slug, '-', ' ') || ' ' || description))) stored;
create index channels_search_idx on channels using gin (search);

-- +goose Down
alter table channels drop column search;
alter table channels add column search tsvector not null generated always as (
    to_tsvector('simple', name || ' ' || replace(slug, '-', ' ') || ' ' || description)) stored;
create index channels_search_idx on channels using gin (search);
drop function fold;
