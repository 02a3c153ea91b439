import { describe, expect, it, vi } from 'vitest'
import { momentLabel } from './moment'

const at = (text: string) => new Date(text)

describe('momentLabel', () => {
  const now = at('2026-03-30T09:30:00')
  it.each([
    ['2026-03-30T09:29:30', 'agora'],
    ['2026-03-30T09:14:00', 'há 16 min'],
    ['2026-03-30T08:30:00', '08:30'],
    // the clocks change in the night to the 29th
    ['2026-03-29T00:00:00', 'ontem, 00:00'],
    ['2026-03-28T22:11:00', '28 de mar., 22:11'],
    ['2025-11-12T22:11:00', '12 de nov. de 2025, 22:11'],
  ])('%s is %s', (date, label) => expect(momentLabel(at(date), now)).toBe(label))

  it('has no day within the hour, also after midnight', () => {
    expect(momentLabel(at('2026-03-29T23:50:00'), at('2026-03-30T00:10:00'))).toBe('há 20 min')
  })

  it('is written in English as there', async () => {
    vi.resetModules()
    vi.doMock('../i18n/language', () => ({ language: 'en' }))
    vi.doMock('../i18n/notification', () => import('../i18n/en/notification'))
    const english = await import('./moment')
    // the space may be a narrow one
    expect(english.momentLabel(at('2026-03-29T22:11:00'), now)).toMatch(/^yesterday, 10:11\sPM$/)
    expect(english.momentLabel(at('2026-02-12T22:11:00'), now)).toMatch(/^Feb 12, 10:11\sPM$/)
    vi.doUnmock('../i18n/language')
    vi.doUnmock('../i18n/notification')
  })
})
