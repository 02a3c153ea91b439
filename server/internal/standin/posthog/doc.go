// Package posthog is a stand-in for PostHog's ingestion, for development and tests only: it takes what the real posthog-js
// and posthog-go send, at whatever path, and answers as PostHog does.
//
// What it is for is to show what was sent: every request whole, headers and all, with its body as it reads when it is
// unpacked (/requests), each event in them (/events), and the same for people (/).
package posthog
