-- +goose Up

-- How many emails all servers sent in each hour.
create table email_hours (
    hour timestamptz primary key,
    sent integer not null
);

-- +goose Down
drop table email_hours;
