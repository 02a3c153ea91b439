-- +goose Up

-- The words by which a notification is found. They are written some moments after the publication, so that publishing
-- does not wait for the index.
create table notification_words (
    notification_id uuid primary key references notifications on delete cascade,
    words           tsvector not null
);
create index notification_words_idx on notification_words using gin (words);

-- notification_words returns the words of a notification, and one for its channel, which no text contains. With it the
-- index finds the words in the followed channels, and reads nothing of others.
-- +goose StatementBegin
create function notification_words(channel_id uuid, title text, body text) returns tsvector
    language sql immutable parallel safe as $$
    select searchable(title || ' ' || body) || array_to_tsvector(array['#' || channel_id])
$$;
-- +goose StatementEnd

-- How far the words are written: the position on the stream of the last notification. It has one row.
create table notification_words_written (position bigint not null);
insert into notification_words_written values (0);

create index notifications_important_idx on notifications (channel_id, published_at desc, id desc)
    where visible and importance = 'important';

-- What a person had of a channel that they no longer follow, for when they follow it again.
create table former_subscriptions (
    subscriber_id uuid not null references subscribers on delete cascade,
    channel_id    uuid not null references channels on delete cascade,
    bell          text not null,
    muted_until   timestamptz,
    read_at       timestamptz not null,
    read_ordinal  bigint not null,
    ended_at      timestamptz not null,
    primary key (subscriber_id, channel_id)
);
create index former_subscriptions_ended_idx on former_subscriptions (ended_at);
create index former_subscriptions_channel_idx on former_subscriptions (channel_id);

-- +goose Down
drop table former_subscriptions;
drop index notifications_important_idx;
drop table notification_words_written;
drop function notification_words(uuid, text, text);
drop table notification_words;
