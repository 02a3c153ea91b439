-- +goose Up

-- A token that was created without scopes, by a server of the version before too, has all of them. One that was created
-- with another token ends with it.
alter table access_tokens
    add column scopes text[] not null default '{read,publish,manage}',
    add column parent_id uuid references access_tokens on delete cascade;
create index access_tokens_parent_idx on access_tokens (parent_id) where parent_id is not null;
alter table device_sign_ins add column scopes text[] not null default '{read,publish,manage}';

-- Every token expires, also those from before tokens had an expiry.
update access_tokens set expires_at = now() + interval '90 days' where expires_at is null;
alter table access_tokens alter column expires_at set not null;

-- By which people recognize a session: its program, and the network of its last use. Unknown until then.
alter table sessions
    add column browser text not null default '',
    add column system text not null default '',
    add column network text not null default '';

-- The person who created a key and was shown its secret: zero for one without an account any more, null for one from
-- before.
alter table api_keys add column created_by uuid;
create index api_keys_created_by_idx on api_keys (created_by) where created_by is not null;

-- The person who set a webhook's secret and knows it: zero for nobody, null for a secret from before, which any member
-- may know. The times are those at which the server replaced what a former member knew.
alter table webhooks
    add column secret_known_to uuid,
    add column address_replaced_at timestamptz,
    add column secret_replaced_at timestamptz;
create index webhooks_secret_known_to_idx on webhooks (secret_known_to) where secret_known_to is not null;

-- +goose Down
alter table webhooks drop column secret_known_to, drop column address_replaced_at, drop column secret_replaced_at;
alter table api_keys drop column created_by;
alter table sessions drop column browser, drop column system, drop column network;
alter table device_sign_ins drop column scopes;
alter table access_tokens drop column scopes, drop column parent_id, alter column expires_at drop not null;
