import type { Plan, Weekday } from '@sininho/sdk'
import { expect, it } from 'vitest'
import { template } from '../../testing/factories'
import { plannedOn, planFaults, planFields, planLabel, planOf, withoutNext } from './plan'

const friday: Plan = { makes: 'notification', weekdays: ['friday'], time: '17:00', timezone: 'Europe/Lisbon' }
const monthly: Plan = { makes: 'draft', monthDays: [15, 31, 1], time: '09:00', timezone: 'Europe/Lisbon' }

it('says in words when something repeats', () => {
  expect(planLabel(friday)).toBe('Às sextas, às 17:00')
  expect(planLabel({ ...friday, weekdays: ['friday', 'saturday'] })).toBe('Às sextas e aos sábados, às 17:00')
  expect(planLabel({ ...friday, weekdays: ['sunday'] })).toBe('Aos domingos, às 17:00')
  const daily: Weekday[] = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']
  expect(planLabel({ ...friday, weekdays: daily })).toBe('Todos os dias, às 17:00')
  expect(planLabel(monthly)).toBe('Nos dias 1, 15 e último de cada mês, às 09:00')
  expect(planLabel({ ...monthly, monthDays: [5] })).toBe('No dia 5 de cada mês, às 09:00')
})

it('returns the plan of what was asked, which ends as the one before', () => {
  expect(planOf(planFields(friday), 'Europe/Lisbon')).toEqual(friday)
  const before = { ...monthly, timezone: 'Asia/Tokyo', endsAt: '2099-01-01T00:00:00Z' }
  expect(planOf({ ...planFields(before), monthDays: '1,1 ; 31' }, before.timezone, before)).toEqual({
    makes: 'draft',
    monthDays: [1, 31],
    time: '09:00',
    timezone: 'Asia/Tokyo',
    endsAt: before.endsAt,
  })
  expect(planFields(friday, true).makes).toBe('draft')
})

it.each(['', '0', '32', '1, x', '1.5', '-1'])('takes no days of the month like "%s"', (monthDays) => {
  expect(planFaults({ ...planFields(monthly), monthDays })).toHaveProperty('monthDays')
})

it('names all that is missing', () => {
  expect(Object.keys(planFaults(planFields()))).toEqual(['weekdays', 'time'])
  expect(planFaults(planFields(friday))).toEqual({})
})

it('leaves out what is next', () => {
  const weekly = { ...template('Ementa', {}), plan: friday, nextAt: '2026-12-04T17:00:00Z' }
  expect(withoutNext(weekly)).toEqual({ ...friday, startsAt: '2026-12-04T17:00:01.000Z' })
})

it('finds the days on which something is planned, from the next one to the end', () => {
  const days = (month: number, plan: Plan, nextAt?: string, endsAt?: string) => {
    const each = { ...template('Ementa', {}), plan: { ...plan, endsAt }, nextAt }
    const all = Array.from({ length: 31 }, (_, day) => new Date(2027, month, day + 1))
    return all.filter((day) => day.getMonth() === month && plannedOn(each)(day)).map((day) => day.getDate())
  }
  expect(days(0, friday, '2027-01-08T17:00:00Z', '2027-01-22T17:00:00Z')).toEqual([8, 15, 22])
  expect(days(1, monthly, '2027-01-15T09:00:00Z')).toEqual([1, 15, 28])
  expect(days(0, friday)).toEqual([])
})
