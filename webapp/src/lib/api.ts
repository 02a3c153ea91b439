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
import { pt } from '../i18n/pt'

// the server's own texts come in Portuguese
const headers = { 'Accept-Language': 'pt' }

let client: MainClient | undefined
let waitlistClient: WaitlistClient | undefined

/** The main API, signed in by cookie. */
export function api(): MainClient {
  return (client ??= createMainClient({ baseUrl: env().API_BASE_URL, headers }))
}

/** The waiting list's API, which may be at an address of its own. */
export function waitlistApi(): WaitlistClient {
  return (waitlistClient ??= createWaitlistClient({ baseUrl: env().WAITLIST_API_BASE_URL, headers }))
}

/** The data of a call. What fails without a word of the server's says so in Portuguese. */
export const call: typeof unwrap = async (response) => {
  try {
    return await unwrap(response)
  } catch (error) {
    if (error instanceof NetworkError) throw new NetworkError(error.cause, pt.errors.network)
    if (error instanceof ApiError) {
      error.message = error.code === 'unknown' ? answerText(error.status) : (error.detail ?? error.title)
    }
    throw error
  }
}

/** `null` where there is nothing at an address, or it can be none. */
export async function unlessMissing<T>(request: Promise<T>): Promise<T | null> {
  try {
    return await request
  } catch (error) {
    if (error instanceof ApiError && (error.status === 404 || error.status === 422)) return null
    throw error
  }
}

/** For an answer that is no problem document, as of a proxy on the way. */
function answerText(status: number): string {
  const { refused, failed, unavailable, ...known } = pt.errors.answer
  if (status > 500) return unavailable
  return status === 500 ? failed : ((known as Record<number, string>)[status] ?? refused)
}

/** With the version that was answered, for `If-Match`. */
export type Versioned<T> = T & { etag?: string }

export async function versioned<T extends object>(request: Promise<{ data?: T; response: Response }>) {
  const data = (await call(request)) as T
  const { response } = await request
  return { ...data, etag: response.headers.get('ETag') ?? undefined }
}

/** A whole list, for those that are short enough to be shown whole. */
export async function everything<T>(fetchPage: (query: PageQuery) => Promise<Page<T>>): Promise<T[]> {
  const items: T[] = []
  for await (const item of paginate(fetchPage)) items.push(item)
  return items
}
