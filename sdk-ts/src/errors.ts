import type { FieldError, Problem } from './models.js'

/**
 * The server answered, and the answer was an error (RFC 9457). Its message is the server's own text: in Portuguese when
 * the client sends `Accept-Language: pt`, else in English.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  /** The HTTP status. */
  readonly status: number
  /** Stable, for programs, as `not_found`; `unknown` when the answer was no problem document (a proxy's page, say). */
  readonly code: string
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

  constructor(status: number, problem: Partial<Problem> = {}, headers: Headers = new Headers()) {
    const title = problem.title ?? `HTTP ${status}`
    super(problem.detail ?? title)
    this.status = status
    this.code = problem.code ?? 'unknown'
    this.title = title
    this.detail = problem.detail
    this.requestId = problem.requestId ?? headers.get('X-Request-Id') ?? undefined
    this.errors = problem.errors ?? []
    this.retryAfter = retryAfter(headers)
  }

  /** Reads an answer that is not `ok`; never throws, whatever its body holds. */
  static async from(response: Response): Promise<ApiError> {
    const body: unknown = await response.json().catch(() => undefined)
    const problem = typeof body === 'object' && body !== null ? (body as Partial<Problem>) : {}
    return new ApiError(response.status, problem, response.headers)
  }
}

/**
 * There was no answer of the server's: it could not be reached, was silent for too long, or the connection broke before
 * the answer was whole. What was asked for may have been done all the same.
 */
export class NetworkError extends Error {
  override readonly name = 'NetworkError'

  /** An application gives a message in its users' language. */
  constructor(cause?: unknown, message = 'The server could not be reached') {
    super(message, { cause })
  }
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
