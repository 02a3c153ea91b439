import type { Notification } from '@sininho/sdk'
import { describe, expect, it } from 'vitest'
import { channel, notification, ref, subscription } from '../../testing/factories'
import { countOf } from './groupCount'
import { firstOf, layoutOf, rowsOf, ungrouped } from './rows'

const [deploys, reviews] = ['Deploys', 'Revisões'].map((name) => ref(channel({ name, slug: name.toLowerCase() })))
const since = '2026-03-01T10:00:00Z'
const minutesBefore = (minutes: number) => new Date(Date.parse(since) - minutes * 60_000).toISOString()

const of = (channel = deploys!, over: Partial<Notification> = {}, minutes = 1) =>
  notification({ channel, publishedAt: minutesBefore(minutes), ...over })
const layout = (unread: number, others = 0) =>
  layoutOf([subscription(deploys!, { unreadCount: unread }), subscription(reviews!, { unreadCount: others })], since)

/** The rows, each as its number of notifications. */
const sizes = (items: Notification[], by = layout(5)) => rowsOf(items, by).map(({ group }) => group?.length ?? 0)

describe('what a channel has unread', () => {
  it('is one row wherever it stands between others', () => {
    const items = [of(), of(reviews), of(), of(reviews), of(), of()]
    const rows = rowsOf(items, layout(5))
    expect(rows.map(({ at }) => at.id)).toEqual([items[0]!.id, items[1]!.id, items[3]!.id])
    expect(rows[0]!.group).toEqual([items[0], items[2], items[4], items[5]])
  })

  it('is one row when little of it is loaded', () => {
    expect(sizes([of()], layout(28))).toEqual([1])
  })

  it('has rows of its own while it is little', () => {
    expect(sizes([of(), of(), of(), of()], layout(4))).toEqual([0, 0, 0, 0])
  })

  it('leaves out what is important, and what was read before', () => {
    const items = [of(), of(deploys, { importance: 'important' }), of(deploys, { readAt: minutesBefore(1) }), of()]
    expect(sizes(items)).toEqual([2, 0, 0])
  })

  it('stays where it is when some of it is read', () => {
    const items = [of(), of(deploys, { readAt: minutesBefore(-1) }), of()]
    expect(sizes(items)).toEqual([3])
  })

  it('stays where it is when more arrives, and has it', () => {
    const arrived = of(deploys, {}, -5)
    const items = [arrived, of(reviews), of(), of()]
    const rows = rowsOf(items, layout(5))
    expect(rows.map(({ at }) => at.id)).toEqual([items[1]!.id, items[2]!.id])
    expect(rows[1]!.group![0]).toBe(arrived)
  })

  it('is at its newest when all has arrived since', () => {
    const items = [of(deploys, {}, -5), of(deploys, {}, -4), of(reviews)]
    expect(rowsOf(items, layout(5)).map(({ at }) => at.id)).toEqual([items[0]!.id, items[2]!.id])
  })

  it('is not grouped in other lists', () => {
    expect(sizes([of(), of(), of(), of(), of()], ungrouped)).toEqual([0, 0, 0, 0, 0])
  })
})

it('a group counts all that is unread, but for what stands alone', () => {
  const subscriptions = [subscription(deploys!, { unreadCount: 28 })]
  const alone = of(deploys, { importance: 'important' })
  expect(countOf(deploys!, [alone, of(reviews)], subscriptions)).toBe(27)
  expect(countOf(deploys!, [{ ...alone, readAt: since }], subscriptions)).toBe(28)
  expect(countOf(reviews!, [], subscriptions)).toBe(0)
})

describe('what comes first', () => {
  const first = (items: Notification[]) => firstOf(items, layout(0)).map(({ title }) => title)

  it('is what is important and unread, and what is valid still', () => {
    const items = [
      of(deploys, { title: 'qualquer' }),
      of(deploys, { title: 'importante', importance: 'important' }),
      of(deploys, { title: 'importante, lida antes', importance: 'important', readAt: minutesBefore(1) }),
      of(deploys, { title: 'até mais tarde', expiresAt: minutesBefore(-60), readAt: minutesBefore(1) }),
      of(deploys, { title: 'já passou', expiresAt: minutesBefore(1) }),
    ]
    expect(first(items)).toEqual(['importante', 'até mais tarde'])
  })

  it('stays when it is read, or its time passes, while it is shown', () => {
    const items = [
      of(deploys, { title: 'lida agora', importance: 'important', readAt: minutesBefore(-1) }),
      of(deploys, { title: 'passou agora', expiresAt: minutesBefore(-1) }),
    ]
    expect(first(items)).toEqual(['lida agora', 'passou agora'])
  })

  it('is little: the latest five', () => {
    const items = Array.from({ length: 7 }, (_, at) => of(deploys, { title: `${at}`, importance: 'important' }))
    expect(first(items)).toEqual(['0', '1', '2', '3', '4'])
  })
})
