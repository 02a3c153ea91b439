import { ApiError, NetworkError, retryAfter } from './errors.js'
import { pause } from './pause.js'

type Fetch = (request: Request) => Promise<Response>

interface Settings {
  /** How many times a failed attempt is repeated. */
  retries: number
  /** Milliseconds that an attempt may take, reading the response included. */
  timeout: number
}

const firstWait = 250
const longestWait = 8000
// longest `Retry-After` to wait for; beyond it the call fails, and `retryAfter` of the error says when to try again
const longestRetryAfter = 60_000

/**
 * Wraps a `fetch` to read complete responses, limit the time of each attempt, and retry what can safely be retried. It
 * follows no redirect, which could pass the body on to another server.
 */
export function sender(fetch: Fetch, { retries, timeout }: Settings): Fetch {
  return async (request) => {
    for (let attempt = 0; ; attempt++) {
      const isLast = attempt >= retries
      // a body can be sent only once
      const outcome = await once(fetch, isLast ? request : request.clone(), timeout)
      const wait = isLast || request.signal.aborted ? undefined : await waitAfter(outcome, request, attempt)
      if (wait === undefined) {
        if ('error' in outcome) throw outcome.error
        return outcome.response
      }
      await pause(wait, request.signal)
      request.signal.throwIfAborted()
    }
  }
}

type Outcome = { response: Response } | { error: unknown }

async function once(fetch: Fetch, request: Request, timeout: number): Promise<Outcome> {
  const attempt = new AbortController()
  const giveUp = () => attempt.abort(request.signal.reason)
  if (request.signal.aborted) giveUp()
  // the signal belongs to the request and is collected with it, so the listener need not be removed
  request.signal.addEventListener('abort', giveUp, { once: true })
  const tooLate = new NetworkError(undefined, 'The server did not respond in time', request)
  const timer = setTimeout(() => attempt.abort(tooLate), timeout)
  try {
    const response = fetch(new Request(request, { signal: attempt.signal, redirect: 'manual' })).then(whole)
    return { response: await Promise.race([response, aborted(attempt.signal)]) }
  } catch (error) {
    return { error: attempt.signal.aborted ? attempt.signal.reason : error }
  } finally {
    clearTimeout(timer)
  }
}

/** Rejects when the signal is aborted, because a `fetch` of an application may ignore the signal. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

/** Reads a document to its end, because a broken connection only shows then. Streams are left to the caller. */
async function whole(response: Response): Promise<Response> {
  if (!response.body || !isWhole(response)) return response
  return new Response(await response.arrayBuffer(), response)
}

/** Reports whether the response is a document of the API by its content type: JSON, a problem document, or CSV. */
export function isWhole(response: Response): boolean {
  return /^(application\/([a-z.-]+\+)?json|text\/csv)\b/i.test(response.headers.get('Content-Type') ?? '')
}

/** Says that a response is a redirect, to any server. */
export const redirected = 'The server redirects, and redirects are not followed: is the base URL right?'

/** Reports whether the response is a redirect. Browsers hide its status. */
export function isRedirect({ type, status }: Response): boolean {
  return type === 'opaqueredirect' || [301, 302, 303, 307, 308].includes(status)
}

/** Returns the milliseconds to wait before the next attempt, or undefined if a retry is useless or could act twice. */
async function waitAfter(outcome: Outcome, request: Request, attempt: number): Promise<number | undefined> {
  if (!(await mayRepeat(outcome, request))) return undefined
  const asked = 'response' in outcome ? (retryAfter(outcome.response.headers) ?? 0) * 1000 : 0
  if (asked > longestRetryAfter) return undefined
  // jitter over the whole wait, so that clients that failed together do not return together
  return asked + Math.random() * Math.min(firstWait * 2 ** attempt, longestWait)
}

async function mayRepeat(outcome: Outcome, request: Request): Promise<boolean> {
  const isSafe = request.method !== 'POST' || request.headers.has('Idempotency-Key')
  if ('error' in outcome) return isSafe
  const { response } = outcome
  if (response.status === 429) return true // refused before anything was done
  if (response.status === 409) return (await ApiError.from(response.clone())).code === 'idempotency_in_flight'
  return isSafe && response.status >= 500 && response.status !== 501
}
