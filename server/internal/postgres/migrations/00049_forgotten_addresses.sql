-- +goose Up

-- The log no longer holds addresses: it shows that of an invitation while there is one.
drop index audit_log_address_idx;
update audit_log set object_name = '' where object_name like '%@%'
    and action in ('createMembershipInvitation', 'withdrawMembershipInvitation', 'addMember');

-- +goose Down
create index audit_log_address_idx on audit_log (object_name) where object_name like '%@%';
