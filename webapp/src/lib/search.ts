/** Parses a query string. All values stay text, even those that look like numbers. */
export const parseSearch = (search: string): Record<string, string> => Object.fromEntries(new URLSearchParams(search))

/** Returns a value of an address that is a text and not empty. */
export const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)

/** Formats a query string, leaving out values that are undefined. */
export function formatSearch(values: Record<string, string | undefined>): string {
  const given = Object.entries(values).filter((pair): pair is [string, string] => pair[1] !== undefined)
  return given.length > 0 ? `?${new URLSearchParams(given)}` : ''
}

/** Reports whether a text is a search: the server leaves out words of one letter, which nearly everything has. */
export const isSearch = (text: string) => /\p{N}|\p{Ideographic}|\p{Script=Hangul}|[\p{L}\p{M}]{2}/u.test(text)
