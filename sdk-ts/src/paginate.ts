/** One page of any list of the API. */
export interface Page<T> {
  /** The items, in the list's order. */
  data: T[]
  /** The length of the whole list and, for lists paged by cursor, the cursor of the next page. */
  meta: { total: number; nextCursor?: string | undefined }
}

/** Selects the next page: by cursor if the list returned one, otherwise by offset. */
export type PageQuery = {
  /** Maximum number of items per page, at most 100. */
  limit: number
  /** Number of items to skip. */
  offset?: number
  /** The previous page's `nextCursor`. Unlike an offset, it stays correct when items are added meanwhile. */
  cursor?: string
}

/**
 * Iterates over all items of a list, fetching each page only when the loop reaches it:
 *
 * ```ts
 * for await (const channel of paginate((query) => unwrap(client.GET('/channels', { params: { query } })))) …
 * ```
 *
 * Throws what fetching a page throws. To cancel, pass a `signal` to the call that fetches.
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
