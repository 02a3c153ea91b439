import type { PostHog } from 'posthog-js/dist/module.slim'
import { env } from '../env'
import { whenIdle } from './idle'

/** All that is ever sent, by ids alone: no text of a notification, no name, no address. */
export type AnalyticsEvents = {
  screen_viewed: { route: string }
  channel_followed: { channelId: string }
  channel_unfollowed: { channelId: string }
  notification_opened: { notificationId: string }
  push_enabled: Record<string, never>
  push_failed: { reason: string }
  demo_sent: Record<string, never>
}

let posthog: PostHog | undefined
const waiting: [keyof AnalyticsEvents, object][] = []
let off = true

export function track<Name extends keyof AnalyticsEvents>(name: Name, properties: AnalyticsEvents[Name]) {
  if (off) return
  if (posthog) posthog.capture(name, properties)
  else waiting.push([name, properties])
}

/** Who asks not to be tracked is not. */
export function trackingRefused(navigator: Navigator & { globalPrivacyControl?: boolean }): boolean {
  return navigator.globalPrivacyControl === true || navigator.doNotTrack === '1'
}

/** Loads the analytics when the browser has nothing better to do. */
export function startAnalytics() {
  if (trackingRefused(navigator)) return
  off = false
  whenIdle(() => void load().catch(() => (off = true)))
}

async function load() {
  const { default: library } = await import('posthog-js/dist/module.slim')
  const { POSTHOG_API_KEY, POSTHOG_HOST } = env()
  library.init(POSTHOG_API_KEY, {
    api_host: POSTHOG_HOST,
    autocapture: false,
    capture_pageview: false,
    capture_pageleave: false,
    disable_session_recording: true,
    disable_surveys: true,
    disable_external_dependency_loading: true,
    advanced_disable_flags: true,
    person_profiles: 'never',
    persistence: 'localStorage',
    respect_dnt: true,
  })
  posthog = library
  for (const [name, properties] of waiting.splice(0)) library.capture(name, properties)
}
