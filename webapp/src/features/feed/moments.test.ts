import { expect, it } from 'vitest'
import { fieldOf } from '../../lib/date-field'
import { momentsAfter } from './moments'

const offered = (now: string, end?: string) =>
  momentsAfter(new Date(now), end ? new Date(end) : undefined).map(({ moment, at }) => `${moment} ${fieldOf(at)}`)

it.each([
  [
    'a Wednesday afternoon',
    '2026-12-02T15:00',
    ['tonight 2026-12-02T20:00', 'morning 2026-12-03T08:00', 'weekend 2026-12-05T09:00'],
  ],
  ['an hour before tonight', '2026-12-04T19:00', ['tonight 2026-12-04T20:00', 'morning 2026-12-05T08:00']],
  ['the last hour before tonight', '2026-12-02T19:01', ['morning 2026-12-03T08:00', 'weekend 2026-12-05T09:00']],
  ['a Friday', '2026-12-04T10:00', ['tonight 2026-12-04T20:00', 'morning 2026-12-05T08:00']],
  ['a Sunday', '2026-12-06T22:00', ['morning 2026-12-07T08:00']],
  ['the last evening of a year', '2026-12-31T21:00', ['morning 2027-01-01T08:00', 'weekend 2027-01-02T09:00']],
])('are those after %s', (_what, now, expected) => expect(offered(now)).toEqual(expected))

it('are none when the notification is no longer valid', () => {
  expect(offered('2026-12-02T15:00', '2026-12-03T08:00')).toEqual(['tonight 2026-12-02T20:00'])
})
