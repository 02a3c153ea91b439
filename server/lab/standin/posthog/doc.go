// Package posthog is a stand-in for PostHog's ingestion, for development and tests only: it accepts what the real
// posthog-js and posthog-go send, at any path, and responds as PostHog does.
//
// Its purpose is to show what was sent: every request with its headers and its unpacked body (/requests), the events in
// them (/events), and a page for people (/).
package posthog
