import { ApiError, NetworkError, retryAfter } from './errors.js'
import { pause } from './pause.js'

type Fetch = (request: Request) => Promise<Response>

interface Settings {
  /** How often a failed attempt is made again. */
  retries: number
  /** Milliseconds an attempt may take, its answer included. */
  timeout: number
}

const firstWait = 250
const longestWait = 8000
// for longer than this the server is not waited for: the call fails, and `retryAfter` says when to come back
const longestRetryAfter = 60_000

/** A `fetch` that reads the whole answer, does not wait for ever, and tries again what may be tried again. */
export function sender(fetch: Fetch, { retries, timeout }: Settings): Fetch {
  return async (request) => {
    for (let attempt = 0; ; attempt++) {
      const isLast = attempt >= retries
      // a body can be sent once
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
  // the signal is the request's own and goes with it, so there is nothing to remove
  request.signal.addEventListener('abort', giveUp, { once: true })
  const tooLate = new NetworkError(undefined, 'The server did not respond in time', request)
  const timer = setTimeout(() => attempt.abort(tooLate), timeout)
  try {
    return { response: await whole(await fetch(new Request(request, { signal: attempt.signal }))) }
  } catch (error) {
    // not every browser rejects with the signal's reason
    return { error: attempt.signal.aborted ? attempt.signal.reason : error }
  } finally {
    clearTimeout(timer)
  }
}

/** Reads what is whole to its end, as it is in reading that a broken connection shows. A stream is left to the caller. */
async function whole(response: Response): Promise<Response> {
  if (!response.body || !isWhole(response)) return response
  return new Response(await response.arrayBuffer(), response)
}

/** Whether the answer says that it is a document of the API's: JSON, a problem's too, or a table. */
export function isWhole(response: Response): boolean {
  return /^(application\/([a-z.-]+\+)?json|text\/csv)\b/i.test(response.headers.get('Content-Type') ?? '')
}

/** Milliseconds to wait before the next attempt; undefined when another would be of no use, or do a thing twice. */
async function waitAfter(outcome: Outcome, request: Request, attempt: number): Promise<number | undefined> {
  if (!(await mayRepeat(outcome, request))) return undefined
  const asked = 'response' in outcome ? (retryAfter(outcome.response.headers) ?? 0) * 1000 : 0
  if (asked > longestRetryAfter) return undefined
  // spread over the whole time, so that clients that failed together do not return together
  return asked + Math.random() * Math.min(firstWait * 2 ** attempt, longestWait)
}

async function mayRepeat(outcome: Outcome, request: Request): Promise<boolean> {
  const isSafe = request.method !== 'POST' || request.headers.has('Idempotency-Key')
  if ('error' in outcome) return isSafe
  const { response } = outcome
  if (response.status === 429) return true // it was refused before anything was done
  if (response.status === 409) return (await ApiError.from(response.clone())).code === 'idempotency_in_flight'
  return isSafe && response.status >= 500 && response.status !== 501
}
