-- +goose Up

-- By its version a node knows whether it keeps the latest of a channel in memory. There are no defaults afterwards, so
-- that servers of the version before cannot publish without changing it.
alter table channel_heads
    add column version      bigint not null default 1,               -- grows with each publication and change
    add column published_at timestamptz not null default '-infinity'; -- nothing was published later
update channel_heads h set published_at = n.latest
from (select channel_id, max(published_at) as latest from notifications group by channel_id) n
where n.channel_id = h.channel_id and n.latest is not null;
alter table channel_heads alter column version drop default, alter column published_at drop default;

-- +goose Down
alter table channel_heads drop column version, drop column published_at;
