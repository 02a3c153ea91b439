-- +goose NO TRANSACTION
-- +goose Up

set lock_timeout = 0; -- it waits for every transaction that is open, and nobody waits for it
drop index concurrently if exists notifications_mood_idx; -- what an interrupted run has left is invalid
create index concurrently notifications_mood_idx on notifications (mood, id) where mood <> 'calm';
