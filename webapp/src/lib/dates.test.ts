import { describe, expect, it, vi } from 'vitest'
import { dayLabel, groupByDay, timeLabel } from './dates'

const at = (text: string) => new Date(text)

describe('dayLabel', () => {
  const now = at('2026-03-30T09:00:00')
  it.each([
    ['2026-03-30T00:00:00', 'Hoje'],
    ['2026-03-29T23:59:59', 'Ontem'],
    // the clocks change in the night to the 29th, so that day has 23 hours
    ['2026-03-29T00:00:00', 'Ontem'],
    ['2026-03-28T23:00:00', '28 de março'],
    ['2025-12-31T23:00:00', '31 de dezembro de 2025'],
  ])('%s is %s', (date, label) => expect(dayLabel(at(date), now)).toBe(label))
})

it('groups runs of a day, in the order given', () => {
  const now = at('2026-03-10T12:00:00')
  const days = groupByDay(['2026-03-10T11:00:00', '2026-03-10T01:00:00', '2026-03-09T20:00:00'], at, now)
  expect(days.map(({ label, items }) => [label, items.length])).toEqual([
    ['Hoje', 2],
    ['Ontem', 1],
  ])
})

describe('times of day', () => {
  it('have two digits in Portuguese', () => {
    expect(timeLabel(at('2026-03-10T08:05:00'))).toBe('08:05')
  })

  it('have AM or PM, and no zero before it, in English', async () => {
    vi.resetModules()
    vi.doMock('../i18n/language', () => ({ language: 'en' }))
    const english = await import('./dates')
    // the space may be a narrow one
    expect(english.timeLabel(at('2026-03-10T08:05:00'))).toMatch(/^8:05\sAM$/)
    vi.doUnmock('../i18n/language')
  })
})
