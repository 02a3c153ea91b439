import {
  ApiError,
  type MainClient,
  NetworkError,
  type Page,
  type PageQuery,
  type WaitlistClient,
  createMainClient,
  createWaitlistClient,
  paginate,
  unwrap,
} from '@sininho/sdk'
import { env } from '../env'
import { language } from '../i18n/language'
import { words } from '../i18n/words'
import { suspectConnection } from './connection'

// for the server's texts
const headers = { 'Accept-Language': language }

let client: MainClient | undefined
let waitlistClient: WaitlistClient | undefined

/** The main API, authenticated by the session cookie. */
export function api(): MainClient {
  return (client ??= createMainClient({ baseUrl: env().API_BASE_URL, headers }))
}

/** The waiting list's API, which may be at another address. */
export function waitlistApi(): WaitlistClient {
  return (waitlistClient ??= createWaitlistClient({ baseUrl: env().WAITLIST_API_BASE_URL, headers }))
}

/** Returns the data of a call. Errors without a text from the server get one in the app's language. */
export const call: typeof unwrap = (response) => inWords(unwrap(response))

/** What a function of the SDK returns; errors are those of `call`. */
export async function inWords<T>(result: Promise<T>): Promise<T> {
  try {
    return await result
  } catch (error) {
    if (error instanceof NetworkError) {
      await suspectConnection(() => api().GET('/auth', { cache: 'no-store' }))
      throw new NetworkError(error.cause, words.errors.network)
    }
    if (error instanceof ApiError) {
      error.message = error.code === 'unknown' ? responseText(error.status) : (error.detail ?? error.title)
    }
    throw error
  }
}

/** Whether nothing exists at an address (404), or the address is malformed (422). */
export const isMissing = (error: unknown) => error instanceof ApiError && [404, 422].includes(error.status)

/** Returns `null` when nothing exists at an address. */
export const unlessMissing = <T>(request: Promise<T>): Promise<T | null> =>
  request.catch((error) => {
    if (isMissing(error)) return null
    throw error
  })

/** Whether the server refused because an operator has suspended something. */
export const isSuspended = (error: unknown) => error instanceof ApiError && error.code === 'suspended'

/** The message for a response that is not a problem document, such as a proxy's page. */
function responseText(status: number): string {
  const { refused, failed, unavailable, ...known } = words.errors.response
  if (status > 500) return unavailable
  return status === 500 ? failed : ((known as Record<number, string>)[status] ?? refused)
}

/** A resource with the ETag of its response, for `If-Match`. */
export type Versioned<T> = T & { etag?: string }

export async function versioned<T extends object>(request: Promise<{ data?: T; response: Response }>) {
  const data = (await call(request)) as T
  const { response } = await request
  return { ...data, etag: response.headers.get('ETag') ?? undefined }
}

/** Fetches a whole list. Only for lists short enough to be shown at once. */
export async function everything<T>(fetchPage: (query: PageQuery) => Promise<Page<T>>): Promise<T[]> {
  const items: T[] = []
  for await (const item of paginate(fetchPage)) items.push(item)
  return items
}
