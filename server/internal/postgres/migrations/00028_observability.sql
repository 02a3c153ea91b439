-- +goose Up

-- The trace that a notification was published in (W3C Trace Context), which its pushes and events continue. Null
-- without tracing.
alter table dispatches add column traceparent text;

-- For counting the endpoints that fail, of which there are few.
create index event_endpoints_failing_idx on event_endpoints (enabled, paused_until) where failing_since is not null;

-- +goose Down
drop index event_endpoints_failing_idx;
alter table dispatches drop column traceparent;
