import type { FieldError, Problem } from './models.js'

/** The request that failed. */
export type FailedRequest = Pick<Request, 'method' | 'url'>

/**
 * The server responded with an error (RFC 9457). `message` names the request and the fault, and is meant for logs. Show
 * `detail` to people: it is in Portuguese when the client sends `Accept-Language: pt`, otherwise in English.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  /** The HTTP status. */
  readonly status: number
  /** Stable code for programs, such as `not_found`; `unknown` for a body that is not a problem document. */
  readonly code: string
  /** The method of the request. */
  readonly method: string | undefined
  /** The path of the request without its query. A credential in it is replaced by its name, such as `{token}`. */
  readonly path: string | undefined
  /** The kind of error, for people. */
  readonly title: string
  /** What went wrong in this case, for people. */
  readonly detail: string | undefined
  /** Identifies the request in the server's log. Quote it when asking for help. */
  readonly requestId: string | undefined
  /** Every fault of the input, each with a JSON pointer to its place. */
  readonly errors: readonly FieldError[]
  /** Seconds to wait before the next attempt, if the server sent `Retry-After`. */
  readonly retryAfter: number | undefined

  constructor(
    status: number,
    problem: Partial<Problem> = {},
    headers: Headers = new Headers(),
    request?: FailedRequest,
  ) {
    const title = problem.title ?? `HTTP ${status}`
    super(named(request, problem.detail ?? title))
    this.method = request?.method
    this.path = request && safePath(request.url)
    this.status = status
    this.code = problem.code ?? 'unknown'
    this.title = title
    this.detail = problem.detail
    this.requestId = problem.requestId ?? headers.get('X-Request-Id') ?? undefined
    this.errors = problem.errors ?? []
    this.retryAfter = retryAfter(headers)
  }

  /** Creates the error from a response that is not `ok`. Never throws, whatever the body contains. */
  static async from(response: Response, request?: FailedRequest): Promise<ApiError> {
    const body: unknown = await response.json().catch(() => undefined)
    const problem = typeof body === 'object' && body !== null ? (body as Partial<Problem>) : {}
    return new ApiError(response.status, problem, response.headers, request)
  }
}

/**
 * No usable response arrived: the server could not be reached or did not respond in time, the connection broke while the
 * response was being read, or the response was a redirect or not from the API. The request may have been carried out
 * nevertheless.
 */
export class NetworkError extends Error {
  override readonly name = 'NetworkError'

  /** The method of the request. */
  readonly method: string | undefined
  /** The path of the request, as in {@link ApiError}. */
  readonly path: string | undefined

  /** An application that creates one itself passes a message in its users' language and no request. */
  constructor(cause?: unknown, message = 'The server could not be reached', request?: FailedRequest) {
    super(named(request, message), { cause })
    this.method = request?.method
    this.path = request && safePath(request.url)
  }
}

const named = (request: FailedRequest | undefined, text: string) =>
  request ? `${request.method} ${safePath(request.url)}: ${text}` : text

/** Returns the path of a URL, without the credentials in it: the token of an emailed link and the id of a webhook. */
function safePath(url: string): string {
  return new URL(url, 'http://localhost').pathname
    .replace(/(\/waitlist\/entries\/)(?!export$)[^/]+/, '$1{token}')
    .replace(/(\/webhooks\/channels\/)[^/]+/, '$1{id}')
}

/** Returns the `Retry-After` header in seconds, whether it holds a number or a date. */
export function retryAfter(headers: Headers): number | undefined {
  const value = headers.get('Retry-After')
  if (!value) return undefined
  const seconds = Number(value)
  if (Number.isFinite(seconds)) return Math.max(0, seconds)
  const at = Date.parse(value)
  return Number.isNaN(at) ? undefined : Math.max(0, (at - Date.now()) / 1000)
}
