// Package analytics tells PostHog what only the server knows of Sininho's use: the events of core.AnalyticsEvent, and
// nothing else. No event says who did it: each goes by the notification's id, makes no profile of a person, and asks
// PostHog to look up and keep no address. What the browser knows it tells by itself (webapp/src/lib/analytics.ts).
//
// It never holds up who tells it. What PostHog does not take in time is dropped, and counted.
package analytics
