import type { ChannelDeliveries, DeliveryCounts } from '@sininho/sdk'
import { expect, it } from 'vitest'
import { notification } from '../../testing/factories'
import { causesOf, daysOf, mostOpened, pushesTable } from './figures'

const counts = (over: Partial<DeliveryCounts> = {}): DeliveryCounts => ({
  notifications: 1,
  targeted: 10,
  pending: 0,
  accepted: 6,
  suppressed: { bell: 2 },
  failed: { unavailable: 1 },
  expired: { unavailable: 1 },
  displayed: 5,
  opened: 3,
  ...over,
})

const deliveries: ChannelDeliveries = {
  from: '2026-11-28T00:00:00Z',
  until: '2026-11-30T17:20:00Z',
  interval: 'day',
  total: counts({ notifications: 2, suppressed: { bell: 2, '=new': 4 } }),
  data: [
    { at: '2026-11-28T00:00:00Z', counts: counts() },
    { at: '2026-11-30T00:00:00Z', counts: counts({ suppressed: { '=new': 4 }, failed: {}, expired: {} }) },
  ],
  audience: { followers: 9, ringing: 5, ringingImportant: 6, estimated: false },
}

it('has the days on which nothing was published, too', () => {
  expect(daysOf(deliveries).map(({ day, counts: of }) => [day, of?.notifications])).toEqual([
    ['2026-11-28', 1],
    ['2026-11-29', undefined],
    ['2026-11-30', 1],
  ])
})

it('keeps what failed apart from what expired for the same cause, most first', () => {
  expect(causesOf(deliveries.total).map(({ outcome, cause, devices }) => [outcome, cause, devices])).toEqual([
    ['suppressed', '=new', 4],
    ['suppressed', 'bell', 2],
    ['failed', 'unavailable', 1],
    ['expired', 'unavailable', 1],
  ])
})

it('has a column for each cause', () => {
  const [names, ...days] = pushesTable(deliveries)
  expect(names?.slice(7)).toEqual([
    'Sem tocar: Sem tocar (=new)',
    'Sem tocar: a pessoa não quis que tocasse (bell)',
    'Falharam: o serviço de envio não respondeu (unavailable)',
    'Expiraram: o serviço de envio não respondeu (unavailable)',
  ])
  expect(days).toEqual([
    ['2026-11-28', 1, 10, 6, 0, 5, 3, 0, 2, 1, 1],
    ['2026-11-30', 1, 10, 6, 0, 5, 3, 4, 0, 0, 0],
  ])
})

it('shows the five that most people opened, and none that nobody did', () => {
  const all = [1, 5, 0, 3, 2, 6, 4].map((opened) => ({
    notification: notification({ title: String(opened) }),
    outcome: { ...counts(), opened, finished: true },
  }))
  expect(mostOpened([...all, { notification: notification(), outcome: undefined }])).toMatchObject(
    ['6', '5', '4', '3', '2'].map((title) => ({ notification: { title } })),
  )
})
