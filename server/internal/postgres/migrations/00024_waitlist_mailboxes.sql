-- +goose Up

-- The entry by which each mailbox counts as a person: of ana+1@example.com and ana+2@example.com, the one that was
-- confirmed first.
create table waitlist_mailboxes (
    mailbox  text primary key, -- the address in lower case, without a tag
    entry_id uuid not null references waitlist_entries on delete cascade
);
create index waitlist_mailboxes_entry_idx on waitlist_mailboxes (entry_id);

insert into waitlist_mailboxes (mailbox, entry_id)
select distinct on (mailbox) mailbox, id
from (
    select id, confirmed_at, case when domain in ('gmail.com', 'googlemail.com')
        then replace(name, '.', '') || '@gmail.com' else name || '@' || domain end as mailbox
    from (
        select id, confirmed_at, regexp_replace(split_part(lower(email), '@', 1), '^([^+]+)\+.*$', '\1') as name,
            split_part(lower(email), '@', 2) as domain
        from waitlist_entries where confirmed_at is not null
    ) parts
) mailboxes
order by mailbox, confirmed_at, id;

-- +goose Down
drop table waitlist_mailboxes;
