import type { BeforeSendFn, PostHog } from 'posthog-js/dist/module.slim'
import { env } from '../env'
import { whenIdle } from './idle'

/**
 * All that a browser ever sends, by ids alone: no text of a notification, no name, no address, nothing that was typed.
 * A `route` is a screen's pattern, as `/channels/$publisherSlug/$channelSlug`, never the address that was opened.
 */
export type AnalyticsEvents = {
  screen_viewed: { route: string }
  channel_followed: { channelId: string }
  channel_unfollowed: { channelId: string }
  push_enabled: Record<string, never>
  push_failed: { reason: 'denied' | 'dismissed' | 'unsupported' | 'install' | 'unreachable' | 'other' }
  demo_sent: Record<string, never>
}

/** The same for what is there when it runs. */
const catalogue: { [Name in keyof AnalyticsEvents]: (keyof AnalyticsEvents[Name])[] } = {
  screen_viewed: ['route'],
  channel_followed: ['channelId'],
  channel_unfollowed: ['channelId'],
  push_enabled: [],
  push_failed: ['reason'],
  demo_sent: [],
}

/** What PostHog needs to take an event: whose project, whose doing (made up at each start), and by which library. */
const envelope = ['token', 'distinct_id', '$lib', '$lib_version', '$process_person_profile']

/** With no address to look up: PostHog adds the one that the request came from, unless there is an `$ip`. */
const fromNowhere = { $geoip_disable: true, $ip: null }

/**
 * The last word on each event. The library adds addresses with their searches and tokens, referrers, titles, campaigns
 * and all about the browser to it, more with every release, so what is not known here does not pass.
 */
export const pare: BeforeSendFn = ({ uuid, event, properties, timestamp }) => {
  if (!Object.hasOwn(catalogue, event)) return null
  const known: string[] = [...envelope, ...catalogue[event as keyof AnalyticsEvents]]
  const kept = Object.entries(properties).filter(([name]) => known.includes(name))
  return { uuid, event, properties: { ...Object.fromEntries(kept), ...fromNowhere }, timestamp }
}

let posthog: PostHog | undefined
const waiting: [keyof AnalyticsEvents, object][] = []
let off = true

export function track<Name extends keyof AnalyticsEvents>(name: Name, properties: AnalyticsEvents[Name]) {
  if (off) return
  if (posthog) posthog.capture(name, properties)
  else waiting.push([name, properties])
}

type Preferences = Pick<Navigator, 'doNotTrack'> & { globalPrivacyControl?: boolean }

/** Who asks not to be tracked is not; by the headers of the same the server knows it too. */
export function trackingRefused(navigator: Preferences): boolean {
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
    before_send: pare,
    autocapture: false,
    capture_pageview: false,
    capture_pageleave: false,
    disable_session_recording: true,
    disable_surveys: true,
    disable_external_dependency_loading: true,
    advanced_disable_flags: true,
    person_profiles: 'never',
    // nothing stays in the browser by which to know it again, nor the address it came from
    persistence: 'memory',
    save_referrer: false,
    save_campaign_params: false,
    // beacons carry cookies, also those of another port or of a PostHog behind the same name
    disable_beacon: true,
    respect_dnt: true,
    // else it tells nothing of a browser that is driven by a program, and says so nowhere
    opt_out_useragent_filter: true,
  })
  posthog = library
  for (const [name, properties] of waiting.splice(0)) library.capture(name, properties)
}
