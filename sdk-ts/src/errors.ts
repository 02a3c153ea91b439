import type { FieldError, Problem } from './models.js'

/** The server answered, and the answer was an error. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  /** Stable, for programs; `unknown` when the answer was no problem document (a proxy's page, say). */
  readonly code: string
  readonly title: string
  readonly detail: string | undefined
  /** Quote it when asking for help. */
  readonly requestId: string | undefined
  /** Every fault of the input, each with a pointer to where it is. */
  readonly errors: readonly FieldError[]
  /** Seconds the server asks to wait before trying again. */
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
    this.retryAfter = retryAfter(headers.get('Retry-After'))
  }

  /** Reads the answer's body; never throws, whatever it holds. */
  static async from(response: Response): Promise<ApiError> {
    const body: unknown = await response.json().catch(() => undefined)
    const problem = typeof body === 'object' && body !== null ? (body as Partial<Problem>) : {}
    return new ApiError(response.status, problem, response.headers)
  }
}

/** The server could not be reached, or the connection broke before the answer was whole. */
export class NetworkError extends Error {
  override readonly name = 'NetworkError'

  constructor(cause?: unknown, message = 'The server could not be reached') {
    super(message, { cause })
  }
}

/** Whether the failure is only that the caller gave up waiting. */
export function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError'
}

function retryAfter(value: string | null): number | undefined {
  if (!value) return undefined
  const seconds = Number(value)
  if (Number.isFinite(seconds)) return Math.max(0, seconds)
  const at = Date.parse(value)
  return Number.isNaN(at) ? undefined : Math.max(0, (at - Date.now()) / 1000)
}
