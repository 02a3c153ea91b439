import { ApiError } from '@sininho/sdk'

/** The server's faults of the sent values by field, without the fields that have changed since. */
export function faultsOf<T extends object>(error: Error | null, sent: T | undefined, now: T) {
  const faults: Partial<Record<keyof T, string>> = {}
  if (!(error instanceof ApiError) || !sent) return faults
  for (const { pointer, detail } of error.errors) {
    const name = pointer.replace(/^#\//, '') as keyof T
    if (now[name] === sent[name]) faults[name] = detail
  }
  return faults
}
