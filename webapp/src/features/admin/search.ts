/** The query of the address. Values that a screen does not know count as absent. */
export type Search = Record<string, string | undefined>

export type ScreenProps = { search: Search; onSearch: (search: Search) => void }

/** Returns the key of a record, or the fallback. */
export const oneOf = <T extends string>(all: Record<T, unknown>, value: string | undefined, fallback: T): T =>
  value !== undefined && Object.hasOwn(all, value) ? (value as T) : fallback
