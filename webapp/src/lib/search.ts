/** Parses a query string. All values stay text, even those that look like numbers. */
export const parseSearch = (search: string): Record<string, string> => Object.fromEntries(new URLSearchParams(search))

/** Formats a query string, leaving out values that are undefined. */
export function formatSearch(values: Record<string, string | undefined>): string {
  const given = Object.entries(values).filter((pair): pair is [string, string] => pair[1] !== undefined)
  return given.length > 0 ? `?${new URLSearchParams(given)}` : ''
}
