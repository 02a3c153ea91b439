import createClient, { type Client, type Middleware } from 'openapi-fetch'
import { ApiError, NetworkError } from './errors.js'
import type { paths } from './gen/sininho.js'
import type { paths as WaitlistPaths } from './gen/waitlist.js'
import { underOneKey } from './idempotency.js'
import { isWhole, sender } from './send.js'

/** Where the API is and how to call it. */
export interface ClientOptions {
  /** Where the API is, with its version: `https://sininho.example/api/v1`. */
  baseUrl: string
  /** A publisher's API key (`snh_live_…`) or a person's access token. Without one, a browser's session cookie is used. */
  apiKey?: string | undefined
  /** Sent with each request, as `{'Accept-Language': 'pt'}` for error texts in Portuguese. */
  headers?: Record<string, string> | undefined
  /** Replaces the platform's `fetch`. */
  fetch?: ((request: Request) => Promise<Response>) | undefined
  /**
   * How often a call is tried again after no answer, 429, 5xx, or 409 while the first attempt is still under way: with
   * jitter, no sooner than `Retry-After` asks, and all attempts of a create under one `Idempotency-Key`, so that it
   * happens once. A POST that takes no such key is tried again after 429 alone.
   *
   * 2 with an `apiKey`; 0 without, as in a web app, whose query library tries again by itself.
   */
  retries?: number | undefined
  /** Milliseconds that an attempt may take, its answer included: 30 000. For all attempts together pass a `signal`. */
  timeout?: number | undefined
}

/** The main API: a method each for GET, POST, PUT, PATCH and DELETE, typed by the contract's paths. */
export type MainClient = Client<paths>

/** The waiting list's API, by the paths of its own contract. */
export type WaitlistClient = Client<WaitlistPaths>

/**
 * Makes a client of the main API: `client.GET('/channels', {params: {query: {q: 'metro'}}})`.
 *
 * A call answers `{data, response}` ({@link unwrap} takes the data out) or throws: {@link ApiError} for what the server
 * refused, {@link NetworkError} when there was no answer, and the reason of the given `signal` when that was aborted.
 */
export function createMainClient(options: ClientOptions): MainClient {
  return create<paths>(options)
}

/**
 * Makes a client of the waiting list's API: `client.POST('/waitlist/entries', {body: {email: 'ana@example.com'}})`.
 *
 * Its base URL is the main API's, unless the list is served alone, at an address of its own. What is for operators takes
 * an operator's access token as `apiKey`. It answers and throws as {@link createMainClient} says; the export is text:
 * `client.GET('/waitlist/entries/export', {parseAs: 'text'})`.
 */
export function createWaitlistClient(options: ClientOptions): WaitlistClient {
  return create<WaitlistPaths>(options)
}

function create<Paths extends object>(options: ClientOptions): Client<Paths> {
  const { baseUrl, apiKey, headers, fetch, retries = apiKey ? 2 : 0, timeout = 30_000 } = options
  const client = createClient<Paths>({
    baseUrl,
    credentials: 'include',
    headers: { ...headers, ...(apiKey && { Authorization: `Bearer ${apiKey}` }) },
    // looked up on each call, so that what replaces it later (a test, an instrument) is used
    fetch: sender(fetch ?? ((request) => globalThis.fetch(request)), { retries, timeout }),
  })
  if (retries > 0) client.use(underOneKey)
  client.use(throwing)
  return client
}

const throwing: Middleware = {
  async onResponse({ request, response }) {
    if (!response.ok) throw await ApiError.from(response, request)
    if (response.body && response.status !== 204 && !isWhole(response) && !isEvents(response)) {
      throw new NetworkError(undefined, 'The response is not from Sininho: is the base URL right?', request)
    }
  },
  onError({ request, error }) {
    return request.signal.aborted || error instanceof NetworkError ? undefined : new NetworkError(error, undefined, request)
  },
}

const isEvents = (response: Response) => response.headers.get('Content-Type')?.startsWith('text/event-stream')

type Data<R> = R extends { data: infer D; error?: never } ? D : never

/** The data of a call: `const page = await unwrap(client.GET('/channels'))`. Throws what the call throws. */
export async function unwrap<R extends { data?: unknown }>(call: Promise<R>): Promise<Data<R>> {
  return (await call).data as Data<R>
}
