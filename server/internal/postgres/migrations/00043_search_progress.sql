-- +goose Up

-- first_words returns the first different words of a text, without their positions. Each of them is an entry in an
-- index, so their number is what a text costs.
-- +goose StatementBegin
create function first_words(words tsvector, most integer) returns tsvector language sql immutable parallel safe as $$
    select case when length(words) <= most then strip(words)
        else (select array_to_tsvector(array_agg(lexeme)) from (
            select lexeme from unnest(words) order by positions[1], lexeme limit most) w)
        end
$$;
-- +goose StatementEnd

-- notification_words returns the first 1,000 words of a notification, and one for its channel, which no text contains.
-- With it the index finds the words in the followed channels, and reads nothing of others. The text is cut after it is
-- taken apart, because a ligature may be 18 characters.
-- +goose StatementBegin
create or replace function notification_words(channel_id uuid, title text, body text) returns tsvector
    language sql immutable parallel safe as $$
    select first_words(searchable(left(normalize(title || ' ' || body, NFKD), 40000)), 1000)
        || array_to_tsvector(array['#' || channel_id])
$$;
-- +goose StatementEnd

-- How far each part of search is. Notifications with short texts are indexed apart from those with long ones, so that
-- they do not wait for them. A batch is halved with each failure.
create table search_progress (
    part     text primary key,
    position bigint not null, -- on the stream, of the last notification that was indexed; unused for channels
    failures integer not null default 0
);
insert into search_progress (part, position)
select part, position from notification_words_written, unnest(array['short', 'long', 'channels']) part;
drop table notification_words_written;

-- +goose Down
create table notification_words_written (position bigint not null);
insert into notification_words_written select min(position) from search_progress where part <> 'channels';
drop table search_progress;
-- +goose StatementBegin
create or replace function notification_words(channel_id uuid, title text, body text) returns tsvector
    language sql immutable parallel safe as $$
    select searchable(title || ' ' || body) || array_to_tsvector(array['#' || channel_id])
$$;
-- +goose StatementEnd
drop function first_words;
