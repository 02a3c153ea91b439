// Package analytics sends PostHog the usage events that only the server knows: those of core.AnalyticsEvent and no
// others. No event identifies a person: its distinct id is the notification's id, it creates no person profile, and it
// asks PostHog neither to locate nor to store an IP address. The browser sends its own events
// (webapp/src/lib/analytics.ts).
//
// Sending never blocks the caller. Events that PostHog does not accept in time are dropped and counted.
package analytics
