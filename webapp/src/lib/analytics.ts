import type { BeforeSendFn, PostHog } from 'posthog-js/dist/module.slim'
import { env } from '../env'
import { whenIdle } from './idle'

/**
 * Every event that a browser sends. Properties are ids only: no texts of notifications, names, addresses, or typed
 * input. A `route` is a screen's pattern such as `/channels/$publisherSlug/$channelSlug`, never the actual URL.
 */
export type AnalyticsEvents = {
  screen_viewed: { route: string }
  channel_followed: { channelId: string }
  channel_unfollowed: { channelId: string }
  push_enabled: Record<string, never>
  push_failed: { reason: 'denied' | 'dismissed' | 'unsupported' | 'install' | 'unreachable' | 'other' }
  demo_sent: Record<string, never>
}

/** The same at run time: the properties that each event may have. */
const catalogue: { [Name in keyof AnalyticsEvents]: (keyof AnalyticsEvents[Name])[] } = {
  screen_viewed: ['route'],
  channel_followed: ['channelId'],
  channel_unfollowed: ['channelId'],
  push_enabled: [],
  push_failed: ['reason'],
  demo_sent: [],
}

/** Properties that PostHog needs: the project, a random id per start, and the library's name and version. */
const envelope = ['token', 'distinct_id', '$lib', '$lib_version', '$process_person_profile']

/** Without `$ip`, PostHog would store the address that the request came from. */
const fromNowhere = { $geoip_disable: true, $ip: null }

/**
 * Filters every event before it is sent. The library adds URLs with their queries and tokens, referrers, titles,
 * campaigns and details of the browser, and more with every release, so only known properties are kept.
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

/** Reports whether the browser refuses tracking. The server receives the same preferences as headers. */
export function trackingRefused(navigator: Preferences): boolean {
  return navigator.globalPrivacyControl === true || navigator.doNotTrack === '1'
}

/** Loads the analytics library when the browser is idle. */
export function startAnalytics() {
  if (trackingRefused(navigator)) return
  off = false
  whenIdle(() => void load().catch(() => (off = true)))
}

async function load() {
  const { POSTHOG_API_KEY, POSTHOG_HOST } = env()
  if (!POSTHOG_API_KEY || !POSTHOG_HOST) {
    off = true
    waiting.length = 0
    return
  }
  const { default: library } = await import('posthog-js/dist/module.slim')
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
    // keeps no identifier and no referrer in the browser
    persistence: 'memory',
    save_referrer: false,
    save_campaign_params: false,
    // beacons send cookies, including those of other ports or of a PostHog on the same host
    disable_beacon: true,
    respect_dnt: true,
    // otherwise the library silently drops all events of automated browsers
    opt_out_useragent_filter: true,
  })
  posthog = library
  for (const [name, properties] of waiting.splice(0)) library.capture(name, properties)
}
