import { describe, expect, it } from 'vitest'
import { paginate, type Page, type PageQuery } from '../src/index.js'

const collect = async (pages: (query: PageQuery) => Page<number>, limit = 2) => {
  const queries: PageQuery[] = []
  const items: number[] = []
  const fetchPage = async (query: PageQuery) => {
    queries.push(query)
    return pages(query)
  }
  for await (const item of paginate(fetchPage, { limit })) items.push(item)
  return { items, queries }
}

describe('paginate', () => {
  it('continues by offset up to the total', async () => {
    const all = [1, 2, 3, 4, 5]
    const { items, queries } = await collect(({ limit, offset = 0 }) => ({
      data: all.slice(offset, offset + limit),
      meta: { total: all.length },
    }))
    expect(items).toEqual(all)
    expect(queries).toEqual([{ limit: 2 }, { limit: 2, offset: 2 }, { limit: 2, offset: 4 }])
  })

  it('continues by cursor where there is one, and ends with the last cursor', async () => {
    const { items, queries } = await collect(({ cursor }) =>
      cursor ? { data: [3], meta: { total: 99 } } : { data: [1, 2], meta: { total: 99, nextCursor: 'c' } },
    )
    expect(items).toEqual([1, 2, 3])
    expect(queries).toEqual([{ limit: 2 }, { limit: 2, cursor: 'c' }])
  })

  it('ends on an empty page although the total says more', async () => {
    const { items, queries } = await collect(() => ({ data: [], meta: { total: 3 } }))
    expect(items).toEqual([])
    expect(queries).toHaveLength(1)
  })

  it('fetches a page only when it is read', async () => {
    let fetched = 0
    const pages = paginate(async () => ({ data: [1, 2], meta: { total: 100, nextCursor: String(fetched++) } }))
    await pages.next()
    await pages.next()
    await pages.return()
    expect(fetched).toBe(1)
  })

  it('throws the error of a page', async () => {
    await expect(paginate(() => Promise.reject(new Error('no'))).next()).rejects.toThrow('no')
  })
})
