/** One page of any list of the API. */
export interface Page<T> {
  /** The items, in the list's order. */
  data: T[]
  /** How many there are in all, and where lists of notifications go on. */
  meta: { total: number; nextCursor?: string | undefined }
}

/** What to ask for next: by cursor where the list gives one, else by offset. */
export type PageQuery = {
  /** Items a page: at most 100. */
  limit: number
  /** How many items come before. */
  offset?: number
  /** The `nextCursor` of the page before; stable while new ones arrive. */
  cursor?: string
}

/**
 * Every item of a list, fetched page by page as it is read, and no further:
 *
 * ```ts
 * for await (const channel of paginate((query) => unwrap(client.GET('/channels', { params: { query } })))) …
 * ```
 *
 * Throws what fetching a page throws. Pass a `signal` to the call that fetches to end it from outside.
 */
export async function* paginate<T>(
  fetchPage: (query: PageQuery) => Promise<Page<T>>,
  { limit = 100 }: { limit?: number } = {},
): AsyncGenerator<T, void, undefined> {
  let offset = 0
  let query: PageQuery = { limit }
  for (;;) {
    const { data, meta } = await fetchPage(query)
    yield* data
    offset += data.length
    if (meta.nextCursor !== undefined) query = { limit, cursor: meta.nextCursor }
    else if (query.cursor !== undefined || data.length === 0 || offset >= meta.total) return
    else query = { limit, offset }
  }
}
