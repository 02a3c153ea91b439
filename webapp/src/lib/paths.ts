import type { studioPages } from './pages'

/**
 * Returns `path` if it is safe to redirect to, otherwise the fallback. It must begin with one "/" that is not followed
 * by "/" or "\", and have no control characters, because browsers remove some of them from URLs.
 */
export function safePath(path: unknown, fallback: string): string {
  return typeof path === 'string' && /^\/(?![/\\])\P{Cc}*$/u.test(path) ? path : fallback
}

/** Schemes that run scripts, or read files. No setting allows them. */
const never = /^(?:javascript|vbscript|data|blob|file|filesystem|about|view-source):$/

/** Returns a publisher's link if it may be opened: a page, an email, a call, or of a scheme that the server allows. */
export function safeLink(link: string | undefined): URL | undefined {
  if (!link || !URL.canParse(link)) return undefined
  const url = new URL(link)
  const scheme = url.protocol.slice(0, -1)
  const allowed = isWeb(url) || ['mailto', 'tel', ...otherSchemes()].includes(scheme)
  return allowed && !never.test(url.protocol) ? url : undefined
}

/** Reports whether a link leads to a web page, rather than to another program. */
export const isWeb = ({ protocol }: URL) => protocol === 'https:' || protocol === 'http:'

/** Whom a link leads to, as people read it: the host of a page, or an address or number. */
export function whereTo(url: URL): string {
  if (isWeb(url)) return url.host.replace(/^www\./, '')
  try {
    return decodeURIComponent(url.host || url.pathname)
  } catch {
    return url.host || url.pathname
  }
}

/** The server's LINK_SCHEMES, which pages and the service worker both have. */
const otherSchemes = () =>
  ((globalThis as { SININHO_ENV?: { LINK_SCHEMES?: string } }).SININHO_ENV?.LINK_SCHEMES ?? '')
    .split(',')
    .filter(Boolean)

/** Returns a publisher's website if it may be opened. */
export function websiteOf({ website }: { website?: string }): URL | undefined {
  const url = safeLink(website)
  return url?.protocol === 'https:' ? url : undefined
}

const slug = '[a-z0-9]+(?:-[a-z0-9]+)*'
const page = new RegExp(`^/(?:feed|channels(?:/${slug}(?:/${slug}(?:/[0-9a-f-]{36})?)?)?)$`)

/**
 * Classifies a notification's link: a `page` of this app, `elsewhere`, or `refused`. On our own origin it may lead only
 * to the feed, to channels and to their publishers, because other pages act for the reader. The server applies the same
 * rule when publishing, but its address may have changed since.
 */
export function linkTarget({ protocol, hostname, port, username, password, pathname }: URL, origin: string) {
  const own = new URL(origin)
  const [host, ownHost] = [hostname, own.hostname].map((name) => name.replace(/\.+$/, '')) as [string, string]
  const loopback = isLoopback(host) && isLoopback(ownHost)
  if (loopback ? port !== own.port : host !== ownHost) return 'elsewhere'
  const same = hostname === own.hostname && protocol === own.protocol && port === own.port && !username && !password
  return same && page.test(pathname) ? 'page' : 'refused'
}

const isLoopback = (host: string) =>
  /^((.+\.)?localhost|127(\.\d+){3}|\[::(ffff:7f[\da-f]{2}:[\da-f]+|1)\])$/.test(host)

/** publisherSlug/channelSlug, as written in URLs and messages. */
export type ChannelAddress = { publisherSlug: string; slug: string }

const address = /^([a-z0-9]+(?:-[a-z0-9]+)*)\/([a-z0-9]+(?:-[a-z0-9]+)*)$/

export const formatChannel = ({ publisherSlug, slug }: ChannelAddress) => `${publisherSlug}/${slug}`

export function parseChannel(text: unknown): ChannelAddress | undefined {
  const match = typeof text === 'string' ? address.exec(text) : null
  return match ? { publisherSlug: match[1]!, slug: match[2]! } : undefined
}

/** The page of a notification, its permanent address. */
export const notificationPath = (channel: ChannelAddress, id: string) => `/channels/${formatChannel(channel)}/${id}`

/** A channel's address as the parameters of routes and of the API. */
export const paramsOf = ({ publisherSlug, slug }: ChannelAddress) => ({ publisherSlug, channelSlug: slug })

/** The props of a link to the page of a channel. */
export const pageOf = (channel: ChannelAddress) =>
  ({ to: '/channels/$publisherSlug/$channelSlug', params: paramsOf(channel) }) as const

/** The props of a link to the page of a notification. */
export const notificationPageOf = (channel: ChannelAddress, notificationId: string) =>
  ({
    to: '/channels/$publisherSlug/$channelSlug/$notificationId',
    params: { ...paramsOf(channel), notificationId },
  }) as const

/** The props of a link to a screen in which somebody publishes in a channel. */
export const studioPageOf = (
  { publisherSlug, slug }: ChannelAddress,
  page: (typeof studioPages)[number] = '',
  search: { id?: string; correct?: string; from?: string; draft?: string } = {},
) =>
  ({
    to: '/studio/$publisherSlug/$channelSlug/$',
    params: { publisherSlug, channelSlug: slug, _splat: page },
    search,
  }) as const

/** The props of a link to the page of a publisher. */
export const publisherPageOf = (publisherSlug: string) =>
  ({ to: '/channels/$publisherSlug', params: { publisherSlug } }) as const

/** The documentation, which the server serves beside this app. */
export const docsPath = '/docs'

/** The guide for publishers. */
export const guidePath = '/publicar'

/** Fragment of the waiting list's form on the first screen: `/#lista-de-espera`. */
export const waitlistAnchor = 'lista-de-espera'
