import createClient, { type Client, type Middleware } from 'openapi-fetch'
import { ApiError, NetworkError, isAbort } from './errors.js'
import type { paths } from './gen/sininho.js'

export interface ClientOptions {
  /** Where the API is, with its version: `https://sininho.example/api/v1`. */
  baseUrl: string
  /** A publisher's key, `snh_live_…`. Without one, a browser's session cookie is used. */
  apiKey?: string
  /** Replaces the platform's `fetch`. */
  fetch?: (request: Request) => Promise<Response>
  headers?: Record<string, string>
}

export type MainClient = Client<paths>

/**
 * The main API, typed by the contract: `client.GET('/channels', {params: {query: {q: 'metro'}}})`.
 * A call answers its data or throws: {@link ApiError} for what the server refused, {@link NetworkError} when it could
 * not be reached, an `AbortError` when the given signal was aborted.
 */
export function createMainClient({ baseUrl, apiKey, fetch, headers }: ClientOptions): MainClient {
  const client = createClient<paths>({
    baseUrl,
    credentials: 'include',
    headers: { ...headers, ...(apiKey && { Authorization: `Bearer ${apiKey}` }) },
    // looked up on each call, so that what replaces it later (a test, an instrument) is used
    fetch: fetch ?? ((request) => globalThis.fetch(request)),
  })
  client.use(throwing)
  return client
}

const throwing: Middleware = {
  async onResponse({ response }) {
    if (!response.ok) throw await ApiError.from(response)
  },
  onError({ error }) {
    return isAbort(error) || !(error instanceof Error) ? undefined : new NetworkError(error)
  },
}

type Data<R> = R extends { data: infer D; error?: never } ? D : never

/** The data of a call: `const page = await unwrap(client.GET('/channels'))`. */
export async function unwrap<R extends { data?: unknown }>(call: Promise<R>): Promise<Data<R>> {
  try {
    const { data } = await call
    return data as Data<R>
  } catch (error) {
    // fetch reports a connection that broke in mid-answer while the body is read
    throw error instanceof TypeError ? new NetworkError(error) : error
  }
}
