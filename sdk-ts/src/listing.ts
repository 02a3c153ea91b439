import { type Page, type PageQuery, paginate } from './paginate.js'

/**
 * A list of the API. Loop over it with `for await`, which fetches each page when the loop reaches it; or ask for its
 * length, or one page.
 */
export class Listing<T> implements AsyncIterable<T> {
  readonly #fetch: (query: PageQuery) => Promise<Page<T>>
  readonly #limit: number

  constructor(fetch: (query: PageQuery) => Promise<Page<T>>, limit = 100) {
    this.#fetch = fetch
    this.#limit = limit
  }

  [Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    return paginate(this.#fetch, { limit: this.#limit })
  }

  /** Returns how many items there are. */
  async total(): Promise<number> {
    return (await this.#fetch({ limit: 1 })).meta.total
  }

  /** Returns one page, with the total and, for lists paged by cursor, the cursor of the next one in its `meta`. */
  page(query: Partial<PageQuery> = {}): Promise<Page<T>> {
    return this.#fetch({ limit: this.#limit, ...query })
  }

  /** Returns all items, or the first ones. */
  async all(most = Infinity): Promise<T[]> {
    const items: T[] = []
    if (most <= 0) return items
    for await (const item of this) if (items.push(item) >= most) break
    return items
  }
}
