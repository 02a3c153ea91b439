import type { ClientOptions } from './client.js'
import { ApiError, NetworkError } from './errors.js'
import { EventStreamParser, type ServerSentEvent } from './event-stream.js'
import type { Notification } from './models.js'
import { pause } from './pause.js'
import { isRedirect, redirected } from './send.js'

/**
 * An event of a channel's stream. Event types that a later server adds are ignored. `id` is the position in the stream
 * after the event; pass it as {@link StreamOptions.lastEventId} to continue from there.
 */
export type ChannelEvent =
  /**
   * Connected at the position `id`: every later event is delivered, however long the caller takes over this one.
   * `again` is true after a reconnect: fetch read states again, because their events have no id and may be missed.
   */
  | { type: 'open'; again: boolean; id?: string }
  /** A notification was published, or became visible again because its expiry was postponed. */
  | { type: 'notification'; notification: Notification; id?: string }
  /** An already published notification was changed. `notification` is the new version. */
  | { type: 'corrected'; notification: Notification; id?: string }
  /** A notification was withdrawn. */
  | { type: 'withdrawn'; notificationId: string; id?: string }
  /** The missed events are no longer kept by the server: fetch the list again. */
  | { type: 'reset'; id?: string }

/** An event of a person's feed. */
export type FeedEvent =
  | ChannelEvent
  /**
   * Notifications were marked read or unread, or archived, on another device: one, a channel's, or all. Or one was
   * postponed until `snoozedUntil`, or is back (`returned`) because its time has come.
   */
  | {
      type: 'read'
      notificationId?: string
      channelId?: string
      readAt?: string | null
      archived?: boolean
      snoozedUntil?: string
      returned?: boolean
      id?: string
    }

/** Where a stream starts, and when it ends or reconnects. */
export interface StreamOptions extends Omit<ClientOptions, 'retries' | 'timeout'> {
  /** Ends the stream without an error when aborted. */
  signal?: AbortSignal | undefined
  /** Continues after this event. Without it, the stream starts with the next event. */
  lastEventId?: string | undefined
  /** Called after each failed connection, with the milliseconds until the next attempt. */
  onRetry?: ((error: Error, wait: number) => void) | undefined
  /** Milliseconds without any data, heartbeats included, after which the stream reconnects. Default: 60 000. */
  idleTimeout?: number | undefined
  /**
   * Milliseconds before the first reconnect, replaced by the server's `retry`. Doubles with each failure, up to 30 s.
   * Default: 1000.
   */
  reconnectDelay?: number | undefined
}

const maxDelay = 30_000

/**
 * Streams the signed-in person's feed until the caller stops. It reconnects by itself and continues where it was cut
 * off, so that no notification is missed or repeated; read states may be missed while it reconnects. Throws
 * {@link ApiError} when retrying cannot help, such as after a sign-out.
 */
export function streamFeed(options: StreamOptions): AsyncGenerator<FeedEvent, void, undefined> {
  return follow('subscribers/notifications/stream', options)
}

/** Streams one channel, which needs no sign-in. Works like {@link streamFeed}, without read states. */
export function streamChannel(
  publisherSlug: string,
  channelSlug: string,
  options: StreamOptions,
): AsyncGenerator<ChannelEvent, void, undefined> {
  const path = `channels/${encodeURIComponent(publisherSlug)}/${encodeURIComponent(channelSlug)}/notifications/stream`
  return follow(path, options) as AsyncGenerator<ChannelEvent, void, undefined>
}

/** Where a stream is, over all its connections. */
interface Progress {
  lastEventId: string
  /** Milliseconds before the first reconnect. */
  retry: number
  failures: number
  opened: boolean
}

async function* follow(path: string, options: StreamOptions): AsyncGenerator<FeedEvent, void, undefined> {
  const { signal, lastEventId = '', reconnectDelay: retry = 1000 } = options
  const url = `${options.baseUrl.replace(/\/+$/, '')}/${path}`
  const progress: Progress = { lastEventId, retry, failures: 0, opened: false }
  while (!signal?.aborted) {
    const failure = yield* followOnce(url, progress, options)
    if (signal?.aborted) return
    const wait = waitAfter(failure, progress)
    progress.failures++
    options.onRetry?.(failure, wait)
    await pause(wait, signal)
  }
}

/** Follows one connection and returns why it ended. Throws an error that another connection would meet again. */
async function* followOnce(
  url: string,
  progress: Progress,
  options: StreamOptions,
): AsyncGenerator<FeedEvent, Error, undefined> {
  // a new parser per connection: an event cut in two must not run into the first event of the next connection
  const parser = new EventStreamParser(progress.lastEventId)
  let connected = false
  try {
    for await (const event of connect(url, parser, options)) {
      progress.failures = 0
      if (event === 'alive') continue
      if (!connected) {
        // not before the position is known, or a cut while the caller handles this event would lose the next ones
        connected = true
        yield { type: 'open', again: progress.opened, ...position(event.event ? progress.lastEventId : event.id) }
        progress.opened = true
      }
      const understood = understand(event)
      if (understood) yield understood
    }
    return new NetworkError(undefined, 'The server ended the stream')
  } catch (error) {
    if (!(error instanceof ApiError)) return error instanceof NetworkError ? error : new NetworkError(error)
    if (options.signal?.aborted || worthAnotherTry(error.status)) return error
    throw error
  } finally {
    progress.lastEventId = parser.lastEventId
    progress.retry = parser.retry ?? progress.retry
  }
}

async function* connect(
  url: string,
  parser: EventStreamParser,
  options: StreamOptions,
): AsyncGenerator<ServerSentEvent | 'alive', void, undefined> {
  const { signal, idleTimeout = 60_000, fetch = (request) => globalThis.fetch(request) } = options
  const connection = new AbortController()
  const stop = () => connection.abort(signal?.reason)
  signal?.addEventListener('abort', stop, { once: true })
  /** Aborts when the server sends nothing for `idleTimeout`. The time that the caller takes does not count. */
  const unlessSilent = async <T>(received: Promise<T>): Promise<T> => {
    const silence = setTimeout(
      () => connection.abort(new NetworkError(undefined, 'The server went silent')),
      idleTimeout,
    )
    return received.finally(() => clearTimeout(silence))
  }
  try {
    const response = await unlessSilent(fetch(streamRequest(url, parser.lastEventId, options, connection.signal)))
    if (isRedirect(response)) throw new NetworkError(undefined, redirected)
    if (!response.ok) throw await unlessSilent(ApiError.from(response))
    if (!response.body || !response.headers.get('Content-Type')?.startsWith('text/event-stream')) {
      throw new NetworkError(undefined, 'The response is not an event stream: is the base URL right?')
    }
    const reader = response.body
      .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>, { signal: connection.signal })
      .getReader()
    for (;;) {
      const { done, value } = await unlessSilent(reader.read())
      if (done) return
      yield 'alive'
      yield* parser.push(value)
    }
  } catch (error) {
    // the reason of the abort says more than the read error that follows it
    throw connection.signal.aborted ? connection.signal.reason : error
  } finally {
    signal?.removeEventListener('abort', stop)
    connection.abort()
  }
}

function streamRequest(url: string, lastEventId: string, { apiKey, headers }: StreamOptions, signal: AbortSignal) {
  const all = new Headers({ ...headers, Accept: 'text/event-stream' })
  if (lastEventId) all.set('Last-Event-ID', lastEventId)
  if (apiKey) all.set('Authorization', `Bearer ${apiKey}`)
  return new Request(url, { headers: all, credentials: 'include', cache: 'no-store', redirect: 'manual', signal })
}

function understand({ event, data, id }: ServerSentEvent): FeedEvent | undefined {
  const at = position(id)
  if (event === 'reset') return { type: 'reset', ...at }
  let value: unknown
  try {
    value = JSON.parse(data)
  } catch {
    return undefined
  }
  if (event === 'notification' || event === 'corrected') {
    return { type: event, notification: value as Notification, ...at }
  }
  if (event === 'read') return { ...(value as object), type: 'read', ...at }
  if (event === 'withdrawn') return { type: 'withdrawn', notificationId: (value as { id: string }).id, ...at }
  return undefined // added by a later version of the contract
}

const position = (id: string) => (id ? { id } : {})

const worthAnotherTry = (status: number) => status === 408 || status === 429 || status >= 500

function waitAfter(failure: Error, { retry, failures }: Progress): number {
  const asked = failure instanceof ApiError ? failure.retryAfter : undefined
  return asked === undefined ? backoff(retry, failures) : asked * 1000
}

/** Doubles with each failure and varies by up to half, so that clients cut off together do not return together. */
function backoff(base: number, failures: number): number {
  return Math.min(Math.max(base, 1) * 2 ** failures, maxDelay) * (0.5 + Math.random() / 2)
}
