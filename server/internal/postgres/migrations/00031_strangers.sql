-- +goose Up

-- The access token with which a program has registered a device. The device is retired with it.
alter table devices add column access_token_id uuid;
create index devices_access_token_idx on devices (access_token_id)
    where access_token_id is not null and retired_at is null;

-- The mailbox that an invited address leads to, by which emails are counted. It is null for invitations by a server of
-- an earlier version, which are kept for a day.
alter table membership_invitation_times add column mailbox text;
create index membership_invitation_times_mailbox_idx on membership_invitation_times (mailbox);

-- Addresses that were invited, which the log forgets with the account.
create index audit_log_address_idx on audit_log (object_name) where object_name like '%@%';

-- +goose Down
drop index audit_log_address_idx;
alter table membership_invitation_times drop column mailbox;
alter table devices drop column access_token_id;
