-- +goose Up

-- Invitations to become a member of a publisher. An address has at most one of each publisher, which is renewed.
create table membership_invitations (
    id           uuid primary key,
    publisher_id uuid not null references publishers on delete cascade,
    email        text not null, -- in lower case
    role         text not null,
    state        text not null, -- pending, accepted, declined or withdrawn; a pending one expires by its time alone
    invited_by   uuid references subscribers on delete set null,
    answered_by  uuid references subscribers on delete cascade, -- who accepted or declined
    invited_at   timestamptz not null, -- made or last renewed
    expires_at   timestamptz not null,
    declined_at  timestamptz, -- kept when it is renewed, because the address gets no more emails then
    constraint membership_invitations_publisher_email_key unique (publisher_id, email)
);
create index membership_invitations_email_idx on membership_invitations (email);
create index membership_invitations_expires_idx on membership_invitations (expires_at);
create index membership_invitations_invited_by_idx on membership_invitations (invited_by) where invited_by is not null;
create index membership_invitations_answered_by_idx on membership_invitations (answered_by) where answered_by is not null;

-- When a publisher invited an address last, kept for a day, to limit invitations and emails. It outlives the publisher,
-- so that making new ones does not circumvent the limits.
create table membership_invitation_times (
    publisher_id uuid not null,
    email        text not null, -- in lower case
    inviter_id   uuid references subscribers on delete set null,
    invited_at   timestamptz not null,
    primary key (publisher_id, email)
);
create index membership_invitation_times_email_idx on membership_invitation_times (email);
create index membership_invitation_times_inviter_idx on membership_invitation_times (inviter_id) where inviter_id is not null;
create index membership_invitation_times_invited_idx on membership_invitation_times (invited_at);

-- +goose Down
drop table membership_invitation_times, membership_invitations;
