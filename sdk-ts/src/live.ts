import type { ClientOptions } from './client.js'
import { ApiError, NetworkError } from './errors.js'
import { EventStreamParser, type ServerSentEvent } from './event-stream.js'
import type { Notification } from './models.js'
import { pause } from './pause.js'

/**
 * What happens in a channel. Later versions of the server may add more; those are passed over. `id` is the position in
 * the stream after it, to take up from with {@link StreamOptions.lastEventId}.
 */
export type ChannelEvent =
  /**
   * Connected, at the position `id`: whatever happens from here on comes, however long this event takes to handle.
   * `again` after a cut: fetch what has no id (read states) again, because it may have been missed.
   */
  | { type: 'open'; again: boolean; id?: string }
  /** A notification was published, or is visible again. */
  | { type: 'notification'; notification: Notification; id?: string }
  /** A notification that was published before was changed, and is now this. */
  | { type: 'corrected'; notification: Notification; id?: string }
  /** A notification is gone. */
  | { type: 'withdrawn'; notificationId: string; id?: string }
  /** What was missed is no longer kept: fetch the list again. */
  | { type: 'reset'; id?: string }

/** What happens in a person's feed. */
export type FeedEvent =
  | ChannelEvent
  /** Became read (or unread) on another device: one, all of a channel, or everything. */
  | {
      type: 'read'
      notificationId?: string
      channelId?: string
      readAt?: string | null
      archived?: boolean
      id?: string
    }

/** Where a stream begins, and how long it lasts. */
export interface StreamOptions extends Omit<ClientOptions, 'retries' | 'timeout'> {
  /** Ends the stream, without an error. */
  signal?: AbortSignal | undefined
  /** Takes up after this event; else begins with what comes next. */
  lastEventId?: string | undefined
  /** Called when the connection failed, with the milliseconds before the next try. */
  onRetry?: ((error: Error, wait: number) => void) | undefined
  /** Milliseconds of silence after which the connection is taken for dead: 60 000. Heartbeats count. */
  idleTimeout?: number | undefined
  /** Milliseconds before the first reconnect, until the server gives a `retry`: 1000. Doubles with each failure, up to 30 s. */
  reconnectDelay?: number | undefined
}

const maxDelay = 30_000

/**
 * The signed-in person's feed, live and without end: it reconnects by itself and takes up where it was cut, so that
 * nothing is missed or repeated. Throws {@link ApiError} when no further try can mend it, as when signed out.
 */
export function streamFeed(options: StreamOptions): AsyncGenerator<FeedEvent, void, undefined> {
  return follow('subscribers/notifications/stream', options)
}

/** One channel, live, for anyone; as {@link streamFeed} does, without read states. */
export function streamChannel(
  publisherSlug: string,
  channelSlug: string,
  options: StreamOptions,
): AsyncGenerator<ChannelEvent, void, undefined> {
  const path = `channels/${encodeURIComponent(publisherSlug)}/${encodeURIComponent(channelSlug)}/notifications/stream`
  return follow(path, options) as AsyncGenerator<ChannelEvent, void, undefined>
}

async function* follow(path: string, options: StreamOptions): AsyncGenerator<FeedEvent, void, undefined> {
  const { signal, reconnectDelay = 1000 } = options
  const url = `${options.baseUrl.replace(/\/+$/, '')}/${path}`
  let lastEventId = options.lastEventId ?? ''
  let retry = reconnectDelay
  let failures = 0
  let opened = false
  while (!signal?.aborted) {
    // a new one each time: an event cut in two by the broken connection must not run into the next
    const parser = new EventStreamParser(lastEventId)
    let failure: Error = new NetworkError(undefined, 'The server ended the stream')
    let connected = false
    try {
      for await (const event of connect(url, parser, options)) {
        failures = 0
        if (event === 'alive') continue
        if (!connected) {
          // not before the position is known, or a cut while the caller is busy would lose what follows
          connected = true
          yield { type: 'open', again: opened, ...position(event.event ? lastEventId : event.id) }
          opened = true
        }
        const understood = understand(event)
        if (understood) yield understood
      }
    } catch (error) {
      if (signal?.aborted) return
      if (error instanceof ApiError && !worthAnotherTry(error.status)) throw error
      failure = error instanceof ApiError || error instanceof NetworkError ? error : new NetworkError(error)
    }
    lastEventId = parser.lastEventId
    retry = parser.retry ?? retry
    const asked = failure instanceof ApiError ? failure.retryAfter : undefined
    const wait = asked === undefined ? backoff(retry, failures) : asked * 1000
    failures++
    if (!signal?.aborted) options.onRetry?.(failure, wait)
    await pause(wait, signal)
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
  /** Waits for the server, not for ever. A reader who takes long over an event is no silence of the server's. */
  const unlessSilent = async <T>(answer: Promise<T>): Promise<T> => {
    const silence = setTimeout(
      () => connection.abort(new NetworkError(undefined, 'The server went silent')),
      idleTimeout,
    )
    return answer.finally(() => clearTimeout(silence))
  }
  try {
    const response = await unlessSilent(fetch(streamRequest(url, parser.lastEventId, options, connection.signal)))
    if (!response.ok) throw await unlessSilent(ApiError.from(response))
    if (!response.body || !response.headers.get('Content-Type')?.startsWith('text/event-stream')) {
      throw new NetworkError(undefined, 'The answer is not an event stream: is the base URL right?')
    }
    const reader = response.body
      .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
      .getReader()
    for (;;) {
      const { done, value } = await unlessSilent(reader.read())
      if (done) return
      yield 'alive'
      yield* parser.push(value)
    }
  } catch (error) {
    // what broke it off says more than that it broke
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
  return new Request(url, { headers: all, credentials: 'include', cache: 'no-store', signal })
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
  return undefined // of a later version of the contract
}

const position = (id: string) => (id ? { id } : {})

const worthAnotherTry = (status: number) => status === 408 || status === 429 || status >= 500

/** Doubles with each failure, and differs by up to half, so that clients cut together do not return together. */
function backoff(base: number, failures: number): number {
  return Math.min(Math.max(base, 1) * 2 ** failures, maxDelay) * (0.5 + Math.random() / 2)
}
