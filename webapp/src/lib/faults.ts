import { ApiError } from '@sininho/sdk'

/** A fault of the server says what a value is or is not, to be read after its name. */
const sentenceOf = (detail: string) =>
  detail.replace(/^\p{Ll}/u, (first) => first.toUpperCase()).replace(/[^.!?]$/, '$&.')

/** The server's faults of the sent values by field, each as a sentence, without the fields that have changed since. */
export function faultsOf<T extends object>(error: Error | null, sent: T | undefined, now: T) {
  const faults: Partial<Record<keyof T, string>> = {}
  if (!(error instanceof ApiError) || !sent) return faults
  for (const { pointer, detail } of error.errors) {
    const name = pointer.replace(/^#\//, '') as keyof T
    if (now[name] === sent[name]) faults[name] = sentenceOf(detail)
  }
  return faults
}
