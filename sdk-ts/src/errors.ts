import type { FieldError, Problem } from './models.js'

/** The request that an error is about. */
export type FailedRequest = Pick<Request, 'method' | 'url'>

/**
 * The server responded with an error (RFC 9457). The message names the request and says what is wrong, for logs; what to
 * show to people is `detail`, which is in Portuguese when the client sends `Accept-Language: pt`, else in English.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  /** The HTTP status. */
  readonly status: number
  /** Stable, for programs, as `not_found`; `unknown` when the answer was no problem document (a proxy's page, say). */
  readonly code: string
  /** The method of the request. */
  readonly method: string | undefined
  /** The path of the request, without its query; a credential in it is replaced by its name, such as `{token}`. */
  readonly path: string | undefined
  /** What kind of error it is, for people. */
  readonly title: string
  /** What is wrong in this case, for people. */
  readonly detail: string | undefined
  /** Names the request in the server's log: quote it when asking for help. */
  readonly requestId: string | undefined
  /** Every fault of the input, each with a pointer to where it is. */
  readonly errors: readonly FieldError[]
  /** Seconds that the server asks to wait before trying again. */
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

  /** Reads an answer that is not `ok`; never throws, whatever its body holds. */
  static async from(response: Response, request?: FailedRequest): Promise<ApiError> {
    const body: unknown = await response.json().catch(() => undefined)
    const problem = typeof body === 'object' && body !== null ? (body as Partial<Problem>) : {}
    return new ApiError(response.status, problem, response.headers, request)
  }
}

/**
 * There was no answer of the server's: it could not be reached, was silent for too long, or the connection broke before
 * the answer was whole. What was asked for may have been done all the same.
 */
export class NetworkError extends Error {
  override readonly name = 'NetworkError'

  /** The method of the request. */
  readonly method: string | undefined
  /** The path of the request, as in {@link ApiError}. */
  readonly path: string | undefined

  /** An application gives a message in its users' language, and no request. */
  constructor(cause?: unknown, message = 'The server could not be reached', request?: FailedRequest) {
    super(named(request, message), { cause })
    this.method = request?.method
    this.path = request && safePath(request.url)
  }
}

const named = (request: FailedRequest | undefined, text: string) =>
  request ? `${request.method} ${safePath(request.url)}: ${text}` : text

/** The path of a URL. The token of an emailed link and the address of a webhook are credentials, and left out. */
function safePath(url: string): string {
  return new URL(url, 'http://localhost').pathname
    .replace(/(\/waitlist\/entries\/)(?!export$)[^/]+/, '$1{token}')
    .replace(/(\/webhooks\/channels\/)[^/]+/, '$1{id}')
}

/** The seconds of `Retry-After`, given as such or as a date. */
export function retryAfter(headers: Headers): number | undefined {
  const value = headers.get('Retry-After')
  if (!value) return undefined
  const seconds = Number(value)
  if (Number.isFinite(seconds)) return Math.max(0, seconds)
  const at = Date.parse(value)
  return Number.isNaN(at) ? undefined : Math.max(0, (at - Date.now()) / 1000)
}
