import { describe, expect, it, vi } from 'vitest'
import { agoLabel, dailyLabel, isPast, untilLabel } from './spans'

const at = (text: string) => new Date(text)

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

it('formats a time of every day as people write it', async () => {
  expect(dailyLabel('22:00')).toBe('22:00')
  vi.resetModules()
  vi.doMock('../i18n/language', () => ({ language: 'en' }))
  const english = await import('./spans')
  expect(english.dailyLabel('22:00')).toMatch(/^10:00\sPM$/)
  vi.doUnmock('../i18n/language')
})

it('treats the current moment as past', () => {
  const now = at('2026-03-28T22:00:00')
  expect(isPast(now, now)).toBe(true)
  expect(isPast(at('2026-03-28T22:00:01'), now)).toBe(false)
})
