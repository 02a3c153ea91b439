import { ApiError, NetworkError } from './errors.js'
import { EventStreamParser, type ServerSentEvent } from './event-stream.js'
import type { Notification } from './models.js'

export type ChannelEvent =
  /** The stream stands; `again` when it was cut before. What carries no id (read states) is to be fetched anew then. */
  | { type: 'open'; again: boolean }
  | { type: 'notification'; notification: Notification }
  | { type: 'corrected'; notification: Notification }
  | { type: 'withdrawn'; notificationId: string }
  /** What was missed is no longer kept: fetch the list again. */
  | { type: 'reset' }

export type FeedEvent =
  | ChannelEvent
  /** Became read (or unread) on another device: one, all of a channel, or everything. */
  | { type: 'read'; notificationId?: string; channelId?: string; readAt?: string | null }

export interface StreamOptions {
  baseUrl: string
  apiKey?: string
  /** Ends the stream. */
  signal?: AbortSignal
  /** Takes up after this event. */
  lastEventId?: string
  fetch?: (request: Request) => Promise<Response>
  /** Milliseconds of silence after which the connection is taken for dead; heartbeats count. */
  idleTimeout?: number
  /** Milliseconds before the first reconnect, until the server gives a `retry`; doubled at each failure up to 30 s. */
  reconnectDelay?: number
}

const maxDelay = 30_000

/** The signed-in person's feed, live, without end: reconnects by itself and takes up where it was cut. */
export function streamFeed(options: StreamOptions): AsyncGenerator<FeedEvent, void, undefined> {
  return follow(`${trim(options.baseUrl)}/subscribers/notifications/stream`, options)
}

/** One channel, live, for anyone. */
export function streamChannel(
  publisherSlug: string,
  channelSlug: string,
  options: StreamOptions,
): AsyncGenerator<ChannelEvent, void, undefined> {
  const path = `channels/${encodeURIComponent(publisherSlug)}/${encodeURIComponent(channelSlug)}/notifications/stream`
  return follow(`${trim(options.baseUrl)}/${path}`, options) as AsyncGenerator<ChannelEvent, void, undefined>
}

async function* follow(url: string, options: StreamOptions): AsyncGenerator<FeedEvent, void, undefined> {
  const { signal, reconnectDelay = 1000 } = options
  let lastEventId = options.lastEventId ?? ''
  let retry = reconnectDelay
  let failures = 0
  let opened = false
  while (!signal?.aborted) {
    // a new one each time: an event cut in two by the broken connection must not run into the next
    const parser = new EventStreamParser(lastEventId)
    let wait: number | undefined
    try {
      for await (const event of connect(url, parser, options)) {
        failures = 0
        if (event === 'alive') continue
        if (event === 'open') {
          yield { type: 'open', again: opened }
          opened = true
          continue
        }
        const understood = understand(event)
        if (understood) yield understood
      }
    } catch (error) {
      if (signal?.aborted) return
      if (error instanceof ApiError) {
        if (!worthAnotherTry(error.status)) throw error
        if (error.retryAfter !== undefined) wait = error.retryAfter * 1000
      }
    }
    lastEventId = parser.lastEventId
    retry = parser.retry ?? retry
    await pause(wait ?? backoff(retry, failures++), signal)
  }
}

async function* connect(
  url: string,
  parser: EventStreamParser,
  { apiKey, signal, fetch = (request) => globalThis.fetch(request), idleTimeout = 60_000 }: StreamOptions,
): AsyncGenerator<ServerSentEvent | 'open' | 'alive', void, undefined> {
  const connection = new AbortController()
  const stop = () => connection.abort(signal?.reason)
  signal?.addEventListener('abort', stop, { once: true })
  let idle: ReturnType<typeof setTimeout> | undefined
  const alive = () => {
    clearTimeout(idle)
    idle = setTimeout(() => connection.abort(), idleTimeout)
  }
  try {
    alive()
    const headers = new Headers({ Accept: 'text/event-stream' })
    if (parser.lastEventId) headers.set('Last-Event-ID', parser.lastEventId)
    if (apiKey) headers.set('Authorization', `Bearer ${apiKey}`)
    const request = new Request(url, {
      headers,
      credentials: 'include',
      cache: 'no-store',
      signal: connection.signal,
    })
    const response = await fetch(request)
    if (!response.ok) throw await ApiError.from(response)
    if (!response.body || !response.headers.get('Content-Type')?.startsWith('text/event-stream')) {
      throw new NetworkError(undefined, 'The answer is not an event stream')
    }
    yield 'open'
    const reader = response.body
      .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
      .getReader()
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      alive()
      yield 'alive'
      yield* parser.push(value)
    }
  } finally {
    clearTimeout(idle)
    signal?.removeEventListener('abort', stop)
    connection.abort()
  }
}

function understand({ event, data }: ServerSentEvent): FeedEvent | undefined {
  if (event === 'reset') return { type: 'reset' }
  let value: unknown
  try {
    value = JSON.parse(data)
  } catch {
    return undefined
  }
  if (event === 'notification' || event === 'corrected') return { type: event, notification: value as Notification }
  if (event === 'read') return { type: 'read', ...(value as object) }
  if (event === 'withdrawn') return { type: 'withdrawn', notificationId: (value as { id: string }).id }
  return undefined // of a later version of the contract
}

const worthAnotherTry = (status: number) => status === 408 || status === 429 || status >= 500

/** Doubles with each failure, and differs by up to half, so that clients cut together do not return together. */
function backoff(base: number, failures: number): number {
  return Math.min(base * 2 ** failures, maxDelay) * (0.5 + Math.random() / 2)
}

/** Waits; ends early when the caller gives up or the browser is back online. */
function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      globalThis.removeEventListener?.('online', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    if (signal?.aborted) done()
    signal?.addEventListener('abort', done, { once: true })
    globalThis.addEventListener?.('online', done, { once: true })
  })
}

const trim = (baseUrl: string) => baseUrl.replace(/\/+$/, '')
