-- +goose Up

-- The person who answers for a publisher, with whom it shares what a server has for one account: an owner, at first the
-- one who created it. Publishers without an owner answer for themselves.
alter table publishers add column account_id uuid;

-- It is not a foreign key: whoever stops being an owner is replaced here, also when they delete their account.
-- +goose StatementBegin
create function hand_over_publisher() returns trigger language plpgsql as $$
begin
    update publishers p set account_id = (
        select subscriber_id from publisher_members where publisher_id = p.id and role = 'owner'
        order by created_at, subscriber_id limit 1)
    where p.id = coalesce(new.publisher_id, old.publisher_id) and not exists (
        select from publisher_members
        where publisher_id = p.id and role = 'owner' and subscriber_id = p.account_id);
    return null;
end
$$;
-- +goose StatementEnd
create trigger publisher_members_changed after insert or delete or update of role on publisher_members
    for each row execute function hand_over_publisher();

update publishers p set account_id = (
    select subscriber_id from publisher_members where publisher_id = p.id and role = 'owner'
    order by created_at, subscriber_id limit 1);

-- +goose Down
drop trigger publisher_members_changed on publisher_members;
drop function hand_over_publisher;
alter table publishers drop column account_id;
