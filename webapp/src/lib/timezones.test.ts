import { expect, it } from 'vitest'
import { timeThere, timezoneLabel, timezones } from './timezones'

it('offers all that are known, and those given, once each and in order', () => {
  const offered = timezones('Europe/Lisbon', 'Etc/Nowhere')
  const all = offered.map(({ value }) => value)
  expect(all.filter((each) => each === 'Europe/Lisbon')).toHaveLength(1)
  expect(all).toContain('Etc/Nowhere')
  expect(all).toContain('America/Sao_Paulo')
  const labels = offered.map(({ label }) => label)
  expect(labels).toEqual(labels.toSorted(new Intl.Collator('pt-PT').compare))
})

it('returns the time there, if the timezone is known', () => {
  const now = new Date('2026-11-21T12:05:00Z')
  expect(timeThere('Europe/Lisbon', now)).toBe('12:05')
  expect(timeThere('America/Sao_Paulo', now)).toBe('09:05')
  expect(timeThere('Etc/Nowhere', now)).toBeUndefined()
})

it('is written for people', () => {
  const summer = new Date('2026-07-21T12:05:00Z')
  expect(timezoneLabel('America/Sao_Paulo', summer)).toBe('São Paulo (UTC-3)')
  expect(timezoneLabel('Europe/Lisbon', summer)).toBe('Lisboa (UTC+1)')
  expect(timezoneLabel('Europe/Lisbon', new Date('2026-11-21T12:05:00Z'))).toBe('Lisboa (UTC+0)')
  expect(timezoneLabel('Etc/Nowhere')).toBe('Nowhere')
})
