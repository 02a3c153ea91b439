import { ApiError } from '@sininho/sdk'

/** What the server found wrong with what was sent, by its fields; of one that has changed since, nothing. */
export function faultsOf<T extends object>(error: Error | null, sent: T | undefined, now: T) {
  const faults: Partial<Record<keyof T, string>> = {}
  if (!(error instanceof ApiError) || !sent) return faults
  for (const { pointer, detail } of error.errors) {
    const name = pointer.replace(/^#\//, '') as keyof T
    if (now[name] === sent[name]) faults[name] = detail
  }
  return faults
}
