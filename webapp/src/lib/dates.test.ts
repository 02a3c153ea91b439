import { describe, expect, it, vi } from 'vitest'
import { agoLabel, dailyLabel, dayLabel, groupByDay, isPast, timeLabel, untilLabel } from './dates'

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

it('formats how long ago', () => {
  const now = at('2026-03-10T12:00:00')
  expect(agoLabel(at('2026-03-10T11:59:30'), now)).toBe('agora')
  expect(agoLabel(at('2026-03-10T09:00:00'), now)).toBe('há 3 horas')
  expect(agoLabel(at('2026-03-09T09:00:00'), now)).toBe('ontem')
})

describe('untilLabel', () => {
  const now = at('2026-03-28T22:00:00')
  it.each([
    ['2026-03-28T23:30:00', 'às 23:30'],
    ['2026-03-29T01:00:00', 'amanhã à 01:00'],
    // the clocks change that night
    ['2026-03-29T08:00:00', 'amanhã às 08:00'],
    ['2026-04-04T22:00:00', '04/04, às 22:00'],
    ['2027-01-02T08:00:00', '02/01/2027, às 08:00'],
  ])('%s is %s', (date, label) => expect(untilLabel(at(date), now)).toBe(label))
})

describe('times of day', () => {
  it('have two digits in Portuguese', () => {
    expect(timeLabel(at('2026-03-10T08:05:00'))).toBe('08:05')
    expect(dailyLabel('22:00')).toBe('22:00')
  })

  it('have AM or PM, and no zero before it, in English', async () => {
    vi.resetModules()
    vi.doMock('../i18n/language', () => ({ language: 'en' }))
    const english = await import('./dates')
    // the space may be a narrow one
    expect(english.timeLabel(at('2026-03-10T08:05:00'))).toMatch(/^8:05\sAM$/)
    expect(english.dailyLabel('22:00')).toMatch(/^10:00\sPM$/)
    vi.doUnmock('../i18n/language')
  })
})

it('treats the current moment as past', () => {
  const now = at('2026-03-28T22:00:00')
  expect(isPast(now, now)).toBe(true)
  expect(isPast(at('2026-03-28T22:00:01'), now)).toBe(false)
})
