/** One page of any list of the API. */
export interface Page<T> {
  data: T[]
  meta: { total: number; nextCursor?: string }
}

/** What to ask for next: by cursor where the list gives one, else by offset. */
export type PageQuery = { limit: number; offset?: number; cursor?: string }

/**
 * Every item of a list, fetched page by page as it is read:
 *
 *     for await (const n of paginate((query) => unwrap(client.GET('/subscribers/notifications', {params: {query}})))) …
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
