import createClient, { type Client, type Middleware } from 'openapi-fetch'
import { ApiError, NetworkError } from './errors.js'
import type { paths } from './gen/sininho.js'
import type { paths as WaitlistPaths } from './gen/waitlist.js'
import { underOneKey } from './idempotency.js'
import { isRedirect, isWhole, redirected, sender } from './send.js'

/** Address of the API, credentials and retry behaviour of a client. */
export interface ClientOptions {
  /** Base URL of the API, including the version: `https://sininho.example/api/v1`. */
  baseUrl: string
  /** A publisher's API key (`snh_live_…`) or a person's access token. Without it, browsers send the session cookie. */
  apiKey?: string | undefined
  /** Headers sent with every request, such as `{'Accept-Language': 'pt'}` for error texts in Portuguese. */
  headers?: Record<string, string> | undefined
  /** Used instead of the platform's `fetch`. */
  fetch?: ((request: Request) => Promise<Response>) | undefined
  /**
   * How many times a failed call is retried: after a network failure or timeout, 429, 5xx other than 501, or 409 while
   * the first attempt is still in progress. Waits are jittered and never shorter than `Retry-After`; if that is more
   * than 60 seconds, the call fails at once. All attempts of a create share one `Idempotency-Key`, so that it happens
   * only once. A POST that does not accept the key is retried only after 429.
   *
   * Default: 2 with an `apiKey`, otherwise 0, because the query library of a web app retries by itself.
   */
  retries?: number | undefined
  /**
   * Milliseconds that one attempt may take, reading the response included. Default: 30 000. To limit all attempts
   * together, pass a `signal`.
   */
  timeout?: number | undefined
}

/** Client of the main API, with methods GET, POST, PUT, PATCH and DELETE that are typed by the contract's paths. */
export type MainClient = Client<paths>

/** Client of the waiting list's API, typed by the paths of its own contract. */
export type WaitlistClient = Client<WaitlistPaths>

/**
 * Creates a client of the main API: `client.GET('/channels', {params: {query: {q: 'metro'}}})`.
 *
 * A call resolves to `{data, response}`; {@link unwrap} returns only the data. It throws {@link ApiError} when the
 * server responds with an error, {@link NetworkError} when there is no usable response, and the reason of the given
 * `signal` when that is aborted.
 */
export function createMainClient(options: ClientOptions): MainClient {
  return create<paths>(options)
}

/**
 * Creates a client of the waiting list's API: `client.POST('/waitlist/entries', {body: {email: 'ana@example.com'}})`.
 *
 * The base URL is that of the main API, unless the waiting list is served separately at its own address. Operations for
 * operators need an operator's access token as `apiKey`. Results and errors are as for {@link createMainClient}. The
 * export is text: `client.GET('/waitlist/entries/export', {parseAs: 'text'})`.
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
    // looked up on each call, so that a later replacement (by a test or by instrumentation) is used
    fetch: sender(fetch ?? ((request) => globalThis.fetch(request)), { retries, timeout }),
  })
  if (retries > 0) client.use(underOneKey)
  client.use(throwing)
  return client
}

const throwing: Middleware = {
  async onResponse({ request, response }) {
    if (isRedirect(response)) throw new NetworkError(undefined, redirected, request)
    if (!response.ok) throw await ApiError.from(response, request)
    if (response.body && response.status !== 204 && !isWhole(response) && !isEvents(response)) {
      throw new NetworkError(undefined, 'The response is not from Sininho: is the base URL right?', request)
    }
  },
  onError({ request, error }) {
    return request.signal.aborted || error instanceof NetworkError
      ? undefined
      : new NetworkError(error, undefined, request)
  },
}

const isEvents = (response: Response) => response.headers.get('Content-Type')?.startsWith('text/event-stream')

type Data<R> = R extends { data: infer D; error?: never } ? D : never

/** Returns the data of a call: `const page = await unwrap(client.GET('/channels'))`. Throws what the call throws. */
export async function unwrap<R extends { data?: unknown }>(call: Promise<R>): Promise<Data<R>> {
  return (await call).data as Data<R>
}
