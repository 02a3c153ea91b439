import { expect, it } from 'vitest'
import { timeThere, timezoneLabel, timezones } from './timezones'

it('offers all that are known, and those given, once each and in order', () => {
  const all = timezones('Europe/Lisbon', 'Etc/Nowhere')
  expect(all.filter((each) => each === 'Europe/Lisbon')).toHaveLength(1)
  expect(all).toContain('Etc/Nowhere')
  expect(all).toContain('America/Sao_Paulo')
  expect(all).toEqual(all.toSorted())
})

it('returns the time there, if the timezone is known', () => {
  const now = new Date('2026-11-21T12:05:00Z')
  expect(timeThere('Europe/Lisbon', now)).toBe('12:05')
  expect(timeThere('America/Sao_Paulo', now)).toBe('09:05')
  expect(timeThere('Etc/Nowhere', now)).toBeUndefined()
})

it('is written for people', () => expect(timezoneLabel('America/Sao_Paulo')).toBe('America/Sao Paulo'))
